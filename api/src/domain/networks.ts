/** The network behind an address: what limits count, since one household or attacker has many addresses. */
import ipaddr from 'ipaddr.js'

/** An IPv6 household has a /64 of its own (RFC 6177). */
const IPV6_PREFIX = 64

/**
 * The network of an address, as text: `198.51.100.0/24`, `2001:db8::/64`.
 *
 * @param ipv4Prefix bits that IPv4 addresses of one network share; 32 takes each address for itself
 */
export function networkOf(address: string, ipv4Prefix = 32): string {
  const parsed = ipaddr.process(address)
  const prefix = parsed.kind() === 'ipv4' ? ipv4Prefix : IPV6_PREFIX
  const octets = parsed.toByteArray().map((octet, n) => octet & maskOctet(prefix - n * 8))
  return `${ipaddr.fromByteArray(octets).toString()}/${prefix}`
}

/** An octet of a mask of which `bits` bits are left. */
function maskOctet(bits: number): number {
  return (0xff << (8 - Math.min(Math.max(bits, 0), 8))) & 0xff
}
