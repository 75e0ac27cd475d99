/* Worker threads that answer over UDP: real threads, real sockets, zones in shared memory. */
import { randomInt } from 'node:crypto'
import { createSocket, type Socket } from 'node:dgram'
import { EventEmitter, once } from 'node:events'
import { BroadcastChannel } from 'node:worker_threads'
import { afterEach, describe, expect, it } from 'vitest'
import { nameFromText, TYPE } from '../../src/names/index.ts'
import {
  createRateLimitTable,
  type DatagramSettings,
  SharedCounters,
  startDnsServer,
  createResponder,
  type UdpTransport,
  WorkerPool,
} from '../../src/server/index.ts'
import { DEFAULT_RATE_LIMIT } from '../../src/server/rate-limit.ts'
import { ZoneTable } from '../../src/table/index.ts'
import { Zone, Zones } from '../../src/zone/index.ts'
import { read, type Read } from '../support/ask.ts'
import { COMPILE_CACHE } from '../support/compile-cache.ts'
import { SILENT_EVENTS } from '../support/events.ts'
import { DEATH_ORDERS, type DeathOrder } from '../support/mortal-worker.ts'
import { requestOctets } from '../support/request-octets.ts'
import { plainSoa } from '../support/zone-text.ts'

// Workers take it from here.
process.env['NODE_COMPILE_CACHE'] ??= COMPILE_CACHE

const ORIGIN = nameFromText('home.test.')
const SOA = plainSoa(ORIGIN)
const SETTINGS: DatagramSettings = { cookieSecrets: [], rateLimit: undefined }
const MORTAL = new URL('../support/mortal-worker.ts', import.meta.url)

const NEVER_MS = 2 ** 31 - 1
/** Others are not looked at, as a machine with more to do may let them hang for a while. */
const watchMsFor = (by: DeathOrder['by']) => (by === 'hanging' ? 50 : NEVER_MS)

const open: { close(): unknown }[] = []
afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close()
})

function zoneIn(table: ZoneTable): Zone {
  const zone = new Zone(ORIGIN, { serial: 1n, feedId: 'feed', token: '1' }, SOA, table)
  publish(zone, 'alice', '192.0.2.1')
  return zone
}

function publish(zone: Zone, name: string, address: string): void {
  const rdata = [Buffer.from(address.split('.').map(Number))]
  const rrsets = [{ type: TYPE.A, ttlSeconds: 60, rdata }]
  const serial = zone.version.serial + 1n
  const owner = nameFromText(name, ORIGIN)
  zone.apply([{ owner, rrsets }], { serial, feedId: 'feed', token: String(serial) })
}

interface Started {
  readonly settings?: DatagramSettings
  readonly workers?: number
  readonly hosts?: readonly string[]
  readonly port?: number
  readonly transport?: UdpTransport
  readonly watchMs?: number
}

/** A server whose workers answer for one zone, in which they hear of deaths and faults. */
async function started(options: Started = {}) {
  const { settings = SETTINGS, workers = 2, hosts, port = 0, transport = 'dgram' } = options
  const { watchMs = NEVER_MS } = options
  const zones = new Zones(new ZoneTable())
  const zone = zoneIn(zones.table)
  zones.set(zone)
  const counters = new SharedCounters(workers)
  const told = new EventEmitter<{
    death: [number, Error | undefined]
    fallback: [number]
    fault: [unknown]
  }>()
  const pool = new WorkerPool({
    workers,
    table: zones.table,
    counters,
    firstRow: 0,
    rateLimitTable: createRateLimitTable(),
    settings,
    events: {
      workerDied: (worker, why) => told.emit('death', worker, why),
      workerFellBack: (worker) => told.emit('fallback', worker),
      workerFault: (error) => told.emit('fault', error),
    },
    program: MORTAL,
    watchMs,
    transport,
  })
  const server = await startDnsServer({
    hosts: hosts ?? ['127.0.0.1'],
    port,
    respond: createResponder(zones, SILENT_EVENTS),
    events: SILENT_EVENTS,
    datagrams: pool,
  })
  open.push(server)
  return { zone, pool, counters, told, server, port: server.port }
}

function client(type: 'udp4' | 'udp6' = 'udp4'): Socket {
  const socket = createSocket(type)
  open.push(socket)
  return socket
}

const question = (name: string, id = 1) => requestOctets(`${name}.home.test`, 'A', { id })

async function ask(
  socket: Socket,
  packet: Buffer,
  port: number,
  host = '127.0.0.1',
): Promise<Read> {
  const arrived = once(socket, 'message')
  socket.send(packet, port, host)
  const [octets] = (await arrived) as [Buffer]
  return read(octets)
}

