/** Readiness checks: each part is asked in the same way as its users ask it. */
import type { DnsServer } from '@homing/dnsd/client'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { SupervisorConfig } from '../config/supervisor.ts'
import { nodeHttp } from '../process/node-http.ts'
import { answersFor } from './dns-probe.ts'

/** The parts need all processors while they start. Probing them more often makes the start longer. */
const POLL_MS = 100
const ANSWER_LIMIT_MS = 1_000

/** The address at which this machine reaches a server that listens on `host`. */
function reachableAt(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  return host === '::' ? '::1' : host
}

/** `http://host:port`, with brackets around an IPv6 address. */
export function httpUrl(host: string, port: number): string {
  const name = reachableAt(host)
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

/** The address at which this machine queries the DNS daemon. */
export function dnsTarget(config: SupervisorConfig): DnsServer {
  return { address: reachableAt(config.dnsHosts[0] ?? '127.0.0.1'), port: config.dnsPort }
}

/** The status of a GET request. Loading the built-in fetch would take longer than all requests. */
async function statusOf(url: string, signal: AbortSignal): Promise<number> {
  const request = nodeHttp.get(url, { signal, agent: false })
  // It can also fail after its response arrived.
  request.on('error', () => undefined)
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  response.resume()
  return response.statusCode ?? 0
}

type Probe = (signal: AbortSignal) => Promise<boolean>

async function untilTrue(probe: Probe, giveUp: AbortSignal): Promise<void> {
  for (;;) {
    giveUp.throwIfAborted()
    const limit = AbortSignal.any([giveUp, AbortSignal.timeout(ANSWER_LIMIT_MS)])
    if (await probe(limit).catch(() => false)) return
    await delay(POLL_MS)
  }
}

/**
 * Resolves when the API is healthy, the forwarder answers, and the daemon answers for the first
 * zone over UDP and TCP.
 *
 * @throws the reason of `giveUp` when that is aborted first
 */
export async function untilEverythingAnswers(
  config: SupervisorConfig,
  giveUp: AbortSignal,
): Promise<void> {
  const health = `${httpUrl(config.host, config.port)}/api/health`
  const forward = httpUrl(config.forwardHost, config.forwardPort)
  const [zone = ''] = config.zones
  const dns = dnsTarget(config)
  const probes: Probe[] = [
    async (signal) => (await statusOf(health, signal)) === 200,
    async (signal) => (await statusOf(forward, signal)) < 500,
    (signal) => answersFor(dns, zone, 'udp', signal),
    (signal) => answersFor(dns, zone, 'tcp', signal),
  ]
  await Promise.all(probes.map((probe) => untilTrue(probe, giveUp)))
}
