/**
 * The summary of DNS analytics and a series of a week by network, over HTTP: beside the queries of the same domains only,
 * and beside those of a hundred times as many.
 */
import { bySession } from './support/credentials.ts'
import { insertNames } from './support/names.ts'
import { atMost, report } from './support/report.ts'
import { interleave, median } from './support/rounds.ts'
import { prepareService, quiet } from './support/service.ts'

const ROUNDS = 5
const SECONDS = 2
const DOMAINS = 2
const TIMES = 100
const RATIO_LIMIT = 1.3
const WEEK_MS = 7 * 86_400_000

/** How many parts each table keeps. */
const TABLES = [
  ['queries_5m', 300, 576],
  ['queries_1h', 3_600, 840],
  ['queries_1d', 86_400, 400],
] as const

await using service = await prepareService()
const client = await service.connect()
const names = await insertNames(client, DOMAINS)
const authorization = (await bySession(client, names))(0)

/** Fills each part that is kept, with some values of each dimension. */
async function insertQueries(domainIds: readonly string[]): Promise<void> {
  for (const [table, seconds, parts] of TABLES) {
    await client.query(
      `insert into ${table} (at, domain_id, dimension, value, queries)
       select date_bin(make_interval(secs => $2), now(), '2000-01-01Z') - n * make_interval(secs => $2), d, v.dimension, v.value, 10
       from generate_series(0, $3 - 1) n, unnest($1::bigint[]) d,
            (values ('total', ''), ('country', 'AT'), ('country', 'DE'), ('country', 'US'), ('network', '64496'),
                    ('network', '64497'), ('network', '64498'), ('type', 'A'), ('type', 'AAAA')) as v(dimension, value)`,
      [domainIds, seconds, parts],
    )
    await client.query(`vacuum analyze ${table}`)
  }
}

/** The median time of a call, one at a time: the screens ask once, and many at a time would be refused as overload. */
async function millisecondsOf(path: string): Promise<number> {
  await quiet(service.apiUrl)
  const times: number[] = []
  const end = performance.now() + SECONDS * 1_000
  while (performance.now() < end) {
    const begin = performance.now()
    const response = await fetch(`${service.apiUrl}${path}`, { headers: { authorization } })
    const text = await response.text()
    if (response.status !== 200) throw new Error(`${response.status} ${text}`)
    times.push(performance.now() - begin)
  }
  return median(times)
}

const week = new URLSearchParams({
  from: new Date(Date.now() - WEEK_MS).toISOString(),
  resolution: '1h',
  dimension: 'network',
}).toString()

async function measure(): Promise<{ summary: number; series: number }> {
  const costs = await interleave(ROUNDS, {
    summary: () => millisecondsOf('/api/dns-stats/summary'),
    series: () => millisecondsOf(`/api/dns-stats/series?${week}`),
  })
  return { summary: median(costs.summary), series: median(costs.series) }
}

await insertQueries(names.domainIds)
await service.startApi()
const few = await measure()
// Totals have no foreign key, so the other domains need no rows.
const others = Array.from({ length: DOMAINS * (TIMES - 1) }, (_, n) => String(1_000_000 + n))
await insertQueries(others)
const many = await measure()
// Requests that are under way when the api stops would be logged as failures.
await quiet(service.apiUrl)

report(
  'analytics',
  [
    { what: `summary of ${DOMAINS} domains`, value: few.summary, unit: 'ms' },
    { what: `the same beside ${TIMES} times the queries`, value: many.summary, unit: 'ms' },
    { what: `series of ${DOMAINS} domains`, value: few.series, unit: 'ms' },
    { what: `the same beside ${TIMES} times the queries`, value: many.series, unit: 'ms' },
  ],
  [
    atMost(`summary ÷ with few queries`, many.summary / few.summary, RATIO_LIMIT),
    atMost(`series ÷ with few queries`, many.series / few.series, RATIO_LIMIT),
  ],
)
