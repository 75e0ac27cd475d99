/*
 * Maintenance of the tables that only grow.
 *
 * All are partitioned by time (`partition-schedules.ts`), and expired rows are removed as whole partitions: dropping one unlinks
 * a file, whereas deleting millions of rows would rewrite each of them and leave the table to be vacuumed under
 * the load that made it grow.
 *
 * Maintenance creates partitions ahead of time. If it does not run for a while, rows go to the default
 * partition: nothing fails, and the next run skips the time of those rows, because no partition can be attached
 * for it, and continues after it. The default partition is truncated when all its rows have expired.
 *
 * New partitions are created beside the table and attached, so writers can continue. A statement that needs an
 * exclusive lock (a drop, a truncation, the scan of the default partition) waits only briefly for it, because
 * all writers would queue behind it; if it does not get the lock, the step is retried.
 */
import type { Knex } from 'knex'
import { setTimeout as delay } from 'node:timers/promises'
import { DatabaseError } from 'pg'
import { query } from '../database/sql.ts'
import { type Schedule, schedulesOf } from './partition-schedules.ts'

/** Number of complete partitions ahead of now. */
const AHEAD = 2
const LOCK_WAIT_MS = 150
const LOCK_ATTEMPTS = 20
const LOCK_PAUSE_MS = 50
/** SQLSTATE: lock not available. */
const LOCK_NOT_AVAILABLE = '55P03'
/** SQLSTATE: check violation; on attach, the default partition has rows of that time. */
const CHECK_VIOLATION = '23514'

interface Partition {
  readonly name: string
  readonly fromMs: number
  readonly toMs: number
}

export interface Upkeep {
  readonly created: readonly string[]
  readonly dropped: readonly string[]
  /** Default partitions whose rows had all expired. */
  readonly truncated: readonly string[]
}

export interface UpkeepOptions {
  /** CHANGE_RETENTION. */
  readonly retentionMs: number
  /** The current time, in ms since 1970; PostgreSQL's clock when omitted. */
  readonly nowMs?: number
}

const literal = (timeMs: number) => `'${new Date(timeMs).toISOString()}'`

/**
 * `zone_changes_20261121t103000000`: the name contains the lower bound, for readers of a list of
 * tables.
 */
function partitionName(table: string, fromMs: number): string {
  return `${table}_${new Date(fromMs)
    .toISOString()
    .replaceAll(/[-:.Z]/g, '')
    .toLowerCase()}`
}

async function partitionsOf(knex: Knex, table: string): Promise<Partition[]> {
  const rows = await query<{ name: string; from_ms: string; to_ms: string }>(
    knex,
    `select quote_ident(name) as name, extract(epoch from bounds[1]::timestamptz) * 1000 as from_ms,
            extract(epoch from bounds[2]::timestamptz) * 1000 as to_ms
     from (
       select c.relname as name,
              regexp_match(pg_get_expr(c.relpartbound, c.oid), 'FROM \\(''(.*)''\\) TO \\(''(.*)''\\)') as bounds
       from pg_inherits i join pg_class c on c.oid = i.inhrelid
       where i.inhparent = to_regclass(?)
     ) as parts
     where bounds is not null
     order by from_ms`,
    [table],
  )
  return rows.map((row) => ({
    name: row.name,
    fromMs: Number(row.from_ms),
    toMs: Number(row.to_ms),
  }))
}

/**
 * Runs a step that needs an exclusive lock, in its own transaction; retries when the lock is not
 * available immediately.
 *
 * @throws the lock's error after `LOCK_ATTEMPTS` attempts
 */
async function underShortLock<T>(
  knex: Knex,
  step: (trx: Knex.Transaction) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await knex.transaction(async (trx) => {
        await query(trx, `set local lock_timeout = ${LOCK_WAIT_MS}`)
        return step(trx)
      })
    } catch (error) {
      const isBusy = error instanceof DatabaseError && error.code === LOCK_NOT_AVAILABLE
      if (!isBusy || attempt === LOCK_ATTEMPTS) throw error
      await delay(LOCK_PAUSE_MS)
    }
  }
}

/** The time of the newest row in the default partition; undefined when it is empty. */
async function newestStray(knex: Knex, { table, column }: Schedule): Promise<number | undefined> {
  const [row] = await query<{ newest: string | null }>(
    knex,
    `select extract(epoch from max(${column})) * 1000 as newest from ${table}_default`,
  )
  return row?.newest === null || row === undefined ? undefined : Number(row.newest)
}

/** Whether the default partition has rows of this time. */
async function hasStrays(
  knex: Knex,
  { table, column }: Schedule,
  fromMs: number,
  toMs: number,
): Promise<boolean> {
  const rows = await query(
    knex,
    `select from ${table}_default where ${column} >= ${literal(fromMs)} and ${column} < ${literal(toMs)} limit 1`,
  )
  return rows.length > 0
}

