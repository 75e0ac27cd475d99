/** Monitors of domains, results of their checks, and what is stored about them. */
import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import { query } from '../../src/database/sql.ts'
import { claimDue } from '../../src/monitoring/store/claim-due.ts'
import type { CheckResult, Recorder, Transition } from '../../src/monitoring/store/check-result.ts'
import { recordResults as recordClaimed } from '../../src/monitoring/store/record-results.ts'
import { settleMonitors } from '../../src/monitoring/store/run-monitors.ts'
import { insertDomain } from './feed-world.ts'

export interface TestMonitor {
  readonly id: string
  readonly domainId: string
  readonly fqdn: string
}

let made = 0

/** A domain with a monitor of kind https that runs. `settings` are columns of `monitors`. */
export async function makeMonitor(
  knex: Knex,
  userId: string,
  settings: Readonly<Record<string, string | number | boolean | null>> = {},
): Promise<TestMonitor> {
  made += 1
  const fqdn = `m${made}.homing.test`
  const domain = await insertDomain(knex, { userId, fqdn, ipv4: '192.0.2.7' })
  const row = {
    domain_id: domain.id,
    user_id: userId,
    kind: 'https',
    interval_seconds: 60,
    state: 'off',
    ...settings,
  }
  const columns = Object.keys(row)
  const [monitor] = await query<{ id: string }>(
    knex,
    `insert into monitors (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')}) returning id`,
    Object.values(row),
  )
  if (monitor === undefined) throw new Error('no monitor was made')
  await knex.transaction((trx) => settleMonitors(trx, { domainIds: [domain.id] }))
  return { id: monitor.id, domainId: domain.id, fqdn }
}

/** A worker that claims only once. */
export interface TestRecorder extends Recorder {
  readonly lease: string
}

export type TestResult = Omit<CheckResult, 'lease'>

export const newRecorder = (worker = 'worker-1', intervalSeconds?: number): TestRecorder => ({
  worker,
  lease: randomUUID(),
  intervalSeconds,
})

/** Claims everything that is due for this recorder. */
export const claimAll = (knex: Knex, { lease }: TestRecorder) =>
  claimDue(knex, { lease, limit: 10_000, leaseMs: 30_000 })

/** The result of a check that began and ended now. */
export const resultOf = (
  monitorId: string,
  outcome: CheckResult['outcome'],
  more: Partial<TestResult> = {},
): TestResult => ({
  monitorId,
  outcome,
  ageMs: 0,
  kind: 'https',
  address: '192.0.2.7',
  latencyMs: 20,
  status: outcome === 'up' ? 200 : null,
  cause: outcome === 'down' ? 'timeout' : null,
  causeText: outcome === 'down' ? 'The server did not answer within 10 s.' : null,
  ...more,
})

/** Records results of checks that this recorder claimed. */
export const recordResults = (knex: Knex, recorder: TestRecorder, results: readonly TestResult[]) =>
  recordClaimed(
    knex,
    recorder,
    results.map((result) => ({ ...result, lease: recorder.lease })),
  )

/** Checks a monitor now, even if it is not due, and records this result. */
export async function checkOnce(
  knex: Knex,
  recorder: TestRecorder,
  monitorId: string,
  outcome: CheckResult['outcome'],
  more: Partial<TestResult> = {},
): Promise<Transition[]> {
  await query(
    knex,
    `update monitor_schedule set due_at = least(due_at, now() - interval '1 ms') where due_at is not null and monitor_id = ?`,
    [monitorId],
  )
  await claimAll(knex, recorder)
  return recordResults(knex, recorder, [resultOf(monitorId, outcome, more)])
}

/** Moves everything that is stored about a monitor into the past, as if this much time went by. */
export async function letTimePass(knex: Knex, monitorId: string, ms: number): Promise<void> {
  const by = `interval '${ms} milliseconds'`
  await query(
    knex,
    `update monitor_schedule set due_at = due_at - ${by}, expected_by = expected_by - ${by}, streak_since = streak_since - ${by},
       last_check_at = last_check_at - ${by}, started_at = started_at - ${by} where monitor_id = ?`,
    [monitorId],
  )
  await query(
    knex,
    `update monitor_intervals set since = since - ${by}, until = until - ${by}, found_at = found_at - ${by}
     where monitor_id = ?`,
    [monitorId],
  )
  await query(knex, `update monitors set state_since = state_since - ${by} where id = ?`, [
    monitorId,
  ])
}

export interface StoredInterval {
  readonly id: string
  readonly state: string
  readonly since: Date
  readonly until: Date | null
  readonly cause: string | null
}

/** The intervals of a monitor, the oldest first. */
export const intervalsOf = (knex: Knex, monitorId: string): Promise<StoredInterval[]> =>
  query(
    knex,
    'select id, state, since, until, cause from monitor_intervals where monitor_id = ? order by since, id',
    [monitorId],
  )

/** The messages that wait, the oldest first. */
export async function announcedOf(knex: Knex, monitorId: string): Promise<string[]> {
  const rows = await query<{ message: string }>(
    knex,
    'select message from monitor_notifications where monitor_id = ? order by id',
    [monitorId],
  )
  return rows.map(({ message }) => message)
}
