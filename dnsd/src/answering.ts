/*
 * Answers queries: UDP on worker threads, TCP on this thread. Both use the same zones and settings. The
 * settings can be reloaded while the server runs.
 */
import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { fanOut } from './fan-out.ts'
import { serverLog, workerLog } from './log.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { QueryCounting } from './query-counting.ts'
import {
  batchUnavailable,
  createResponder,
  type DatagramSettings,
  type DnsServer,
  type RateLimitTable,
  type ServerEvents,
  type SharedCounters,
  type TransferSource,
  startDnsServer,
  TcpCapacity,
  type UdpTransport,
  type WorkerEvents,
  WorkerPool,
} from './server/index.ts'
import type { LiveSettings } from './settings/live.ts'
import type { Settings } from './settings/settings.ts'
import { TransferAccess } from './transfer/access.ts'
import { createSignedResponder } from './transfer/signed-responder.ts'
import type { Zones } from './zone/index.ts'
import { COOKIE_SECRET_BYTES } from './wire/index.ts'

/** The program of each UDP worker. */
const WORKER_PROGRAM = new URL('./udp-worker.ts', import.meta.url)

/** This thread's row in `SharedCounters`. The workers' rows follow it. */
export const MAIN_ROW = 0

export interface AnsweringParts {
  readonly config: Pick<Config, 'hosts' | 'port' | 'workers' | 'limitsRates' | 'udpTransport'>
  readonly settings: LiveSettings
  readonly zones: Zones
  readonly counters: SharedCounters
  readonly rateLimitTable: RateLimitTable
  readonly metrics: Metrics
  /** Undefined: queries are not counted. */
  readonly counting: QueryCounting | undefined
  readonly log: Logger
}

/** A server that is prepared but does not listen yet. */
export interface Answering {
  /**
   * Starts answering on all addresses.
   *
   * @param transfers the zone transfers served over TCP
   * @throws the system error when an address cannot be bound
   */
  start(transfers: TransferSource): Promise<DnsServer>
}

/** Starts the worker threads, so that they are ready as soon as there are zones. */
export function prepareAnswering(parts: AnsweringParts): Answering {
  const { config, settings, zones, counters, rateLimitTable, metrics, counting, log } = parts
  const secret = randomBytes(COOKIE_SECRET_BYTES)
  const settingsNow = () => datagramSettings(settings.current, secret, config.limitsRates)
  const pool = new WorkerPool({
    workers: config.workers,
    table: zones.table,
    counters,
    firstRow: MAIN_ROW + 1,
    rateLimitTable,
    queryCounts: counting?.workers ?? [],
    settings: settingsNow(),
    events: fanOut<WorkerEvents>(workerLog(log), metrics.workers),
    transport: transportOf(config.udpTransport, log),
    program: WORKER_PROGRAM,
  })
  pool.prepare()
  metrics.watchWorkers(pool)
  const events = fanOut<ServerEvents>(serverLog(log), metrics.server)
  const tcp = new TcpCapacity(tcpLimits(settings.current))
  const makeResponder = () => {
    const access = new TransferAccess(settings.current)
    const unsigned = createResponder(zones, events, {
      ...settingsNow(),
      tcpIdleMs: () => tcp.idleMs,
    })
    return createSignedResponder({ respond: unsigned, access: () => access, zones, events })
  }
  let respond = makeResponder()
  settings.onChange(() => {
    respond = makeResponder()
    pool.configure(settingsNow())
    tcp.configure(tcpLimits(settings.current))
  })
  const { hosts, port } = config
  return {
    start: async (transfers) =>
      startDnsServer({
        hosts,
        port,
        respond(packet, transport, client) {
          const answer = respond(packet, transport, client)
          if (answer !== undefined && client !== undefined)
            counting?.answered(packet, answer, client)
          return answer
        },
        transfers,
        events,
        tcp,
        datagrams: pool,
      }),
  }
}

/** Falls back to `node:dgram` where batches are unavailable, and logs the reason. */
function transportOf(wanted: Config['udpTransport'], log: Logger): UdpTransport {
  if (wanted === 'dgram') return 'dgram'
  const reason = batchUnavailable()
  if (reason === undefined) {
    log.info('Packets are received and sent in batches.')
    return 'batch'
  }
  const text = `Batches are not available, so packets go through node:dgram: ${reason}`
  if (wanted === 'auto') log.info(text)
  else log.warn(text)
  return 'dgram'
}

/**
 * @param ownSecret the cookie secret when the settings have none; replicas then reject each other's
 * cookies
 */
function datagramSettings(
  { identity, version, cookieSecrets, rateLimit, keys, transfers }: Settings,
  ownSecret: Uint8Array,
  limitsRates: boolean,
): DatagramSettings {
  const { responsesPerSecond, slip, ipv4PrefixBits, ipv6PrefixBits } = rateLimit
  const limits = {
    responsesPerSecond,
    slip,
    ipv4Prefix: ipv4PrefixBits,
    ipv6Prefix: ipv6PrefixBits,
    exempt: rateLimit.exempt,
  }
  return {
    identity,
    version,
    cookieSecrets: cookieSecrets.length > 0 ? cookieSecrets : [ownSecret],
    rateLimit: limitsRates ? limits : undefined,
    keys,
    transfers,
  }
}

function tcpLimits({ tcp }: Settings) {
  const { maxConnections, maxPerNetwork, idleSeconds, messageSeconds } = tcp
  const times = { idleMs: idleSeconds * 1000, messageMs: messageSeconds * 1000 }
  return { maxConnections, maxPerNetwork, ...times }
}