async function attach(knex: Knex, table: string, fromMs: number, toMs: number): Promise<string> {
  const name = partitionName(table, fromMs)
  await underShortLock(knex, async (trx) => {
    // Without the identity of its column: the parent assigns the numbers.
    await query(trx, `create table ${name} (like ${table} including all excluding identity)`)
    await query(
      trx,
      `alter table ${table} attach partition ${name} for values from (${literal(fromMs)}) to (${literal(toMs)})`,
    )
  })
  return name
}

/** A new partition for this time; undefined when the default partition already has rows of it, which stay there. */
async function attachWhereFree(
  knex: Knex,
  schedule: Schedule,
  fromMs: number,
  toMs: number,
): Promise<string | undefined> {
  // Checked first, because the attachment scans the default partition under an exclusive lock.
  if (await hasStrays(knex, schedule, fromMs, toMs)) return undefined
  try {
    return await attach(knex, schedule.table, fromMs, toMs)
  } catch (error) {
    // A row was inserted in between.
    if (error instanceof DatabaseError && error.code === CHECK_VIOLATION) return undefined
    throw error
  }
}

async function createAhead(knex: Knex, schedule: Schedule, nowMs: number): Promise<string[]> {
  const existing = await partitionsOf(knex, schedule.table)
  let fromMs = Math.max(existing.at(-1)?.toMs ?? 0, schedule.boundaryAt(nowMs))
  const created: string[] = []
  let enough = schedule.boundaryAfter(nowMs)
  for (let n = 0; n < AHEAD; n += 1) enough = schedule.boundaryAfter(enough)
  while (fromMs < enough) {
    const toMs = schedule.boundaryAfter(fromMs)
    const name = await attachWhereFree(knex, schedule, fromMs, toMs)
    if (name !== undefined) created.push(name)
    fromMs = toMs
  }
  return created
}

async function dropPast(knex: Knex, schedule: Schedule, nowMs: number): Promise<string[]> {
  const past = (await partitionsOf(knex, schedule.table)).filter(
    ({ toMs }) => toMs <= nowMs - schedule.retentionMs,
  )
  for (const { name } of past) {
    await underShortLock(knex, (trx) => query(trx, `drop table ${name}`))
  }
  return past.map(({ name }) => name)
}

async function truncatePast(knex: Knex, schedule: Schedule, nowMs: number): Promise<string[]> {
  const isPast = async (executor: Knex) => {
    const newestMs = await newestStray(executor, schedule)
    return newestMs !== undefined && newestMs < nowMs - schedule.retentionMs
  }
  if (!(await isPast(knex))) return []
  const name = `${schedule.table}_default`
  return underShortLock(knex, async (trx) => {
    await query(trx, `lock table ${name} in access exclusive mode`)
    // A row may have been inserted before the lock was acquired.
    if (!(await isPast(trx))) return []
    await query(trx, `truncate ${name}`)
    return [name]
  })
}

async function clockOf(knex: Knex): Promise<number> {
  const [row] = await query<{ now_ms: string }>(
    knex,
    `select extract(epoch from clock_timestamp()) * 1000 as now_ms`,
  )
  return Number(row?.now_ms)
}

/** Any number that no other lock uses: one process at a time maintains the partitions. */
const UPKEEP_LOCK = 7_204_612

/**
 * Creates the next partitions and drops expired ones. Must be called several times within a twelfth
 * of the retention. Many processes can call it at once: one works and the others return
 * immediately. It takes two connections of the pool.
 *
 * @throws DatabaseError when a lock was unavailable after all retries; the next call continues
 */
export async function keepPartitions(knex: Knex, options: UpkeepOptions): Promise<Upkeep> {
  const upkeep = { created: [] as string[], dropped: [] as string[], truncated: [] as string[] }
  await knex.transaction(async (gate) => {
    const [lock] = await query<{ ours: boolean }>(
      gate,
      `select pg_try_advisory_xact_lock(?) as ours`,
      [UPKEEP_LOCK],
    )
    if (lock?.ours !== true) return
    // This transaction only holds the lock while the steps run on other connections.
    await query(gate, 'set local idle_in_transaction_session_timeout = 0')
    const nowMs = options.nowMs ?? (await clockOf(knex))
    for (const schedule of schedulesOf(options.retentionMs)) {
      upkeep.created.push(...(await createAhead(knex, schedule, nowMs)))
      upkeep.dropped.push(...(await dropPast(knex, schedule, nowMs)))
      upkeep.truncated.push(...(await truncatePast(knex, schedule, nowMs)))
    }
  })
  return upkeep
}
