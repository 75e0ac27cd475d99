/** The monitors of an account together. */
import type { Knex } from 'knex'
import { query } from '../../database/sql.ts'
import { type StateSums, uptimeOf } from '../../rules/uptime.ts'
import { sumsAt } from './state-sums.ts'

const HOUR_MS = 3_600_000
const HOURS = 24
const DAY_MS = HOURS * HOUR_MS

export interface MonitorSummary {
  /** The percentages of the last 24 hours, 7 and 30 days; null without data. */
  readonly uptime24h: number | null
  readonly uptime7d: number | null
  readonly uptime30d: number | null
  /** The percentage of each of the last 24 hours, the oldest first. */
  readonly uptimeByHour: readonly (number | null)[]
  /** Monitors that are turned on. */
  readonly monitored: number
  readonly up: number
  readonly down: number
}

// Monitors that were turned off count with the time in which they ran.
const SUMS = `
  with moments as materialized (
    select date_trunc('milliseconds', now()) - make_interval(secs => ms / 1000) as at, n
    from unnest(?::double precision[]) with ordinality as given(ms, n)
  )
  select moment.n::int as n, sum(sums.up_ms)::double precision as "upMs", sum(sums.down_ms)::double precision as "downMs"
  from monitors m
  ${sumsAt('m.id', 'moments')}
  where m.user_id = ? and (?::bigint[] is null or m.domain_id = any (?::bigint[]))
  group by moment.n`

const COUNTS = `
  select count(*) filter (where is_enabled)::int as monitored,
         count(*) filter (where state = 'up')::int as up, count(*) filter (where state = 'down')::int as down
  from monitors where user_id = ? and (?::bigint[] is null or domain_id = any (?::bigint[]))`

/** Lengths of time until now: the longer ones, and the ends of the last hours, the last of which is now. */
const SPANS_MS = [
  7 * DAY_MS,
  30 * DAY_MS,
  ...Array.from({ length: HOURS + 1 }, (_, n) => DAY_MS - n * HOUR_MS),
]

type UpAndDown = Pick<StateSums, 'upMs' | 'downMs'>

/**
 * The summary of an account: up and down time of all its monitors together.
 *
 * @param domainIds only the monitors of these domains; null: of all
 */
export async function summary(
  knex: Knex,
  userId: string,
  domainIds: readonly string[] | null = null,
): Promise<MonitorSummary> {
  const [rows, [counts]] = await Promise.all([
    query<UpAndDown & { readonly n: number }>(knex, SUMS, [SPANS_MS, userId, domainIds, domainIds]),
    query<Pick<MonitorSummary, 'monitored' | 'up' | 'down'>>(knex, COUNTS, [
      userId,
      domainIds,
      domainIds,
    ]),
  ])
  const bySpan = new Map(rows.map(({ n, ...sums }) => [SPANS_MS[n - 1], sums]))
  const uptimeBetween = (beginMs: number, endMs: number) => {
    const [before, after] = [bySpan.get(beginMs), bySpan.get(endMs)]
    if (before === undefined || after === undefined) return null
    return uptimeOf({ upMs: after.upMs - before.upMs, downMs: after.downMs - before.downMs })
  }
  const { monitored = 0, up = 0, down = 0 } = counts ?? {}
  return {
    uptime24h: uptimeBetween(DAY_MS, 0),
    uptime7d: uptimeBetween(7 * DAY_MS, 0),
    uptime30d: uptimeBetween(30 * DAY_MS, 0),
    uptimeByHour: Array.from({ length: HOURS }, (_, n) =>
      uptimeBetween(DAY_MS - n * HOUR_MS, DAY_MS - (n + 1) * HOUR_MS),
    ),
    monitored,
    up,
    down,
  }
}
