/**
 * IPv6 prefixes (RFC 4291 §2.3). Providers hand out a new prefix now and then; hosts keep
 * the rest of their addresses, the interface identifier.
 */
import { ipv6FromText, ipv6ToText } from '@homing/dnsd/names'

const ADDRESS_BITS = 128
/** Of a network whose hosts choose their own interface identifiers (RFC 4291 §2.5.1). */
export const USUAL_PREFIX_BITS = 64

export interface Ipv6Prefix {
  /** 16 octets. Those behind the prefix are as they were written, mostly zero. */
  readonly octets: Uint8Array
  readonly bits: number
}

/** The bits of octet `n` that belong to a prefix, as a mask. */
const maskAt = (bits: number, n: number) =>
  (0xff00 >> Math.min(8, Math.max(0, bits - n * 8))) & 0xff

/**
 * Reads `address/length`; undefined for anything else. A length of 0 is no prefix of anybody's.
 *
 * @param bits of a text without a length; undefined when it must have one
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

/** Whether nothing stands behind the prefix: the text names a network and no host in it. */
export function isNetworkAlone({ octets, bits }: Ipv6Prefix): boolean {
  return bits < ADDRESS_BITS && octets.every((octet, n) => (octet & ~maskAt(bits, n)) === 0)
}

/** An address moved to another prefix: its interface identifier is kept. @param address canonical text */
export function withIpv6Prefix({ octets, bits }: Ipv6Prefix, address: string): string {
  const own = ipv6FromText(address)
  const moved = own.map((octet, n) => {
    const mask = maskAt(bits, n)
    return ((octets[n] ?? 0) & mask) | (octet & ~mask & 0xff)
  })
  return ipv6ToText(Buffer.from(moved))
}

/** Whether an address lies in a prefix. @param address canonical text */
export function isInIpv6Prefix(prefix: Ipv6Prefix, address: string): boolean {
  return address.includes(':') && withIpv6Prefix(prefix, address) === address
}
