/*
 * A UDP worker thread. It has its own socket for each address and shares the address with the other
 * workers through SO_REUSEPORT. It uses `node:dgram` or batches. It answers from the table that the
 * main thread writes and holds no zone data.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { HotPath } from './hot-path/index.ts'
import { LiveRing, QueryCounter } from './query-counts/index.ts'
import { listenInBatches } from './server/batch-listener.ts'
import { HotAnswerer, type DatagramAnswerer } from './server/datagram-answerer.ts'
import { HotCookies } from './server/hot-cookies.ts'
import type { ServerEvents } from './server/events.ts'
import { RateLimiter } from './server/rate-limit.ts'
import { createResponder, secondsNow } from './server/responder.ts'
import { type CounterRow, SharedCounters } from './server/shared-counters.ts'
import { listenUdp } from './server/udp.ts'
import type {
  DatagramSettings,
  FromWorker,
  ListenOrder,
  ToWorker,
  UdpWorkerInput,
} from './server/worker-messages.ts'
import { TableReader } from './table/index.ts'
import { TransferAccess } from './transfer/access.ts'
import { createSignedResponder } from './transfer/signed-responder.ts'
import { SharedZones } from './zone/index.ts'

// A packet that causes a fault can be sent repeatedly, so fault reports are limited to one per
// interval.
const FAULT_TOLD_EVERY_MS = 1000

const input = workerData as UdpWorkerInput
const counters = new SharedCounters(input.counters).row(input.row)
const reader = new TableReader(input.handles, { worker: input.worker, port: input.handlesPort })
const hot = new HotPath(reader)
const events = workerEvents(counters)
const { queryCounts } = input
const queries =
  queryCounts &&
  new QueryCounter({ ...queryCounts, reader, hot, live: new LiveRing(queryCounts.live) })
let current = answererFor(input.settings)

// A settings change replaces the answerer and keeps the sockets.
const answerer: DatagramAnswerer = {
  begin: (waiting, count) => current.begin(waiting, count),
  end: () => current.end(),
  answer: (packet, packetBytes, sender, out, slot) =>
    current.answer(packet, packetBytes, sender, out, slot),
}

let listeners: readonly { close(): Promise<void> }[] = []

parentPort?.on('message', (message: ToWorker) => {
  if (message.kind === 'listen') void listen(message)
  else if (message.kind === 'settings') current = answererFor(message.settings)
  else void stop()
})
tell({ kind: 'prepared' })

async function listen({ hosts, port, descriptors }: ListenOrder): Promise<void> {
  const took = (milliseconds: number, count: number) => counters.took(milliseconds, count)
  try {
    listeners =
      descriptors === undefined
        ? await Promise.all(
            hosts.map((host) => listenUdp({ host, port, answerer, events, took, reusePort: true })),
          )
        : [listenInBatches({ descriptors, answerer, events, took })]
    tell({ kind: 'listening' })
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException
    tell({ kind: 'refused', message, code })
    // Some other addresses may already be bound.
    process.exit()
  }
}

async function stop(): Promise<void> {
  await Promise.all(listeners.map((listener) => listener.close()))
  process.exit()
}

function answererFor(settings: DatagramSettings): DatagramAnswerer {
  const { cookieSecrets, rateLimit, keys = new Map(), transfers = [] } = settings
  const access = new TransferAccess({ keys, transfers })
  const zones = new SharedZones(reader)
  const limiter =
    rateLimit === undefined ? undefined : new RateLimiter(input.rateLimitTable, rateLimit)
  return new HotAnswerer({
    reader,
    hot,
    counters,
    failed: (error) => events.failed(error),
    respond: createSignedResponder({
      respond: createResponder(zones, events, { ...settings, limiter }),
      access: () => access,
      zones,
      events,
      limiter,
    }),
    cookies: new HotCookies(cookieSecrets, secondsNow),
    limiter,
    queries,
  })
}

function workerEvents(row: CounterRow): ServerEvents {
  let toldAt = -Infinity
  const nothing = () => undefined
  return {
    answered: (answered) => row.answered(answered),
    dropped: () => row.dropped('no-request'),
    failed(error) {
      row.dropped('fault')
      if (performance.now() - toldAt < FAULT_TOLD_EVERY_MS) return
      toldAt = performance.now()
      tell({ kind: 'fault', error })
    },
    unsent: () => row.dropped('unsent'),
    connectionOpened: nothing,
    connectionClosed: nothing,
  }
}

function tell(message: FromWorker): void {
  parentPort?.postMessage(message)
}
