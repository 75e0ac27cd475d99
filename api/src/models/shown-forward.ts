/** Web forwards as their owners and administrators see them: with the domain, and the hits of the last days. */
import type { TargetCheck, WebForward as WebForwardBody } from '@homing/openapi'
import type { Knex } from 'knex'
import { raw } from 'objection'
import { usesStealthFlag } from '../rules/forward-settings.ts'
import { columnsOf } from './table.ts'
import { WebForward, type WebForwardRow } from './web-forward.ts'

/** The columns that the owner of a forward sees. */
const SHOWN = [
  'id',
  'domain_id',
  'user_id',
  'target_url',
  'forwarding_type',
  'status_code',
  'title',
  'description',
  'keywords',
  'forward_path',
  'forward_query',
  'is_active',
  'fallback',
  'check_result',
  'disabled_at',
  'disabled_reason',
  'created_at',
  'version',
] as const

/** Today and the six days before, in UTC. A double has room for every count. */
const HITS = raw(
  `(select coalesce(sum(h.hits), 0)::double precision from forward_hits h
    where h.forward_id = web_forwards.id and h.day > (now() at time zone 'UTC')::date - 7) as hits_7d`,
)

export type ShownForward = Pick<WebForwardRow, (typeof SHOWN)[number]> & {
  readonly fqdn: string
  readonly hits_7d: number
}

/** Plain rows of `ShownForward`. Conditions can use the tables `web_forwards` and `domain`. */
export const shownForwards = (db: Knex) =>
  WebForward.query(db)
    .joinRelated('domain')
    .select(columnsOf(WebForward, SHOWN), 'domain.fqdn', HITS)

/** A forward as JSON. */
export function forwardBody(row: ShownForward): WebForwardBody {
  // `check-target.ts` writes it.
  const check = row.check_result as TargetCheck | null
  return {
    id: row.id,
    domain_id: row.domain_id,
    fqdn: row.fqdn,
    target_url: row.target_url,
    forwarding_type: row.forwarding_type,
    status_code: row.status_code,
    title: row.title,
    description: row.description,
    keywords: row.keywords,
    forward_path: row.forward_path,
    forward_query: row.forward_query,
    is_active: row.is_active,
    fallback: row.fallback,
    uses_stealth_flag: usesStealthFlag(row),
    hits_7d: row.hits_7d,
    // Not the column `checked_at`, which a check sets before it begins.
    last_checked_at: check?.checked_at ?? null,
    check_result: check,
    disabled_reason: row.disabled_reason,
    created_at: row.created_at.toISOString(),
    version: row.version,
  }
}
