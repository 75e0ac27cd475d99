/** Finds the web forward that answers requests for a host, so that circles of forwarded domains can be refused. */
import type { Knex } from 'knex'
import { query } from '../database/sql.ts'
import { namesAtOrAbove, wildcardOf } from '../rules/names.ts'

/** A domain that answers for a host: itself, or with its wildcard. */
export interface AnsweringDomain {
  /** The domain, without `*.`. */
  readonly fqdn: string
  /** Undefined: it has no forward. */
  readonly forward: StoredForward | undefined
}

export interface StoredForward {
  readonly target: URL
  readonly status: number
  /** False: its owner paused it, or an administrator disabled it. */
  readonly isInForce: boolean
}

// A paused or withheld domain counts too: it leads to its target when it is served again.
const ANSWERING = `
  select d.fqdn, d.is_wildcard, f.target_url, f.status_code, f.is_active and f.disabled_at is null as is_in_force
  from domains d left join web_forwards f on f.domain_id = coalesce(d.base_id, d.id)
  where d.fqdn = any (?::text[])`

interface AnsweringRow {
  readonly fqdn: string
  readonly is_wildcard: boolean
  readonly target_url: string | null
  readonly status_code: number | null
  readonly is_in_force: boolean | null
}

function answering(row: AnsweringRow): AnsweringDomain {
  const fqdn = row.is_wildcard ? row.fqdn.slice(2) : row.fqdn
  const target = URL.parse(row.target_url ?? '')
  if (target === null) return { fqdn, forward: undefined }
  const { status_code, is_in_force } = row
  return {
    fqdn,
    forward: { target, status: status_code ?? 0, isInForce: is_in_force === true },
  }
}

/**
 * The domain that answers for a host: the domain with this name, or else the wildcard of the nearest domain above it
 * (RFC 4592 §3.3.1). Undefined for a host outside the service.
 *
 * @param host in lower case, without a final dot
 */
export async function domainAnswering(
  knex: Knex,
  host: string,
): Promise<AnsweringDomain | undefined> {
  const [, ...above] = namesAtOrAbove(host)
  const names = [host, ...above.flatMap((name) => [name, wildcardOf(name)])]
  const rows = await query<AnsweringRow>(knex, ANSWERING, [names], 'domain-answering')
  const found = new Map(rows.map((row) => [row.fqdn, row]))
  const exact = found.get(host)
  if (exact !== undefined) return answering(exact)
  const nearest = above.find((name) => found.has(name))
  const wildcard = nearest === undefined ? undefined : found.get(wildcardOf(nearest))
  return wildcard && answering(wildcard)
}
