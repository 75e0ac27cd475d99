/*
 * Servers whose workers answer over UDP, with real threads, real sockets, and zones in shared memory; and their
 * clients.
 */
import { randomInt } from 'node:crypto'
import { createSocket, type Socket } from 'node:dgram'
import { EventEmitter, once } from 'node:events'
import { afterEach } from 'vitest'
import { nameFromText, TYPE } from '../../src/names/index.ts'
import {
  createRateLimitTable,
  createResponder,
  type DatagramSettings,
  SharedCounters,
  startDnsServer,
  type UdpTransport,
  WorkerPool,
} from '../../src/server/index.ts'
import { ZoneTable } from '../../src/table/index.ts'
import { Zone, Zones } from '../../src/zone/index.ts'
import { read, type Read } from './ask.ts'
import { COMPILE_CACHE } from './compile-cache.ts'
import { SILENT_EVENTS } from './events.ts'
import { requestOctets } from './request-octets.ts'
import { plainSoa } from './zone-text.ts'

// Workers accept it from here.
process.env['NODE_COMPILE_CACHE'] ??= COMPILE_CACHE

const ORIGIN = nameFromText('home.test.')
const SOA = plainSoa(ORIGIN)
/** The input of workers with default settings. */
export const SETTINGS: DatagramSettings = { cookieSecrets: [], rateLimit: undefined }
const MORTAL = new URL('mortal-worker.ts', import.meta.url)
/** Longer than any test. */
export const NEVER_MS = 2 ** 31 - 1

function zoneIn(table: ZoneTable): Zone {
  const zone = new Zone(ORIGIN, { serial: 1n, feedId: 'feed', token: '1' }, SOA, table)
  publish(zone, 'alice', '192.0.2.1')
  return zone
}

/** Gives a name of the zone this address. */
export function publish(zone: Zone, name: string, address: string): void {
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

/** Queries the address of a name of the zone. */
export const question = (name: string, id = 1) => requestOctets(`${name}.home.test`, 'A', { id })

/** Sends a packet and parses the response. */
export async function ask(
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

/** The number of answers of each worker, from 0. */
export function answersOf(counters: SharedCounters, workers: number): number[] {
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

/** The servers that a test starts, which are closed after it. */
export class WorkerPools {
  readonly #open: { close(): unknown }[] = []

  /** A server whose workers answer for one zone, and which records deaths and faults. */
  async started(options: Started = {}) {
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
    this.#open.push(server)
    return { zone, pool, counters, told, server, port: server.port }
  }

  client(type: 'udp4' | 'udp6' = 'udp4'): Socket {
    const socket = createSocket(type)
    this.#open.push(socket)
    return socket
  }

  /** Repeats a query until there is an answer: queries to a thread that died are lost. */
  async askAgain(packet: Buffer, port: number): Promise<Read> {
    for (;;) {
      const socket = this.client()
      const again = setTimeout(() => socket.emit('message', undefined), 300)
      const arrived = once(socket, 'message') as Promise<[Buffer | undefined]>
      socket.send(packet, port, '127.0.0.1')
      const [octets] = await arrived
      clearTimeout(again)
      if (octets !== undefined) return read(octets)
    }
  }

  /** A port that is taken at `host` and free at 127.0.0.1; not one that Linux uses for outgoing connections. */
  async portTakenAt(host: string): Promise<number> {
    const port = randomInt(10_000, 32_000)
    const [own, other] = [await bound('127.0.0.1', port), await bound(host, port)]
    own?.close()
    if (other !== undefined) this.#open.push(other)
    return own !== undefined && other !== undefined ? port : this.portTakenAt(host)
  }

  async close(): Promise<void> {
    for (const one of this.#open.splice(0).toReversed()) await one.close()
  }
}

/** Pools for the tests of a file, each closed after its test. */
export function useWorkerPools(): WorkerPools {
  const pools = new WorkerPools()
  afterEach(() => pools.close())
  return pools
}
