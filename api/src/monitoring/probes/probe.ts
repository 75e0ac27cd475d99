/** One check of a monitor, by its kind. */
import type { MonitorKind } from '@homing/openapi/vocabulary'
import type { OutgoingHttp } from '../../integrations/outgoing-http/outgoing-http.ts'
import type { CheckResult, DueMonitor } from '../store/check-result.ts'
import { firstProbe } from './first-probe.ts'
import { probeDns, type DnsProbe } from './probe-dns.ts'
import { probeHeartbeat } from './probe-heartbeat.ts'
import { probeHttp, TIME_LIMITS } from './probe-http.ts'
import { failed, type ProbeResult } from './probe-result.ts'
import { probeTcp } from './probe-tcp.ts'

export interface ProbeServices {
  readonly outgoing: Pick<OutgoingHttp, 'target' | 'tcp'>
  readonly dns: DnsProbe
  /** Milliseconds since the database was last unavailable. Infinity: it was always available. */
  readonly sinceOutageMs: () => number
}

/** What was checked, and what was found. */
export type Probed = Omit<CheckResult, 'monitorId' | 'lease' | 'ageMs'>

const DEFAULT_TCP_PORT = 443
/** What a check of a monitor without a kind is stored as, until something answers. */
const FIRST_KIND: MonitorKind = 'https'

/** The stored address to connect to; undefined: the domain has no address of this family. */
export function addressOf({
  address_family,
  record_ipv4,
  record_ipv6,
}: Pick<DueMonitor, 'address_family' | 'record_ipv4' | 'record_ipv6'>): string | undefined {
  const ofFamily = { auto: record_ipv4 ?? record_ipv6, ipv4: record_ipv4, ipv6: record_ipv6 }
  return ofFamily[address_family] ?? undefined
}

const FAMILIES = { auto: '', ipv4: 'IPv4 ', ipv6: 'IPv6 ' } as const

/** Checks a monitor. Targets cannot make it throw. */
export async function probe(monitor: DueMonitor, services: ProbeServices): Promise<Probed> {
  const { kind, fqdn, published } = monitor
  if (kind === 'heartbeat') return { kind, ...probeHeartbeat(monitor, services.sinceOutageMs()) }
  if (kind === 'dns') {
    return { kind, ...(await probeDns({ fqdn, published: published ?? [] }, services.dns)) }
  }
  const address = addressOf(monitor)
  if (address === undefined) {
    const text = `The domain has no ${FAMILIES[monitor.address_family]}address.`
    return { kind: kind ?? FIRST_KIND, ...failed('no-address', text) }
  }
  if (kind === null) return firstOf(monitor, address, services)
  return { kind, ...(await probeAddress({ ...monitor, kind }, address, services)) }
}

async function probeAddress(
  monitor: DueMonitor & { readonly kind: 'https' | 'http' | 'tcp' },
  address: string,
  { outgoing }: ProbeServices,
): Promise<ProbeResult> {
  const { kind, fqdn, port } = monitor
  if (kind !== 'tcp') return probeHttp(monitor, { scheme: kind, address }, outgoing)
  const timeLimitMs = TIME_LIMITS.silenceLimitMs
  return probeTcp({ fqdn, address, port: port ?? DEFAULT_TCP_PORT, timeLimitMs }, outgoing)
}

async function firstOf(
  monitor: DueMonitor,
  address: string,
  { outgoing }: ProbeServices,
): Promise<Probed> {
  const { found, result } = await firstProbe(monitor, address, outgoing)
  const kind = found?.kind ?? FIRST_KIND
  // Nothing is decided while this machine has no network.
  return result.outcome === 'unknown' ? { kind, ...result } : { kind, ...result, found }
}
