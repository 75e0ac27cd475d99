import { isIPv4 } from 'node:net'
import { ipv6FromText } from '../names/index.ts'

const IPV6_NETWORK_BYTES = 7

/**
 * The network of a client address, estimated as /24 for IPv4 and /56 for IPv6, which is what one
 * customer commonly gets (RFC 6177 §2).
 */
export function networkOf(address: string): string {
  if (isIPv4(address)) return address.slice(0, address.lastIndexOf('.'))
  const withoutScope = address.split('%', 1)[0] ?? address
  return ipv6FromText(withoutScope).toString('hex', 0, IPV6_NETWORK_BYTES)
}
