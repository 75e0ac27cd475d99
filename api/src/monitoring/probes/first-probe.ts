/**
 * The first check of a monitor whose owner did not choose a kind: finds what answers on the stored address. Only ports
 * that accept connections get a request. The whole search takes less time than a check may take.
 */
import type { MonitorKind } from '@homing/openapi/vocabulary'
import type { OutgoingHttp } from '../../integrations/outgoing-http/outgoing-http.ts'
import type { DueMonitor } from '../store/check-result.ts'
import { probeHttp, type TimeLimits } from './probe-http.ts'
import { probeTcp } from './probe-tcp.ts'
import type { ProbeResult } from './probe-result.ts'

/** The kind that answered, and its port; null: the default of the kind. */
export interface FoundKind {
  readonly kind: MonitorKind
  readonly port: number | null
}

/** `found` is null when nothing answered. */
export interface FirstResult {
  readonly found: FoundKind | null
  readonly result: ProbeResult
}

const CONNECT_LIMIT_MS = 5_000
const REQUEST_LIMITS: TimeLimits = { silenceLimitMs: 5_000, timeLimitMs: 8_000 }
/** In this order: the first one that answers is kept. */
const REQUESTS = [
  { scheme: 'https', port: 443 },
  { scheme: 'http', port: 80 },
] as const
const TCP_PORTS = [443, 80, 22]
/** What counts as an answer, whatever the settings say. */
const ANSWERS = { path: '/', expected_status: '100-399', follows_redirects: true, body_text: null }

/** Looks for what answers: https, http, and the TCP ports 443, 80 and 22. */
export async function firstProbe(
  { fqdn }: Pick<DueMonitor, 'fqdn'>,
  address: string,
  outgoing: Pick<OutgoingHttp, 'target' | 'tcp'>,
): Promise<FirstResult> {
  const connections = await Promise.all(
    TCP_PORTS.map(async (port) => {
      const to = { fqdn, address, port, timeLimitMs: CONNECT_LIMIT_MS }
      return { port, result: await probeTcp(to, outgoing) }
    }),
  )
  const open = connections.filter(({ result }) => result.outcome === 'up')
  for (const { scheme, port } of REQUESTS) {
    if (!open.some((each) => each.port === port)) continue
    const target = { ...ANSWERS, fqdn, port: null }
    const result = await probeHttp(target, { scheme, address }, outgoing, REQUEST_LIMITS)
    if (result.outcome === 'up') return { found: { kind: scheme, port: null }, result }
  }
  const [first] = open
  if (first !== undefined) return { found: { kind: 'tcp', port: first.port }, result: first.result }
  // The most telling failure: a port that refuses says more than one that is silent.
  const refused = connections.find(({ result }) => result.cause !== 'timeout')
  const { result } = refused ?? connections[0] ?? { result: undefined }
  if (result === undefined) throw new Error('the list of probes is empty')
  return { found: null, result }
}