/** Asks until there is an answer: what was on its way to a thread that died is lost. */
async function askAgain(packet: Buffer, port: number): Promise<Read> {
  for (;;) {
    const socket = client()
    const again = setTimeout(() => socket.emit('message', undefined), 300)
    const arrived = once(socket, 'message') as Promise<[Buffer | undefined]>
    socket.send(packet, port, '127.0.0.1')
    const [octets] = await arrived
    clearTimeout(again)
    if (octets !== undefined) return read(octets)
  }
}

/** Asks until both of two workers have answered something, each in its row. */
async function bothAnswer(port: number, counters: SharedCounters): Promise<void> {
  const before = answersOf(counters, 2)
  for (;;) {
    const now = answersOf(counters, 2)
    if (now.every((count, row) => count > (before[row] ?? 0))) return
    expect((await askAgain(question('alice'), port)).rcode).toBe('NOERROR')
  }
}

/** Answers of each worker, from 0. */
function answersOf(counters: SharedCounters, workers: number): number[] {
  return Array.from({ length: workers }, (_, row) => {
    const own = counters.only(row)
    return [...own.answers()].reduce((sum, { count }) => sum + count, 0)
  })
}

async function bound(host: string, port: number): Promise<Socket | undefined> {
  const socket = createSocket('udp4')
  const isBound = once(socket, 'listening').then(
    () => true,
    () => false,
  )
  socket.bind(port, host)
  if (await isBound) return socket
  socket.close()
  return undefined
}

/** A port that somebody has at `host` and nobody at 127.0.0.1; not one that Linux gives to outgoing connections. */
async function portTakenAt(host: string): Promise<number> {
  const port = randomInt(10_000, 32_000)
  const [own, other] = [await bound('127.0.0.1', port), await bound(host, port)]
  own?.close()
  if (other !== undefined) open.push(other)
  return own !== undefined && other !== undefined ? port : portTakenAt(host)
}

describe.each<UdpTransport>(['dgram', 'batch'])('WorkerPool through %s', (transport) => {
  it('answers on all workers what the main thread publishes', async () => {
    const { zone, port, counters } = await started({ transport })
    const ids = Array.from({ length: 64 }, (_, index) => index)
    // Each client has a port of its own, by which the kernel chooses a worker.
    const answers = await Promise.all(ids.map((id) => ask(client(), question('alice', id), port)))
    expect(answers.map(({ id }) => id)).toEqual(ids)
    expect(answers.every(({ answer }) => answer[0] === 'alice.home.test 60 A 192.0.2.1')).toBe(true)
    const [first = 0, second = 0] = answersOf(counters, 2)
    expect([first + second, counters.hot, first > 0, second > 0]).toEqual([64, 64, true, true])
    publish(zone, 'alice', '192.0.2.2')
    publish(zone, 'bob', '192.0.2.3')
    const later = await Promise.all(ids.map((id) => ask(client(), question('alice', id), port)))
    expect(later.every(({ answer }) => answer[0] === 'alice.home.test 60 A 192.0.2.2')).toBe(true)
    expect((await ask(client(), question('bob'), port)).answer).toHaveLength(1)
    expect(counters.latency.counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0)
  })

  it('sees names for which the table had to grow', async () => {
    const { zone, port } = await started({ transport })
    const names = Array.from({ length: 30_000 }, (_, index) => `name-${index}`)
    for (const name of names) publish(zone, name, '192.0.2.9')
    for (const name of [names.at(0), names.at(-1)]) {
      expect((await ask(client(), question(name ?? ''), port)).rcode).toBe('NOERROR')
    }
    expect((await ask(client(), question('name-30000'), port)).rcode).toBe('NXDOMAIN')
  })

  it('leaves to the pipeline what the hot path does not take', async () => {
    const { port, counters } = await started({ transport })
    const answer = await ask(client(), requestOctets('home.test', 'SOA', {}), port)
    expect([answer.answer.length, counters.hot]).toEqual([1, 0])
    expect(answersOf(counters, 2).reduce((sum, count) => sum + count)).toBe(1)
  })

  it('takes all addresses, or none', async () => {
    const { port } = await started({ transport, hosts: ['127.0.0.1', '::1'] })
    expect((await ask(client('udp6'), question('alice', 7), port, '::1')).id).toBe(7)
    expect((await ask(client(), question('alice', 8), port)).id).toBe(8)
    const taken = await portTakenAt('127.0.0.2')
    const both = started({ transport, hosts: ['127.0.0.1', '127.0.0.2'], port: taken })
    await expect(both).rejects.toMatchObject({
      code: 'EADDRINUSE',
      message: expect.stringContaining(`127.0.0.2:${taken}`),
    })
    const free = await started({ transport, hosts: ['127.0.0.1'], port: taken })
    expect((await ask(client(), question('alice', 9), free.port)).id).toBe(9)
  })

  it('answers what was received before it closes', async () => {
    const { port, server, counters } = await started({ transport })
    const socket = client()
    const ids = Array.from({ length: 200 }, (_, index) => index)
    const answered = new Set<number>()
    const all = new Promise<void>((resolve) => {
      socket.on('message', (octets) => {
        answered.add(octets.readUInt16BE(0))
        if (answered.size === ids.length) resolve()
      })
    })
    const sent = ids.map(
      async (id) =>
        new Promise((resolve) => socket.send(question('alice', id), port, '127.0.0.1', resolve)),
    )
    await Promise.all(sent)
    await server.close()
    await all
    expect(counters.hot).toBe(ids.length)
  })
})

