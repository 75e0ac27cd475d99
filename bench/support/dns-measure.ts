/** Measures the cost of one load for a server. */
import { ask, askPaced, type DnsLoad } from './dnsperf.ts'
import type { BenchZone, RunningServer } from './dns-contender.ts'

/** Enough outstanding queries to keep the server busy, and few enough for every receive buffer. */
const SATURATED = 1_000
const WARM_UP_SECONDS = 1

export interface Cost extends DnsLoad {
  /** CPU time of the server per answer, in µs. */
  readonly cpuUs: number
  /** CPU time of its database per answer, in µs. */
  readonly databaseUs: number
  /** The share of a core that the server used. */
  readonly busy: number
}

/** Loads a server for some seconds, after a warm-up of its caches, and returns the cost per answer. */
export async function costOf(
  server: RunningServer,
  zone: BenchZone,
  options: { readonly seconds: number; readonly outstanding?: number; readonly isWarm?: boolean },
): Promise<Cost> {
  const { seconds, outstanding = SATURATED, isWarm = false } = options
  const { port, isEcho } = server
  const load = { port, questions: zone.questions, outstanding, isEcho }
  if (!isWarm) await ask({ ...load, seconds: WARM_UP_SECONDS })
  const [before, databaseBefore] = [server.cpuMs(), server.databaseCpuMs()]
  const done = await ask({ ...load, seconds })
  const cpuMs = server.cpuMs() - before
  const databaseMs = server.databaseCpuMs() - databaseBefore
  return {
    ...done,
    cpuUs: (cpuMs * 1_000) / done.answered,
    databaseUs: (databaseMs * 1_000) / done.answered,
    busy: cpuMs / 1_000 / (done.answered / done.perSecond),
  }
}

/** Measures the latency at a rate that every server can sustain. */
export async function latencyOf(
  server: RunningServer,
  zone: BenchZone,
  options: { readonly seconds: number; readonly perSecond: number },
) {
  const { port, isEcho } = server
  return askPaced({ port, isEcho, questions: zone.questions, ...options })
}
