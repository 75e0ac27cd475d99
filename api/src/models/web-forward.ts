/** Web forwards of domains (table `web_forwards`), at most one for each domain. */
import {
  bigint,
  boolean,
  integer,
  jsonb,
  nullable,
  smallintOf,
  text,
  textOf,
  timestamptz,
} from './columns.ts'
import { Domain } from './domain.ts'
import { belongsTo, ownedBy, type Row, table } from './table.ts'
import { User } from './user.ts'

export type ForwardingType = 'redirect' | 'stealth'
export type ForwardStatus = 301 | 302 | 307 | 308

/** Why a stealth forward acts as a redirect. `plan`: the account has more of them than its plan has flags. */
export type ForwardFallback = 'frames-refused' | 'mixed-content' | 'plan'

/** What the last examination of the target found; its fields belong to the code that examines targets. */
export type ForwardCheckResult = Readonly<Record<string, unknown>>

export class WebForward extends table('web_forwards', {
  id: bigint,
  domain_id: bigint,
  user_id: bigint,
  /** Normalised: an absolute http or https URL. */
  target_url: text,
  forwarding_type: textOf<ForwardingType>(),
  /** Of a redirect, and of a stealth forward that acts as one. */
  status_code: smallintOf<ForwardStatus>(),
  /** Null unless the type is stealth, as are `description`, `keywords` and `fallback`. */
  title: nullable(text),
  description: nullable(text),
  keywords: nullable(text),
  /** Whether the path of a request is appended to the target. */
  forward_path: boolean,
  forward_query: boolean,
  /** Whether its owner has it turned on. */
  is_active: boolean,
  /** Since when requests are sent to this target. */
  target_set_at: timestamptz,
  /** Null: a stealth forward shows its target in a frame and uses a flag of the plan. */
  fallback: nullable(textOf<ForwardFallback>()),
  /** The next check of a stealth forward is due a day later. A check that begins sets it, so that only one worker checks. */
  checked_at: nullable(timestamptz),
  check_result: nullable(jsonb<ForwardCheckResult>()),
  /** When an administrator stopped it; null: nobody did. */
  disabled_at: nullable(timestamptz),
  disabled_reason: nullable(text),
  disabled_by: nullable(bigint),
  /** The blocked target that stops it; null: none does, or an administrator disabled this forward itself. */
  blocked_target_id: nullable(bigint),
  created_at: timestamptz,
  version: integer,
}) {
  declare owner?: User
  declare domain?: Domain
  static override readonly relationMappings = () => ({
    owner: belongsTo(User, 'web_forwards.user_id'),
    domain: belongsTo(Domain, 'web_forwards.domain_id'),
  })

  static override readonly modifiers = { ownedBy }
}

/** A plain row of `web_forwards`. */
export type WebForwardRow = Row<typeof WebForward>
