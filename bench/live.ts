/**
 * How soon an open dashboard hears of a call: from sending the router's request until its event arrives on the event stream of
 * the owner, for an update and for a call with a wrong password. With one open stream, and beside 500 others.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { bySession, byTokens } from './support/credentials.ts'
import { keepAliveClient } from './support/keep-alive.ts'
import { addressOf, insertAccount, insertNames } from './support/names.ts'
import { atMost, report } from './support/report.ts'
import { median, percentile } from './support/rounds.ts'
import { prepareService } from './support/service.ts'
import { openStreamEvents } from './support/stream-events.ts'

const SAMPLES = Number(process.argv[2] ?? 60)
const ACCOUNTS = 50
const STREAMS_EACH = 10
const STREAMS = ACCOUNTS * STREAMS_EACH
/** Calls come at any time of the service's timers. */
const APART_MS = 700
const LIMIT_MS = 1_000

await using service = await prepareService()
const client = await service.connect()
const names = await insertNames(client, 2)
const owner = (await bySession(client, names))(0)
const right = (await byTokens(client, names))(0)
const wrong = `Basic ${Buffer.from('any:a wrong password').toString('base64')}`
const others: string[] = []
for (let n = 0; n < ACCOUNTS; n += 1) {
  const userId = await insertAccount(client, `follower${n}`)
  const session = (await bySession(client, { ...names, userId }))(0)
  others.push(...Array.from({ length: STREAMS_EACH }, () => session))
}
await client.query('analyze')
await service.startApi()
const url = `${service.apiUrl}/api/stream`
const stream = await openStreamEvents(url, owner)
service.defer(() => stream.close())
const updating = keepAliveClient(service.apiUrl, { authorization: right })
const guessing = keepAliveClient(service.apiUrl, { authorization: wrong })
service.defer(() => updating.close())
service.defer(() => guessing.close())

let sent = 0
const path = (address: string) => `/nic/update?hostname=${names.fqdns[0]}&myip=${address}`

/** Milliseconds until the event of an update. */
async function update(): Promise<number> {
  const address = addressOf((sent += 1))
  const seen = stream.next(({ name, data }) => name === 'domain' && data['record_ipv4'] === address)
  const begun = performance.now()
  const [at, answer] = await Promise.all([seen, updating.get(path(address))])
  if (!answer.startsWith('good')) throw new Error(`an update was answered ${answer}`)
  return at - begun
}

/** Milliseconds until the event of a call with a wrong password. */
async function refusal(): Promise<number> {
  const seen = stream.next(
    ({ name, data }) => name === 'update-call' && data['is_refused'] === true,
  )
  const begun = performance.now()
  const [at, answer] = await Promise.all([seen, guessing.get(path(addressOf((sent += 1))))])
  if (!answer.startsWith('badauth')) throw new Error(`a wrong password was answered ${answer}`)
  return at - begun
}

async function samples(call: () => Promise<number>): Promise<number[]> {
  const taken: number[] = []
  for (let n = 0; n < SAMPLES; n += 1) {
    await delay(Math.random() * APART_MS)
    taken.push(await call())
  }
  return taken
}

const alone = { updates: await samples(update), refusals: await samples(refusal) }
const readers = fork(new URL('support/stream-readers.ts', import.meta.url))
service.defer(() => readers.connected && readers.disconnect())
const opened = once(readers, 'message')
readers.send({ url, authorizations: others })
await opened
const beside = { updates: await samples(update), refusals: await samples(refusal) }

const rows = (what: string, taken: readonly number[]) => [
  { what: `${what}, median`, value: median(taken), unit: 'ms' },
  { what: `${what}, p95`, value: percentile(taken, 0.95), unit: 'ms' },
]
report(
  'live',
  [
    ...rows('update sent → event, 1 stream', alone.updates),
    ...rows(`update sent → event, ${STREAMS + 1} streams`, beside.updates),
    ...rows('wrong password sent → event, 1 stream', alone.refusals),
    ...rows(`wrong password sent → event, ${STREAMS + 1} streams`, beside.refusals),
  ],
  [
    atMost('update, p95 in ms', percentile(beside.updates, 0.95), LIMIT_MS),
    atMost('wrong password, p95 in ms', percentile(beside.refusals, 0.95), LIMIT_MS),
  ],
)
