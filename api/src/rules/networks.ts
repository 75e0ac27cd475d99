/**
 * The network of an address. Limits count networks, because one household or attacker has many addresses.
 */
import ipaddr from 'ipaddr.js'

/** Prefix lengths, in bits. */
interface Prefixes {
  readonly ipv4: number
  readonly ipv6: number
}

/** A household has one IPv4 address, and at least a /64 of IPv6 (RFC 6177). */
const HOUSEHOLD: Prefixes = { ipv4: 32, ipv6: 64 }

/**
 * What a party that rents addresses has: a /24 of IPv4, and a /48 of IPv6, which providers give to one
 * site on request. Either holds 256 households with one IPv4 address, or with a /56, each.
 */
export const NEIGHBOURHOOD: Prefixes = { ipv4: 24, ipv6: 48 }

/** A network with counters, and the multiple of a household's limit that it is allowed. */
export interface CountedNetwork {
  readonly network: string
  readonly factor: number
}

/**
 * The multiple of a /64's limit that an IPv6 /48 is allowed. A /48 can be one site with an attacker in it, who would otherwise get the
 * limit 65,536 times, or the households of a provider, few of which guess or forget passwords in the same hour.
 */
const SITE_FACTOR = 8

/**
 * The networks of an address for which guesses and mails are limited, the smallest first: for IPv6 the /64 and the /48.
 */
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

/** An octet of a mask that has `bits` bits left. */
function maskOctet(bits: number): number {
  return (0xff << (8 - Math.min(Math.max(bits, 0), 8))) & 0xff
}
