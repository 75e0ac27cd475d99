/** The network behind an address: what limits count, since one household or attacker has many addresses. */
import ipaddr from 'ipaddr.js'

/** Bits that the addresses of one network share. */
interface Prefixes {
  readonly ipv4: number
  readonly ipv6: number
}

/** Each IPv4 address for itself, as a household has one; of IPv6 it has at least a /64 (RFC 6177). */
const HOUSEHOLD: Prefixes = { ipv4: 32, ipv6: 64 }

/**
 * What somebody who rents addresses has of them: a /24, and of IPv6 a /48, which providers give to one
 * site for the asking. Either holds 256 households of those who are given one address, or a /56.
 */
export const NEIGHBOURHOOD: Prefixes = { ipv4: 24, ipv6: 48 }

/** A network that something is counted for, and how many times the figure of a household it is allowed. */
export interface CountedNetwork {
  readonly network: string
  readonly factor: number
}

/**
 * How many times the figure of a /64 an IPv6 /48 is allowed. It may be one site with an attacker in it, who would otherwise get the figure
 * 65,536 times, or the households of a provider, of which few guess passwords or forget theirs in the same hour.
 */
const SITE_FACTOR = 8

/** The networks of an address that limits of guesses and mails count, the smallest first: of IPv6 the /64 and the /48. */
export function countedNetworks(address: string): readonly CountedNetwork[] {
  const household = { network: networkOf(address), factor: 1 }
  if (ipaddr.process(address).kind() === 'ipv4') return [household]
  return [household, { network: networkOf(address, NEIGHBOURHOOD), factor: SITE_FACTOR }]
}

/** The network of an address, as text: `198.51.100.0/24`, `2001:db8::/64`. */
export function networkOf(address: string, prefixes: Prefixes = HOUSEHOLD): string {
  const parsed = ipaddr.process(address)
  const prefix = prefixes[parsed.kind()]
  const octets = parsed.toByteArray().map((octet, n) => octet & maskOctet(prefix - n * 8))
  return `${ipaddr.fromByteArray(octets).toString()}/${prefix}`
}

/** An octet of a mask of which `bits` bits are left. */
function maskOctet(bits: number): number {
  return (0xff << (8 - Math.min(Math.max(bits, 0), 8))) & 0xff
}
