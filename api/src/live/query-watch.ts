/*
 * Live queries for the streams of this process.
 *
 * While a stream watches, the names of its account are in `live_watches` for some seconds at a time, and DNS daemons write
 * the queries for these names to `live_queries`. They are read once a second, after the last transaction that was seen.
 */
import { randomUUID } from 'node:crypto'
import { LIVE_QUERIES_LIMIT } from '@homing/openapi/vocabulary'
import type { Knex } from 'knex'
import { query } from '../database/sql.ts'
import { closestDomains } from '../models/closest-domains.ts'
import { sampleOf } from '../rules/live-sample.ts'
import type { Events, LiveEvent } from './open-stream.ts'

const RENEW_EVERY_MS = 2_000
/** If this process ends without a word, daemons stop to write after this time. */
const WATCH_SECONDS = 10
const READ_EVERY_MS = 1_000
/** A read that comes late may send more: as much as two reads. */
const LATE_FACTOR = 2
/** More rows than daemons write in the time of a late read. */
const ROWS_LIMIT = 5_000

const ALLOWED = `
  select u.id::text from users u join plans p on p.account_type = u.account_type
  where u.id = any (?::bigint[]) and 'analytics' = any (p.abilities) order by u.id`

// Names below a domain are watched with it, also its wildcard. In the order of the key, as for all statements for many rows.
const WATCH = `
  insert into live_watches (watcher, name, until)
  select ?, fqdn, now() + interval '${WATCH_SECONDS} s' from domains
  where user_id = any (?::bigint[]) and not is_wildcard order by fqdn
  on conflict (watcher, name) do update set until = excluded.until`

const UNWATCH = 'delete from live_watches where watcher = ?'

// Rows of all transactions that have begun are earlier ones. An old transaction can hold back the minimum for long.
const POSITION = 'select pg_snapshot_xmax(pg_current_snapshot())::text as position'

// Transactions that are not over are read next time. The bound is that of the same snapshot.
const READ = `
  with bound as materialized (select pg_snapshot_xmin(pg_current_snapshot()) as position)
  select bound.position::text, q.at, q.zone, q.name, q.qname, q.type, q.rcode, q.transport, q.network::text, q.sample
  from bound left join lateral (
    select * from live_queries
    where written_by >= ?::xid8 and written_by < bound.position order by at desc limit ${ROWS_LIMIT}
  ) as q on true`

type LiveQuery = Events['query']

/** A row, or only the position when there are none. */
type ReadRow = { readonly position: string } & (
  | ({ readonly at: Date; readonly zone: string; readonly name: string } & Omit<
      LiveQuery,
      'at' | 'domain_id'
    >)
  | { readonly at: null }
)
type FoundRow = Extract<ReadRow, { readonly zone: string }>

/** The later one of two positions. */
const later = (position: string, bound = position): string =>
  BigInt(bound) > BigInt(position) ? bound : position

export class QueryWatch {
  readonly #knex: Knex
  readonly #watcher = randomUUID()
  #position: string | undefined
  #renewedAt = -Infinity
  #readAt = -Infinity
  /** The accounts that were last asked for, and those of them whose plan has DNS analytics. */
  #asked = ''
  #allowedIds: readonly string[] = []

  constructor(knex: Knex) {
    this.#knex = knex
  }

  /**
   * Watches for these accounts, as far as their plans have DNS analytics, and reads the new queries for them. Without accounts,
   * nothing is watched.
   *
   * @returns the events by account; empty until the next read is due
   * @throws the error of PostgreSQL
   */
  async next(accountIds: readonly string[]): Promise<ReadonlyMap<string, LiveEvent[]>> {
    const now = performance.now()
    await this.#watch(accountIds, now)
    const passedMs = now - this.#readAt
    if (this.#allowedIds.length === 0 || passedMs < READ_EVERY_MS) return new Map()
    this.#readAt = now
    return this.#eventsOf(await this.#read(), passedMs)
  }

  /** Watches nothing more. @throws the error of PostgreSQL */
  async end(): Promise<void> {
    await this.#watch([], performance.now())
  }

  async #watch(accountIds: readonly string[], now: number): Promise<void> {
    const asked = accountIds.toSorted().join(',')
    const isSame = asked === this.#asked
    if (isSame && (asked === '' || now - this.#renewedAt < RENEW_EVERY_MS)) return
    const allowed = await query<{ id: string }>(this.#knex, ALLOWED, [accountIds])
    const ids = allowed.map(({ id }) => id)
    // Earlier rows are not live.
    if (this.#allowedIds.length === 0) this.#position = await this.#present()
    await this.#knex.transaction(async (trx) => {
      if (ids.join() !== this.#allowedIds.join()) await query(trx, UNWATCH, [this.#watcher])
      if (ids.length > 0) await query(trx, WATCH, [this.#watcher, ids])
    })
    this.#allowedIds = ids
    this.#asked = asked
    this.#renewedAt = now
  }

  async #present(): Promise<string | undefined> {
    const [row] = await query<{ position: string }>(this.#knex, POSITION)
    return row?.position
  }

  async #read(): Promise<FoundRow[]> {
    if (this.#position === undefined) return []
    const rows = await query<ReadRow>(this.#knex, READ, [this.#position])
    this.#position = later(this.#position, rows[0]?.position)
    return rows.filter((row) => row.at !== null)
  }

  /** The rows of each account's own domains. Names below a domain can belong to another account. */
  async #eventsOf(rows: readonly FoundRow[], passedMs: number): Promise<Map<string, LiveEvent[]>> {
    if (rows.length === 0) return new Map()
    const byAccount = new Map<string, LiveQuery[]>(this.#allowedIds.map((id) => [id, []]))
    const domainOf = await closestDomains(this.#knex, rows)
    // The oldest first.
    for (const { zone, name, position: _position, at, ...shown } of rows.toReversed()) {
      const domain = domainOf({ zone, name })
      if (domain === undefined) continue
      byAccount.get(domain.userId)?.push({ ...shown, at: at.toISOString(), domain_id: domain.id })
    }
    const limit = LIVE_QUERIES_LIMIT * Math.min(Math.max(1, passedMs / 1_000), LATE_FACTOR)
    return new Map(
      [...byAccount].map(([id, queries]) => [
        id,
        sampleOf(queries, Math.floor(limit)).map((each) => ['query', each] as const),
      ]),
    )
  }
}
