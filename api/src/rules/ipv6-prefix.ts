/**
 * IPv6 prefixes (RFC 4291 §2.3). Providers change a customer's prefix from time to time; hosts keep
 * the rest of their addresses, the interface identifier.
 */
import { ipv6FromText, ipv6ToText } from '@homing/dnsd/names'

const ADDRESS_BITS = 128
/**
 * Prefix length of a network whose hosts choose their own interface identifiers (RFC 4291 §2.5.1).
 */
export const USUAL_PREFIX_BITS = 64

export interface Ipv6Prefix {
  /** 16 octets. The octets after the prefix are as the client wrote them, usually zero. */
  readonly octets: Uint8Array
  readonly bits: number
}

/** The bits of octet `n` that belong to a prefix, as a mask. */
const maskAt = (bits: number, n: number) =>
  (0xff00 >> Math.min(8, Math.max(0, bits - n * 8))) & 0xff

/**
 * Parses `address/length`; undefined for anything else. A length of 0 is invalid.
 *
 * @param bits length to assume for a text without one; undefined when the text must have a length
 */
export function parseIpv6Prefix(text: string, bits?: number): Ipv6Prefix | undefined {
  const [, address = '', length] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const given = length === undefined ? bits : Number(length)
  if (given === undefined || given < 1 || given > ADDRESS_BITS || !address.includes(':')) {
    return undefined
  }
  try {
    return { octets: ipv6FromText(address), bits: given }
  } catch {
    return undefined
  }
}

/** Whether all bits after the prefix are zero: the text names a network, not a host. */
export function isNetworkAlone({ octets, bits }: Ipv6Prefix): boolean {
  return bits < ADDRESS_BITS && octets.every((octet, n) => (octet & ~maskAt(bits, n)) === 0)
}

/**
 * Moves an address to another prefix and keeps its interface identifier. @param address canonical text
 */
export function withIpv6Prefix({ octets, bits }: Ipv6Prefix, address: string): string {
  const own = ipv6FromText(address)
  const moved = own.map((octet, n) => {
    const mask = maskAt(bits, n)
    return ((octets[n] ?? 0) & mask) | (octet & ~mask & 0xff)
  })
  return ipv6ToText(Buffer.from(moved))
}

/** Whether an address is inside a prefix. @param address canonical text */
export function isInIpv6Prefix(prefix: Ipv6Prefix, address: string): boolean {
  return address.includes(':') && withIpv6Prefix(prefix, address) === address
}
