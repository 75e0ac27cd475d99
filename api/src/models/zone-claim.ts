/** Claims of domains as own zones (table `zone_claims`). */
import type { DelegationCheck } from '@homing/openapi'
import type { OwnershipProof, OwnZoneState } from '@homing/openapi/vocabulary'
import {
  bigint,
  boolean,
  integer,
  jsonb,
  nullable,
  smallint,
  text,
  textOf,
  timestamptz,
} from './columns.ts'
import { belongsTo, ownedBy, type Row, table, type TableQuery } from './table.ts'
import { User } from './user.ts'

/** What an account had in a zone that another account's proof took from it. */
export interface KeptContent {
  /** Rows of `domains`, with the columns that a restoration needs, and the `forward` and the `monitor` of each, or null. */
  readonly domains: readonly Readonly<Record<string, unknown>>[]
  readonly records: readonly {
    readonly owner: string
    readonly type: string
    readonly ttl: number
    readonly rdata: readonly string[]
  }[]
}

/** The states of claims that wait for a proof or have one. */
export const LIVE_STATES = ['pending', 'active', 'withheld'] as const satisfies OwnZoneState[]

/** The same states, in SQL. @param alias of the table */
export const isLive = (alias: string): string =>
  `${alias}.state in ('pending', 'active', 'withheld')`

export class ZoneClaim extends table('zone_claims', {
  id: bigint,
  user_id: bigint,
  /** The domain: lower case, without the final dot. */
  name: text,
  /** One label of a host name: the value of the TXT record, and the first label of the third name server. */
  token: text,
  state: textOf<OwnZoneState>(),
  /** Whether the account's vanity name servers are in it. */
  is_vanity: boolean,
  /** Whether its name servers are the account's vanity name servers. */
  uses_vanity: boolean,
  proof: nullable(textOf<OwnershipProof>()),
  /** Whether the parent zone delegated the domain to us before the claim. Null: no check could examine it. */
  was_delegated: nullable(boolean),
  claimed_at: timestamptz,
  expires_at: nullable(timestamptz),
  active_at: nullable(timestamptz),
  /** When the zone is or was withheld, because the plan does not include it. */
  withheld_at: nullable(timestamptz),
  /** When it was lost or expired. */
  ended_at: nullable(timestamptz),
  last_check: nullable(jsonb<DelegationCheck>()),
  checked_at: nullable(timestamptz),
  next_check_at: nullable(timestamptz),
  /** Checks in a row that did not find the delegation right. */
  failed_checks: integer,
  /** Since when the delegation is right. Null: it is not. */
  verified_at: nullable(timestamptz),
  /** The last mail about the delegation. */
  notified: nullable(textOf<'verified' | 'broken'>()),
  /** The last reminder before the zone is withheld, in days before it; 0: it was withheld. */
  reminded_days: nullable(smallint),
  kept: nullable(jsonb<KeptContent>()),
  version: integer,
}) {
  declare owner?: User
  static override readonly relationMappings = { owner: belongsTo(User, 'zone_claims.user_id') }
  static override readonly modifiers = {
    ownedBy,
    live: (claims: TableQuery<ZoneClaim>) => void claims.whereIn('zone_claims.state', LIVE_STATES),
  }
}

/** A plain row of `zone_claims`. */
export type ZoneClaimRow = Row<typeof ZoneClaim>
