/** What one load costs a server. */
import { ask, askPaced, type DnsLoad } from './dnsperf.ts'
import type { BenchZone, RunningServer } from './dns-contender.ts'

/** Enough that there is always something to do for the server, few enough for every receive buffer. */
const SATURATED = 1_000
const WARM_UP_SECONDS = 1

export interface Cost extends DnsLoad {
  /** Processor time of the server for each answer, in µs. */
  readonly cpuUs: number
  /** The same of the database that it asks. */
  readonly databaseUs: number
  /** The share of a core that the server had. */
  readonly busy: number
}

/** Loads a server for some seconds, after a moment that fills its caches, and tells what each answer cost. */
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

/** How long answers take at a rate that every server can hold. */
export async function latencyOf(
  server: RunningServer,
  zone: BenchZone,
  options: { readonly seconds: number; readonly perSecond: number },
) {
  const { port, isEcho } = server
  return askPaced({ port, isEcho, questions: zone.questions, ...options })
}
