/** Moves domains between `domains` and `deleted_domains`, with what belongs to them. */
import type { Knex } from 'knex'
import { KEPT_FORWARD } from '../../feed/kept-forward.ts'
import { KEPT_MONITOR, monitorsOf } from '../../feed/kept-monitor.ts'
import { KEPT_RECORDS } from '../../feed/kept-records.ts'
import { qualified, query } from '../../database/sql.ts'
import type { KeptForward, KeptRecord } from '../../models/deleted-domain.ts'

/** The columns that both tables have. */
const SHARED = `id, user_id, zone_id, base_id, fqdn, rrtype, record_ipv4, record_ipv6, paused, note, tags, version,
  last_update_at, last_update_client, allowance_full_at, created_at, created_cc`

const TOKEN = ['prefix', 'digest', 'created_at', 'last_used_at', 'last_used_ip', 'last_client']
  .map((name) => `token_${name}`)
  .join(', ')
const TOKEN_COLUMNS =
  'prefix, secret_digest, created_at, last_used_at, last_used_ip, last_client' as const

const KEEP = `
  insert into deleted_domains (${SHARED}, ${TOKEN}, records, forward, monitor)
  select ${qualified(SHARED, 'd')}, ${qualified(TOKEN_COLUMNS, 't')}, ${KEPT_RECORDS}, ${KEPT_FORWARD}, ${KEPT_MONITOR}
  from domains d left join update_tokens t on t.domain_id = d.id
  where d.id = any (?::bigint[]) and (d.base_id is null or d.base_id = any (?::bigint[])) order by d.id`

/** Keeps domains that are about to be deleted, with their wildcards. A wildcard that is deleted alone is not kept: creating it again restores it. */
export async function keepDeleted(trx: Knex.Transaction, ids: readonly string[]): Promise<void> {
  await query(trx, KEEP, [ids, ids])
}

// In the order of ids: a base comes before its wildcard.
const BRING_BACK = `
  with back as (
    delete from deleted_domains where id = ? or base_id = ? returning *
  ), forgotten as (
    delete from former_domains f using back b where f.domain_id = b.id
  ), made as (
    insert into domains (${SHARED}, is_wildcard, ttl) overriding system value
    select ${SHARED.replace('version', 'version + 1')}, base_id is not null, ?::int from back order by id
    returning id
  ), token as (
    insert into update_tokens (domain_id, ${TOKEN_COLUMNS})
    select id, ${TOKEN} from back where token_digest is not null
  ), ${monitorsOf('back')}
  select made.id, back.records, back.forward from made join back on back.id = made.id order by made.id`

/** What came back. */
export interface BroughtBack {
  /** Of the domain and its wildcard, the base first. */
  readonly ids: readonly string[]
  /** The records of the domain, which the caller restores. */
  readonly records: readonly KeptRecord[]
  /** Its web forward, which the caller restores, too. Null: it had none. */
  readonly forward: KeptForward | null
}

interface BackRow {
  readonly id: string
  readonly records: readonly KeptRecord[] | null
  readonly forward: KeptForward | null
}

/**
 * Makes a deleted domain and its wildcard domains again. The worker starts its monitor.
 *
 * @param ttl in seconds
 */
export async function bringBack(
  trx: Knex.Transaction,
  id: string,
  ttl: number,
): Promise<BroughtBack> {
  const rows = await query<BackRow>(trx, BRING_BACK, [id, id, ttl])
  return {
    ids: rows.map((row) => row.id),
    records: rows.flatMap(({ records }) => records ?? []),
    forward: rows.find(({ forward }) => forward !== null)?.forward ?? null,
  }
}
