/**
 * The cost of 500 open event streams on one api: throughput of unchanged updates, lists and changed updates with and without
 * them, in turn; CPU time of the idle streams, and memory. The changed updates are of domains whose owners follow, so every
 * one of them is sent.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { bySession, byTokens, type Credentials } from './support/credentials.ts'
import { load } from './support/load.ts'
import { addressOf, insertAccount, insertDomains, insertNames } from './support/names.ts'
import { processMs } from './support/process-time.ts'
import { atLeast, report } from './support/report.ts'
import { interleave, median } from './support/rounds.ts'
import { prepareService, quiet, until } from './support/service.ts'

const ROUNDS = 5
const SECONDS = 3
/** An account has at most ten streams. */
const ACCOUNTS = 50
const STREAMS_EACH = 10
const STREAMS = ACCOUNTS * STREAMS_EACH
const NAMES = 100
const IDLE_SECONDS = 10

await using service = await prepareService()
const client = await service.connect()
const names = await insertNames(client, NAMES)
const listing = await bySession(client, names)
const authorizations: string[] = []
const followed: { fqdn: string; authorization: string }[] = []
for (let n = 0; n < ACCOUNTS; n += 1) {
  const userId = await insertAccount(client, `follower${n}`)
  const owner = { ...names, userId }
  const domains = await insertDomains(client, { ...owner, zone: `f${n}.bench.test` }, NAMES)
  const tokens = await byTokens(client, { ...owner, ...domains })
  followed.push(...domains.fqdns.map((fqdn, at) => ({ fqdn, authorization: tokens(at) })))
  const session = (await bySession(client, owner))(0)
  authorizations.push(...Array.from({ length: STREAMS_EACH }, () => session))
}
const own = await byTokens(client, names)
await client.query('analyze')
const api = await service.startApi()
const apiPid = api.pid ?? 0

const readers = fork(new URL('support/stream-readers.ts', import.meta.url))
service.defer(() => readers.connected && readers.disconnect())
readers.once('exit', (code) => {
  if (code !== 0) throw new Error('the streams could not be opened')
})

async function streams(): Promise<number> {
  const text = await (await fetch(`${service.apiUrl}/metrics`)).text()
  return Number(/^homing_api_streams (\d+)$/m.exec(text)?.[1])
}

/** Measures while all streams are open. */
async function beside<Figure>(measure: () => Promise<Figure>): Promise<[Figure, number]> {
  const opened = once(readers, 'message')
  readers.send({ url: `${service.apiUrl}/api/stream`, authorizations })
  await opened
  if ((await streams()) !== STREAMS) throw new Error('not all streams are open')
  const figure = await measure()
  if ((await streams()) !== STREAMS) throw new Error('streams have ended')
  const closed = once(readers, 'message')
  readers.send({ close: true })
  const [{ events }] = (await closed) as [{ events: number }]
  await until('the end of all streams', async () => (await streams()) === 0)
  return [figure, events]
}

async function perSecond(
  expected: RegExp,
  next: () => { path: string; headers: Record<string, string> },
): Promise<number> {
  await quiet(service.apiUrl)
  return (await load({ url: service.apiUrl, seconds: SECONDS, expected, next })).perSecond
}

const updateOf = (fqdn: string, address: string, authorization: string) => ({
  path: `/nic/update?hostname=${fqdn}&myip=${address}`,
  headers: { authorization, 'user-agent': 'bench/1' },
})
let asked = 0
const nochg = (of: Credentials) =>
  perSecond(/^200 nochg/, () => {
    const n = (asked += 1) % NAMES
    return updateOf(names.fqdns[n] ?? '', '192.0.2.1', of(n))
  })
const list = () =>
  perSecond(/^200 \[\{"id":"\d+"/, () => ({
    path: '/api/domains',
    headers: { authorization: listing(0) },
  }))
let updates = 0
const changed = () =>
  perSecond(/^200 good/, () => {
    const n = (updates += 1)
    const { fqdn = '', authorization = '' } = followed[n % followed.length] ?? {}
    return updateOf(fqdn, addressOf(n), authorization)
  })

/** CPU time of the api per second while nothing happens, in milliseconds. */
async function idle(): Promise<number> {
  await quiet(service.apiUrl)
  await delay(1_000)
  const before = processMs(apiPid)
  await delay(IDLE_SECONDS * 1_000)
  return (processMs(apiPid) - before) / IDLE_SECONDS
}

async function memoryMiB(): Promise<number> {
  const text = await (await fetch(`${service.apiUrl}/metrics`)).text()
  return Number(/^process_resident_memory_bytes (\d+)/m.exec(text)?.[1]) / 2 ** 20
}

/** Before anything else, so that the heap has not grown yet. */
const emptyMiB = await memoryMiB()
const [openMiB] = await beside(async () => {
  await delay(2_000)
  return memoryMiB()
})
const idleAlone = await idle()
const [idleBeside] = await beside(idle)

let sent = 0
const counted = async (measure: () => Promise<number>) => {
  const [figure, events] = await beside(measure)
  sent = Math.max(sent, events)
  return figure
}
const rates = await interleave(ROUNDS, {
  nochg: () => nochg(own),
  nochgBeside: () => counted(() => nochg(own)),
  list,
  listBeside: () => counted(list),
  changed,
  changedBeside: () => counted(changed),
})

const of = (name: keyof typeof rates) => median(rates[name])
report(
  'streams',
  [
    { what: 'nochg without streams', value: of('nochg'), unit: 'requests/s' },
    { what: `nochg beside ${STREAMS} streams`, value: of('nochgBeside'), unit: 'requests/s' },
    { what: 'list without streams', value: of('list'), unit: 'requests/s' },
    { what: `list beside ${STREAMS} streams`, value: of('listBeside'), unit: 'requests/s' },
    { what: 'changed without streams', value: of('changed'), unit: 'updates/s' },
    { what: `changed beside ${STREAMS} streams`, value: of('changedBeside'), unit: 'updates/s' },
    { what: `the most events in one of these loads of ${SECONDS} s`, value: sent, unit: 'events' },
    { what: 'CPU of an idle api', value: idleAlone, unit: 'ms/s' },
    { what: `CPU of an idle api with ${STREAMS} streams`, value: idleBeside, unit: 'ms/s' },
    { what: 'memory after the start', value: emptyMiB, unit: 'MiB' },
    { what: `memory with ${STREAMS} streams`, value: openMiB, unit: 'MiB' },
  ],
  [
    atLeast('nochg beside streams ÷ without', of('nochgBeside') / of('nochg'), 0.9),
    atLeast('list beside streams ÷ without', of('listBeside') / of('list'), 0.9),
    atLeast('changed beside streams ÷ without', of('changedBeside') / of('changed'), 0.9),
  ],
)
