/**
 * The delay between a change of a web forward and the forwarder: from the call of the API until the forwarder answers
 * with the new status, compared with the time from a bare commit with NOTIFY until another process that LISTENs wakes up.
 */
import { openBareWakeUps } from './support/bare-wake-ups.ts'
import { bySession } from './support/credentials.ts'
import { keepAliveClient } from './support/keep-alive.ts'
import { insertNames } from './support/names.ts'
import { atMost, report } from './support/report.ts'
import { interleave, median, percentile } from './support/rounds.ts'
import { freePort, prepareService, until } from './support/service.ts'

const ROUNDS = 5
const CHANGES_A_ROUND = 200
const NAMES = 1_000

await using service = await prepareService()
const client = await service.connect()
const names = await insertNames(client, NAMES)
await client.query("insert into forward_addresses values ('127.0.0.1')")
const { rows: forwards } = await client.query<{ id: string; fqdn: string }>(
  `with made as (
     insert into web_forwards (domain_id, user_id, target_url, forwarding_type)
     select id, user_id, 'https://target.example/', 'redirect' from domains order by id
     returning id, domain_id
   ), turned as (
     update domains set is_forwarded = true from made where domains.id = made.domain_id
     returning made.id, fqdn
   ) select id, fqdn from turned`,
)
await client.query('select publish_forwards($1)', [names.fqdns])
await client.query('analyze')
const port = await freePort()
service.start('api/src/forwarder.ts', {
  FORWARD_PORT: String(port),
  FORWARDER_DATABASE_URL: service.postgres.url,
})
await service.startApi()
const bareWakeUps = await openBareWakeUps(service, client)

const owner = keepAliveClient(service.apiUrl, {
  authorization: (await bySession(client, names))(0),
  'content-type': 'application/json',
})
const visitor = keepAliveClient(`http://127.0.0.1:${port}`, {})
service.defer(() => [owner, visitor].forEach((each) => each.close()))

const statusOf = async (host: string) =>
  (await visitor.send({ path: '/', headers: { host } })).status
await until('the forwarder', async () => (await statusOf(forwards[0]?.fqdn ?? '')) === 301)

/** Milliseconds from sending a change until its response and until the forwarder answers with it, and between these two. */
interface Followed {
  readonly savedMs: number[]
  readonly visibleMs: number[]
  readonly betweenMs: number[]
}

let changes = 0
/** Changes one forward after another; visits begin after the response, so that they take no CPU time from the change. */
async function followed(): Promise<Followed> {
  const taken: Followed = { savedMs: [], visibleMs: [], betweenMs: [] }
  for (let i = 0; i < CHANGES_A_ROUND; i += 1) {
    const { id, fqdn } = forwards[changes % NAMES] ?? { id: '', fqdn: '' }
    const status_code = Math.floor(changes / NAMES) % 2 === 0 ? 302 : 301
    changes += 1
    const sent = performance.now()
    const body = JSON.stringify({ status_code })
    const saved = await owner.send({ method: 'PUT', path: `/api/webforward/${id}`, body })
    const savedMs = performance.now() - sent
    if (saved.status !== 200) throw new Error(`a change was answered ${saved.status} ${saved.body}`)
    while ((await statusOf(fqdn)) !== status_code);
    const visibleMs = performance.now() - sent
    taken.savedMs.push(savedMs)
    taken.visibleMs.push(visibleMs)
    taken.betweenMs.push(visibleMs - savedMs)
  }
  return taken
}

const rounds = await interleave(ROUNDS, {
  bare: async () => ({
    savedMs: [],
    visibleMs: await bareWakeUps(CHANGES_A_ROUND),
    betweenMs: [],
  }),
  followed,
})
const middle = (samples: readonly (readonly number[])[], p: number) =>
  median(samples.map((round) => percentile(round, p)))
const bareMs = rounds.bare.map(({ visibleMs }) => visibleMs)
const savedMs = rounds.followed.map((round) => round.savedMs)
const visibleMs = rounds.followed.map((round) => round.visibleMs)
const betweenMs = rounds.followed.map((round) => round.betweenMs)
const bareP99 = middle(bareMs, 0.99)
const visibleP99 = middle(visibleMs, 0.99)
report(
  'forward-follow',
  [
    { what: 'bare commit → LISTEN wake-up, p50', value: middle(bareMs, 0.5), unit: 'ms' },
    { what: 'bare commit → LISTEN wake-up, p99', value: bareP99, unit: 'ms' },
    { what: 'change sent → saved, p50', value: middle(savedMs, 0.5), unit: 'ms' },
    { what: 'change sent → saved, p99', value: middle(savedMs, 0.99), unit: 'ms' },
    { what: 'saved → forwarder answers it, p50', value: middle(betweenMs, 0.5), unit: 'ms' },
    { what: 'saved → forwarder answers it, p99', value: middle(betweenMs, 0.99), unit: 'ms' },
    { what: 'change sent → forwarder answers it, p50', value: middle(visibleMs, 0.5), unit: 'ms' },
    { what: 'change sent → forwarder answers it, p99', value: visibleP99, unit: 'ms' },
  ],
  [atMost('p99 − bare wake-up p99, ms', visibleP99 - bareP99, 10)],
)
