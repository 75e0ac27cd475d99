/** Kind `dns`: whether our name servers answer with the addresses that the domain should have. */
import {
  ask as askServers,
  DnsClientError,
  type DnsAnswer,
  type DnsServer,
} from '@homing/dnsd/client'
import { ipv6FromText, ipv6ToText } from '@homing/dnsd/names'
import type { ApiConfig } from '../../config/api.ts'
import { failed, type ProbeResult, succeeded } from './probe-result.ts'

const DNS_PORT = 53
const ATTEMPT_MS = 2_000
const TIME_LIMIT_MS = 10_000

type ServerConfig = Pick<ApiConfig, 'nameservers' | 'dnsHosts' | 'dnsPort'>

const isLoopback = (address: string) => address === '::1' || address.startsWith('127.')

/**
 * Our name servers. Resolvers ask them on port 53. `DNS_PORT` can differ where the port is translated, so it is used only
 * for the addresses on which this machine listens.
 */
export function nameServersOf({ nameservers, dnsHosts, dnsPort }: ServerConfig): DnsServer[] {
  const addresses = nameservers.flatMap(({ ipv4, ipv6 }) =>
    ipv6 === undefined ? [ipv4] : [ipv4, ipv6],
  )
  return [...new Set(addresses)].map((address) => {
    const isHere = isLoopback(address) || dnsHosts.includes(address)
    return { address, port: isHere ? dnsPort : DNS_PORT }
  })
}

export interface DnsProbe {
  readonly servers: readonly DnsServer[]
  readonly ask?: typeof askServers
  /** A monotonic clock, in milliseconds. */
  readonly now?: () => number
}

const canonical = (address: string) =>
  address.includes(':') ? ipv6ToText(ipv6FromText(address)) : address

const addressesIn = ({ answers }: DnsAnswer) =>
  answers.flatMap((record) =>
    record.type === 'A' || record.type === 'AAAA' ? [canonical(record.data)] : [],
  )

/** Asks our name servers for both kinds of addresses of the domain. @param published what they should answer */
export async function probeDns(
  { fqdn, published }: { readonly fqdn: string; readonly published: readonly string[] },
  { servers, ask = askServers, now = () => performance.now() }: DnsProbe,
): Promise<ProbeResult> {
  const expected = published.map(canonical).toSorted()
  if (expected.length === 0) return failed('no-address', 'The domain has no address.')
  const begun = now()
  const signal = AbortSignal.timeout(TIME_LIMIT_MS)
  const askFor = (type: 'A' | 'AAAA') =>
    ask({ name: fqdn, type }, servers, {
      recursionDesired: false,
      attemptMs: ATTEMPT_MS,
      signal,
    })
  try {
    const answers = await Promise.all([askFor('A'), askFor('AAAA')])
    const latencyMs = Math.round(now() - begun)
    const refused = answers.find(({ rcode }) => rcode !== 'NOERROR')
    const found = answers.flatMap(addressesIn).toSorted()
    if (refused !== undefined || found.length === 0) {
      const why = refused === undefined ? 'with no address' : `with ${refused.rcode}`
      return failed('name-not-resolved', `Our name servers answer ${why}.`, { latencyMs })
    }
    const isEqual = found.join() === expected.join()
    if (isEqual) return succeeded({ latencyMs, address: found[0] ?? null })
    const text = `Our name servers answer with ${found.join(', ')} instead of ${expected.join(', ')}.`
    return failed('address-mismatch', text, { latencyMs })
  } catch (error) {
    if (!signal.aborted && !(error instanceof DnsClientError)) throw error
    return failed('timeout', 'Our name servers do not answer.')
  }
}
