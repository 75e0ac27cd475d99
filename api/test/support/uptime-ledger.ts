/** Random states of monitors, and the time in each of them computed the slow way: from every state. */
import type { Knex } from 'knex'
import { query } from '../../src/database/sql.ts'
import { writeMoves } from '../../src/monitoring/store/interval-rows.ts'
import type { CheckCounts } from '../../src/monitoring/store/check-counts.ts'
import { type IntervalState, NO_TIME, type StateSums } from '../../src/rules/uptime.ts'

const STATES: readonly IntervalState[] = ['up', 'down', 'unknown', 'maintenance', 'off']
const DAY = 86_400_000

export interface Ledger {
  readonly monitorId: string
  /** The oldest first; each state lasts until the next one begins. */
  readonly states: readonly { readonly state: IntervalState; readonly since: number }[]
}

/** Random states of the last days, of a millisecond to a day each. */
export function randomLedger(monitorId: string, days: number, seed: number): Ledger {
  const states: { state: IntervalState; since: number }[] = []
  const now = Date.now()
  let since = now - Math.floor(days * DAY * (1 - Math.random() / 4))
  let last: IntervalState = 'off'
  while (since < now) {
    const state = STATES.filter((each) => each !== last)[Math.floor(Math.random() * 4)] ?? 'up'
    states.push({ state, since })
    last = state
    since += 1 + Math.floor(Math.random() ** (3 + seed) * DAY)
  }
  return { monitorId, states }
}

/** Stores the states as the intervals of their monitors. */
export async function storeLedger(knex: Knex, ledgers: readonly Ledger[]): Promise<void> {
  await query(knex, 'delete from monitor_intervals where monitor_id = any (?::bigint[])', [
    ledgers.map(({ monitorId }) => monitorId),
  ])
  await knex.transaction((trx) =>
    writeMoves(
      trx,
      ledgers.map(({ monitorId, states }) => ({
        monitor_id: monitorId,
        present: null,
        moves: states.map((each) => ({ ...each, cause: null, causeText: null })),
      })),
      null,
    ),
  )
}

/** The time in each state between two moments, in milliseconds. */
export function ledgerSums({ states }: Ledger, from: number, to: number): StateSums {
  const sums = { ...NO_TIME }
  states.forEach(({ state, since }, n) => {
    const until = states[n + 1]?.since ?? to
    const ms = Math.max(0, Math.min(until, to) - Math.max(since, from))
    if (state !== 'off') sums[`${state}Ms`] += ms
  })
  return sums
}

/** Stores counts of five minutes. */
export async function checkLedger(
  knex: Knex,
  monitorId: string,
  counts: readonly (CheckCounts & { readonly at: number })[],
): Promise<void> {
  for (const { at, checks, failures, latencySumMs } of counts) {
    await query(
      knex,
      'insert into monitor_counts (monitor_id, starts_at, checks, failures, latency_sum_ms) values (?, ?, ?, ?, ?)',
      [monitorId, new Date(at), checks, failures, latencySumMs],
    )
  }
}
