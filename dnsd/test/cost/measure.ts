/* Times one variant of answering over the stub kernel, in slices. */
import { MessageChannel } from 'node:worker_threads'
import { HotPath } from '../../src/hot-path/index.ts'
import { TYPE } from '../../src/names/index.ts'
import {
  createCountTable,
  createLiveMemory,
  LiveRing,
  QueryCounter,
} from '../../src/query-counts/index.ts'
import { AnsweringSocket } from '../../src/server/batch-listener.ts'
import { BatchSocket } from '../../src/server/batch-socket.ts'
import { type DatagramAnswerer, HotAnswerer } from '../../src/server/datagram-answerer.ts'
import { HotCookies } from '../../src/server/hot-cookies.ts'
import { createResponder, SharedCounters } from '../../src/server/index.ts'
import {
  createRateLimitTable,
  DEFAULT_RATE_LIMIT,
  RateLimiter,
} from '../../src/server/rate-limit.ts'
import { secondsNow } from '../../src/server/responder.ts'
import { TableReader, ZoneTable } from '../../src/table/index.ts'
import { answerCookie, COOKIE_BYTES, cookieSecrets } from '../../src/wire/index.ts'
import { Zones } from '../../src/zone/index.ts'
import { SILENT_EVENTS } from '../support/events.ts'
import { randomFrom } from '../support/random.ts'
import {
  ednsWith,
  type EdnsOptions,
  optionOctets,
  requestOctets,
} from '../support/request-octets.ts'
import { hostName, zoneOf } from './hosts.ts'
import { stubKernel } from './stub-kernel.ts'

/** From bare packets to everything that a worker does by default. */
export const WAYS = [
  'echo',
  'answer',
  'answer and counts',
  'and another is watched',
  'and rate limit',
  'with cookies',
] as const
export type Way = (typeof WAYS)[number]

export interface MeasureOptions {
  /** Number of names in the zone. */
  readonly names: number
  /** Number of client networks that ask in turn. */
  readonly networks: number
  readonly batch: number
  readonly slices: number
}

const QUESTIONS = 200_000
const SLICE_ANSWERS = 1_500
const WARM_SLICES = 60
const LOOPBACK = 0x7f000001
const COOKIE_OPTION = 10
const SECRET = Buffer.alloc(16, 7)

/**
 * 80 % addresses that exist, 10 % names that do not exist, 5 % names without the type, 5 % below a wildcard; all with
 * EDNS.
 */
function packetsOf(names: number, opt: EdnsOptions): Buffer[] {
  const random = randomFrom(0x9e3779b9)
  return Array.from({ length: QUESTIONS }, (_, n) => {
    const turn = n % 20
    const host = hostName(random(names))
    const made = random(1e9)
    const options = { id: n & 0xffff, edns: { payloadBytes: 4096, ...opt } }
    if (turn < 16) return requestOctets(host, TYPE.A, options)
    if (turn < 18) return requestOctets(`none${made}.bench.test.`, TYPE.A, options)
    if (turn < 19) return requestOctets(host, TYPE.AAAA, options)
    return requestOctets(`w${made}.wild.bench.test.`, TYPE.A, options)
  })
}

/** The cookie of a client that has asked before. */
function goodCookie(): EdnsOptions {
  const cookie = Buffer.alloc(COOKIE_BYTES)
  const address = Buffer.of(127, 0, 0, 1)
  answerCookie(Buffer.alloc(8, 1), address, cookieSecrets([SECRET]), secondsNow(), cookie)
  return ednsWith(optionOctets(COOKIE_OPTION, cookie))
}

const echo: DatagramAnswerer = {
  begin: () => undefined,
  end: () => undefined,
  answer(packet, packetBytes, _sender, out) {
    for (let at = 0; at < packetBytes; at++) out[at] = packet[at] ?? 0
    return packetBytes
  },
}

function answererOf(way: Way, names: number): DatagramAnswerer {
  if (way === 'echo') return echo
  const table = new ZoneTable({ expectedNames: names })
  const zones = new Zones(table)
  zones.set(zoneOf(names, table))
  // Like a worker: through handles, with epochs.
  const reader = new TableReader(table.handles, { worker: 0, port: new MessageChannel().port2 })
  const hot = new HotPath(reader)
  // All steps of rate limiting, with no client over the limit.
  const settings = { ...DEFAULT_RATE_LIMIT, responsesPerSecond: 1_000_000 }
  return new HotAnswerer({
    reader,
    hot,
    counters: new SharedCounters(1).row(0),
    respond: createResponder(zones, SILENT_EVENTS),
    failed(error) {
      throw error
    },
    queries: way === 'answer' ? undefined : counterOf(way, reader, hot),
    cookies: new HotCookies([SECRET], secondsNow),
    limiter:
      way === 'and rate limit' || way === 'with cookies'
        ? new RateLimiter(createRateLimitTable(), settings)
        : undefined,
  })
}

function counterOf(way: Way, reader: TableReader, hot: HotPath): QueryCounter {
  const table = createCountTable('udp')
  const live = new LiveRing(createLiveMemory())
  if (way === 'and another is watched') live.watch(['watched.bench.test'], table, reader)
  return new QueryCounter({ table, reader, hot, seed: 7, live })
}

/** One address in each of so many networks. */
function clientsOf(networks: number): Int32Array {
  return Int32Array.from({ length: networks }, (_, index) => LOOPBACK + (index << 8))
}

/** @returns nanoseconds per answer, of each slice, the fastest first */
export function measure(way: Way, { names, networks, batch, slices }: MeasureOptions): number[] {
  const opt = way === 'with cookies' ? goodCookie() : {}
  const kernel = stubKernel(packetsOf(names, opt), clientsOf(networks), batch)
  const descriptor = { fd: 0, family: 4, port: 0 } as const
  const socket = new AnsweringSocket(
    descriptor,
    { answerer: answererOf(way, names), events: SILENT_EVENTS, took: () => undefined },
    new BatchSocket(descriptor, kernel),
  )
  const taken: number[] = []
  for (let slice = -WARM_SLICES; slice < slices; slice++) {
    const before = kernel.sent
    const begun = performance.now()
    while (kernel.sent - before < SLICE_ANSWERS) socket.turn(true)
    const tookMs = performance.now() - begun
    if (slice >= 0) taken.push((tookMs * 1e6) / (kernel.sent - before))
  }
  return taken.sort((a, b) => a - b)
}
