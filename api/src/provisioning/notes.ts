import { isIPv4 } from 'node:net'
import type { Provisioned, ProvisioningConfig } from './provision.ts'

/** RFC 1122 §3.2.1.3, RFC 4291 §2.5.3. */
const isLoopback = (address: string) =>
  address === '::1' || (isIPv4(address) && address.startsWith('127.'))

/**
 * Warnings about missing production settings that Internet users will notice, one sentence for each
 * line.
 */
export function warningsOf({
  nodeEnv,
  nameservers,
  forwardAddresses,
}: Pick<ProvisioningConfig, 'nodeEnv' | 'nameservers' | 'forwardAddresses'>): string[] {
  if (nodeEnv !== 'production') return []
  const local = nameservers.filter(({ ipv4 }) => isLoopback(ipv4)).map(({ hostname }) => hostname)
  const servers = `${local.join(' and ')} are published with a loopback address, which resolvers cannot reach; set NAMESERVERS to hostname/IPv4 of your name servers`
  const unreachable = forwardAddresses.filter(isLoopback)
  const forwards = `web forwards are published with ${unreachable.join(' and ')}, which browsers cannot reach; set FORWARD_ADDRESSES to the public addresses of the web-forwarding server or its proxy`
  return [...(local.length === 0 ? [] : [servers]), ...(unreachable.length === 0 ? [] : [forwards])]
}

/** Settings that provisioning did not apply, each with the reason, one sentence for each line. */
export function notesOf({ zones, formerZones }: Provisioned): string[] {
  const imported = zones.flatMap(({ kept }) =>
    kept.map(
      ({ owner, type, rdata }) =>
        `${owner} keeps the ${type} records of its zone file (${rdata.join(', ')}); NAMESERVERS does not change them`,
    ),
  )
  const former = formerZones.map(
    (zone) =>
      `${zone} is no longer in ZONES; the zone remains, with its domains and its name servers`,
  )
  return [...imported, ...former]
}