describe('a worker that dies', () => {
  const orders = new BroadcastChannel(DEATH_ORDERS)
  const order = (one: DeathOrder) => orders.postMessage(one)

  it.each([
    ['throwing', /told to die/],
    ['exiting', /^$/],
    ['allocating', /memory limit/],
    ['hanging', /hung/],
  ] as const)('by %s is told of and replaced, and the others answer', async (by, why) => {
    const { port, told, counters } = await started({ watchMs: watchMsFor(by) })
    const died = once(told, 'death')
    order({ worker: 1, by })
    const [worker, error] = (await died) as [number, Error | undefined]
    expect([worker, error?.message ?? '']).toEqual([1, expect.stringMatching(why)])
    await bothAnswer(port, counters)
  })
})

describe('a worker that dies in batches', () => {
  const orders = new BroadcastChannel(DEATH_ORDERS)

  it.each(['throwing', 'exiting', 'allocating', 'hanging'] as const)(
    'by %s is replaced by one without batches, and leaves no socket that nobody reads',
    async (by) => {
      const { port, told, counters } = await started({
        transport: 'batch',
        watchMs: watchMsFor(by),
      })
      const fell = once(told, 'fallback')
      orders.postMessage({ worker: 1, by } satisfies DeathOrder)
      expect(await fell).toEqual([1])
      await bothAnswer(port, counters)
      // A socket left behind would be given some of these clients, and never answer them.
      const ids = Array.from({ length: 64 }, (_, index) => index)
      const answers = await Promise.all(ids.map((id) => ask(client(), question('alice', id), port)))
      expect(answers.map(({ id }) => id)).toEqual(ids)
      // It dies once more, now of something else: there is nothing left to fall back from.
      const again: number[] = []
      told.on('fallback', (worker) => again.push(worker))
      const died = once(told, 'death')
      orders.postMessage({ worker: 1, by } satisfies DeathOrder)
      await died
      expect((await askAgain(question('alice'), port)).rcode).toBe('NOERROR')
      expect(again).toEqual([])
    },
  )
})

describe.each<UdpTransport>(['dgram', 'batch'])('settings of workers through %s', (transport) => {
  const chaos = requestOctets('id.server', 'TXT', { qclass: 3 })

  it('may change while they answer', async () => {
    const { port, pool } = await started({ transport, workers: 1 })
    expect((await ask(client(), chaos, port)).rcode).toBe('REFUSED')
    pool.configure({ ...SETTINGS, identity: 'one' })
    for (let rcode = 'REFUSED'; rcode !== 'NOERROR';)
      rcode = (await ask(client(), chaos, port)).rcode
    pool.configure({ ...SETTINGS, identity: 'two' })
    for (let text = ''; !text.includes('two');) {
      text = (await ask(client(), chaos, port)).answer[0] ?? ''
    }
  })

  it('limit the hot path too', async () => {
    const rateLimit = { ...DEFAULT_RATE_LIMIT, responsesPerSecond: 1, slip: 1 }
    const { port, counters } = await started({
      transport,
      workers: 1,
      settings: { ...SETTINGS, rateLimit },
    })
    const socket = client()
    const flags: string[] = []
    for (let id = 1; id <= 5; id++)
      flags.push((await ask(socket, question('alice', id), port)).flags)
    expect(flags[0]).toBe('qr aa')
    expect(flags.at(-1)).toBe('qr tc')
    expect(counters.hot).toBe(5)
    expect(counters.truncated('udp')).toBeGreaterThan(0)
  })
})

describe('a fault while answering', () => {
  it('is SERVFAIL, counted each time, and told once', async () => {
    const { zone, port, told, counters } = await started({ workers: 1 })
    const faults: unknown[] = []
    told.on('fault', (error) => faults.push(error))
    const broken = { type: TYPE.MX, ttlSeconds: 60, rdata: [Buffer.from([1])] }
    const owner = nameFromText('broken.home.test.')
    zone.apply([{ owner, rrsets: [broken] }], { serial: 99n, feedId: 'feed', token: '99' })
    const packet = requestOctets('broken.home.test', 'MX', {})
    for (let turn = 0; turn < 3; turn++) {
      expect((await ask(client(), packet, port)).rcode).toBe('SERVFAIL')
    }
    expect(counters.dropped('fault')).toBe(3)
    expect(faults).toHaveLength(1)
  })
})
