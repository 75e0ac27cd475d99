/**
 * The effect of one abusive caller on others, and of overload on the service: the slowest calls of honest accounts while one
 * caller is far over its limit; and throughput and latency at three times the capacity.
 */
import { bySession } from './support/credentials.ts'
import { insertAccount, insertDomains, insertNames } from './support/names.ts'
import { load } from './support/load.ts'
import { paced } from './support/paced.ts'
import { atLeast, atMost, report } from './support/report.ts'
import { interleave, median } from './support/rounds.ts'
import { freePort, prepareService, quiet, until } from './support/service.ts'

const ROUNDS = 3
const SECONDS = 5
const NAMES = 100
/** The number of honest accounts, and their total calls per second, which stay below each account's limit. */
const ACCOUNTS = 20
const HONEST_RATE = 100
/** Calls per second of the caller that is over its limit of 20. */
const FLOOD_RATE = 1_000
const OVERLOAD = 3

await using service = await prepareService()
const client = await service.connect()
const names = await insertNames(client, NAMES)
const flooder = (await bySession(client, names))(0)
const honest: string[] = []
for (let n = 0; n < ACCOUNTS; n += 1) {
  const userId = await insertAccount(client, `honest${n}`)
  const place = { userId, zoneId: names.zoneId, zone: `h${n}.bench.test` }
  await insertDomains(client, place, NAMES)
  honest.push((await bySession(client, { ...names, userId }))(0))
}
await client.query('analyze')
const limitedPort = await freePort()
const limitedUrl = `http://127.0.0.1:${limitedPort}`
service.start('api/src/server.ts', { RATE_LIMITS: 'on', PORT: String(limitedPort) })
service.start('api/src/server.ts')
for (const url of [service.apiUrl, limitedUrl]) {
  await until('the api', async () => (await fetch(`${url}/api/health`)).ok)
}

let asked = 0
const listOf = (authorization: string) => ({ path: '/api/domains', headers: { authorization } })
const anybody = () => listOf(honest[(asked += 1) % ACCOUNTS] ?? '')

const lists = honest.map(listOf)
const honestly = async () =>
  paced({ url: limitedUrl, seconds: SECONDS, rate: HONEST_RATE, requests: lists, refusal: 503 })
const flood = async () =>
  paced({
    url: limitedUrl,
    seconds: SECONDS,
    connections: 20,
    rate: FLOOD_RATE,
    requests: [listOf(flooder)],
    refusal: 429,
  })
const waits = await interleave(ROUNDS, {
  alone: async () => (await honestly()).p99Ms,
  beside: async () => (await Promise.all([honestly(), flood()]))[0].p99Ms,
})

/** The capacity in calls per second, when each caller waits for a response before its next call. */
async function capacity(): Promise<number> {
  await quiet(service.apiUrl)
  const expected = /^200 \[/
  const measured = await load({ url: service.apiUrl, seconds: SECONDS, expected, next: anybody })
  return measured.perSecond
}
await capacity()
const before = await capacity()
await quiet(service.apiUrl)
const over = await paced({
  url: service.apiUrl,
  seconds: SECONDS * 2,
  connections: 600,
  rate: Math.ceil(before * OVERLOAD),
  requests: lists,
  refusal: 503,
})
const after = await capacity()

const [alone, beside] = [median(waits.alone), median(waits.beside)]
report(
  'overload',
  [
    { what: `honest calls at ${HONEST_RATE}/s alone, p99`, value: alone, unit: 'ms' },
    { what: `the same during ${FLOOD_RATE} calls/s over a limit, p99`, value: beside, unit: 'ms' },
    { what: 'served without overload (capacity)', value: before, unit: 'calls/s' },
    {
      what: 'served at three times the capacity',
      value: over.servedPerSecond,
      unit: 'calls/s',
    },
    { what: 'refused at once during the overload', value: over.refusedPerSecond, unit: 'calls/s' },
    { what: 'without a response', value: over.failed, unit: 'calls' },
    { what: 'served during the overload, p50', value: over.p50Ms, unit: 'ms' },
    { what: 'served during the overload, p99', value: over.p99Ms, unit: 'ms' },
    { what: 'served right afterwards', value: after, unit: 'calls/s' },
  ],
  [
    atMost('honest p99 during the flood ÷ alone', beside / alone, 2),
    atLeast('served at three times the capacity ÷ capacity', over.servedPerSecond / before, 0.7),
    atMost('p99 of served calls during the overload, ms', over.p99Ms, 1_000),
    atLeast('served right afterwards ÷ before', after / before, 0.9),
  ],
)
