/**
 * The authenticated list of an account's 100 domains, by session and by API key: requests per second, compared with a bare
 * Fastify route that serialises the same body; and the p99 latency at a steady rate while routers
 * update addresses.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { byBearerKey, bySession, byTokens, type Credentials } from './support/credentials.ts'
import { load } from './support/load.ts'
import { addressOf, insertAccount, insertDomains, insertNames } from './support/names.ts'
import { type Paced, paced } from './support/paced.ts'
import { atLeast, atMost, report } from './support/report.ts'
import { interleave, median } from './support/rounds.ts'
import { prepareService, quiet } from './support/service.ts'

const ROUNDS = 5
const SECONDS = 3
const NAMES = 100
const RATE = 200
/** The number of accounts that list their own domains at the same time. */
const ACCOUNTS = 50
/** Address updates per second during the steady load, and the number of domains of another account that they change. */
const STORM_RATE = 1_000
const STORM_NAMES = 2_000
const STEADY_SECONDS = 10
const STEADY_ROUNDS = 3

await using service = await prepareService()
const client = await service.connect()
const names = await insertNames(client, NAMES)
const callers = { session: await bySession(client, names), key: await byBearerKey(client, names) }
const place = { zoneId: names.zoneId, zone: 'storm.bench.test' }
const stormer = await insertAccount(client, 'stormer')
const stormy = await insertDomains(client, { ...place, userId: stormer }, STORM_NAMES)
const tokens = await byTokens(client, { ...names, ...stormy, userId: stormer })
const sessions: string[] = []
for (let n = 0; n < ACCOUNTS; n += 1) {
  const userId = await insertAccount(client, `lister${n}`)
  await insertDomains(client, { ...place, userId, zone: `l${n}.bench.test` }, NAMES)
  sessions.push((await bySession(client, { ...names, userId }))(0))
}
let asked = 0
const accounts: Credentials = () => sessions[(asked += 1) % ACCOUNTS] ?? ''
await client.query('analyze')
await service.startApi()

const bare = fork(new URL('support/bare-list.ts', import.meta.url))
service.defer(() => bare.disconnect())
const [{ url: bareUrl }] = (await once(bare, 'message')) as [{ url: string }]
const listed = await fetch(`${service.apiUrl}/api/domains`, {
  headers: { authorization: callers.session(0) },
})
const text = await listed.text()
const body = JSON.parse(text) as readonly object[]
if (body.length !== NAMES) throw new Error(`${body.length} names are listed: ${text.slice(0, 200)}`)
const told = once(bare, 'message')
bare.send(body)
await told
if ((await (await fetch(`${bareUrl}/api/domains`)).text()) !== text) {
  throw new Error('the two routes respond differently')
}

const listOf = (of: Credentials) => ({ path: '/api/domains', headers: { authorization: of(0) } })
async function perSecond(url: string, of: Credentials): Promise<number> {
  await quiet(service.apiUrl)
  const measured = await load({
    url,
    seconds: SECONDS,
    expected: /^200 \[\{"id":"\d+"/,
    next: () => listOf(of),
  })
  return measured.perSecond
}

const throughput = await interleave(ROUNDS, {
  bare: () => perSecond(bareUrl, callers.session),
  session: () => perSecond(service.apiUrl, callers.session),
  key: () => perSecond(service.apiUrl, callers.key),
  accounts: () => perSecond(service.apiUrl, accounts),
})

let round = 0
/** Changes addresses at a steady rate, each time to new ones. */
const storm = async () => {
  const first = (round += 1) * STEADY_SECONDS * STORM_RATE
  return paced({
    url: service.apiUrl,
    seconds: STEADY_SECONDS,
    rate: STORM_RATE,
    requests: Array.from({ length: STEADY_SECONDS * STORM_RATE }, (_, n) => ({
      path: `/nic/update?hostname=${stormy.fqdns[n % STORM_NAMES]}&myip=${addressOf(first + n)}`,
      headers: { authorization: tokens(n % STORM_NAMES), 'user-agent': 'bench/1' },
    })),
  })
}
const steady = async () =>
  paced({
    url: service.apiUrl,
    seconds: STEADY_SECONDS,
    rate: RATE,
    requests: [listOf(callers.session)],
  })
const lateness = await interleave<'alone' | 'beside', readonly Paced[]>(STEADY_ROUNDS, {
  async alone() {
    await quiet(service.apiUrl)
    return [await steady()]
  },
  async beside() {
    await quiet(service.apiUrl)
    return Promise.all([steady(), storm()])
  },
})
type Figure = 'p50Ms' | 'p99Ms' | 'servedPerSecond'
const middle = (loads: readonly (Paced | undefined)[], figure: Figure) =>
  median(loads.map((load) => load?.[figure] ?? Number.NaN))
const alone = lateness.alone.map(([list]) => list)
const beside = lateness.beside.map(([list]) => list)
const updates = lateness.beside.map(([, update]) => update)
const changed = await client.query(
  `select from domains where user_id = $1 and record_ipv4 <> '192.0.2.1'`,
  [stormer],
)
// Updates of domains that do not exist also get a 200.
if ((changed.rowCount ?? 0) === 0) throw new Error('the storm changed no address')

const bareRate = median(throughput.bare)
report(
  'api',
  [
    { what: 'bare Fastify route, the same body', value: bareRate, unit: 'requests/s' },
    {
      what: 'list of 100 domains by session',
      value: median(throughput.session),
      unit: 'requests/s',
    },
    { what: 'list of 100 domains by key', value: median(throughput.key), unit: 'requests/s' },
    {
      what: `lists of ${ACCOUNTS} accounts at the same time`,
      value: median(throughput.accounts),
      unit: 'requests/s',
    },
    {
      what: `the list at ${RATE} requests/s alone, p50`,
      value: middle(alone, 'p50Ms'),
      unit: 'ms',
    },
    {
      what: `the list at ${RATE} requests/s alone, p99`,
      value: middle(alone, 'p99Ms'),
      unit: 'ms',
    },
    { what: 'the same during the storm, p50', value: middle(beside, 'p50Ms'), unit: 'ms' },
    { what: 'the same during the storm, p99', value: middle(beside, 'p99Ms'), unit: 'ms' },
    {
      what: 'the storm: updates that were answered',
      value: middle(updates, 'servedPerSecond'),
      unit: 'updates/s',
    },
    { what: 'an update of the storm, p50', value: middle(updates, 'p50Ms'), unit: 'ms' },
    { what: 'an update of the storm, p99', value: middle(updates, 'p99Ms'), unit: 'ms' },
  ],
  [
    atLeast('list by session ÷ bare route', median(throughput.session) / bareRate, 0.6),
    atLeast('list by key ÷ bare route', median(throughput.key) / bareRate, 0.6),
    atMost(`p99 at ${RATE} requests/s during the storm, ms`, middle(beside, 'p99Ms'), 25),
  ],
)
