/** Accounts' claims of domains as zones of their own (table `zone_claims`). */
import type { OwnershipProof, OwnZoneState } from '@homing/openapi/vocabulary'
import { bigint, boolean, integer, jsonb, nullable, text, textOf, timestamptz } from './columns.ts'
import { belongsTo, ownedBy, type Row, table } from './table.ts'
import { User } from './user.ts'

export class ZoneClaim extends table('zone_claims', {
  id: bigint,
  user_id: bigint,
  /** The domain, in stored form. */
  name: text,
  /** One label of a host name. */
  token: text,
  state: textOf<OwnZoneState>(),
  /** It has the account's vanity name servers in it. */
  is_vanity: boolean,
  /** Its name servers are the vanity name servers of the account. */
  uses_vanity: boolean,
  proof: nullable(textOf<OwnershipProof>()),
  /** Whether the parent zone delegated the domain to us before this claim. Null: not examined yet. */
  was_delegated: nullable(boolean),
  claimed_at: timestamptz,
  expires_at: nullable(timestamptz),
  active_at: nullable(timestamptz),
  withheld_at: nullable(timestamptz),
  ended_at: nullable(timestamptz),
  last_check: nullable(jsonb<unknown>()),
  checked_at: nullable(timestamptz),
  next_check_at: nullable(timestamptz),
  failed_checks: integer,
  verified_at: nullable(timestamptz),
  notified: nullable(textOf<'verified' | 'broken' | 'lost' | 'withheld-soon' | 'withheld'>()),
  kept: nullable(jsonb<unknown>()),
  version: integer,
}) {
  declare owner?: User
  static override readonly relationMappings = { owner: belongsTo(User, 'zone_claims.user_id') }

  static override readonly modifiers = { ownedBy }
}

export type ZoneClaimRow = Row<typeof ZoneClaim>
