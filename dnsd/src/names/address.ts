/* IPv4 and IPv6 addresses: strict parsing, canonical output. The caller decides which ranges are allowed. */
import { quoted } from './octet-text.ts'
import { uint16At } from './octets.ts'

const ZERO = 0x30
const DOT = 0x2e

/** A text that is not an address. The message is written for the person who typed it. */
export class AddressError extends Error {
  constructor(text: string, expected: string) {
    super(`${quoted(text)} is not ${expected}.`)
    this.name = 'AddressError'
  }
}

const IPV4_FORM =
  'an IPv4 address: expected four decimal numbers from 0 to 255 without leading zeros, as in 192.0.2.1'
const IPV6_FORM =
  'an IPv6 address: expected eight groups of hexadecimal digits, or fewer around one "::", as in 2001:db8::1'

// Parsed octet by octet for speed, because zone files contain millions of addresses. Short forms such as 127.1, 0x7f.1 or
// 010.0.0.1, which other parsers read in different ways, are invalid.
function readIpv4(text: string): Buffer | undefined {
  const octets = Buffer.allocUnsafe(4)
  let at = 0
  for (let index = 0; index < 4; index++) {
    const start = at
    let value = 0
    for (; at < text.length && at - start < 4; at++) {
      const digit = text.charCodeAt(at) - ZERO
      if (digit < 0 || digit > 9) break
      value = value * 10 + digit
    }
    const digits = at - start
    if (digits === 0 || value > 255 || (digits > 1 && text.charCodeAt(start) === ZERO))
      return undefined
    octets[index] = value
    if (index === 3) return at === text.length ? octets : undefined
    if (text.charCodeAt(at) !== DOT) return undefined
    at += 1
  }
  return undefined
}

/**
 * The four octets of an IPv4 address written as four decimal parts without leading zeros.
 *
 * @throws AddressError
 */
export function ipv4FromText(text: string): Buffer {
  const octets = readIpv4(text)
  if (octets === undefined) throw new AddressError(text, IPV4_FORM)
  return octets
}

/** Four octets as text. The caller must pass exactly four. */
export function ipv4ToText(octets: Uint8Array): string {
  return octets.join('.')
}

// The groups on one side of "::" as octets; an IPv4 tail counts as two groups and must be last (RFC 4291 §2.2).
function readGroups(text: string, mayEndInIpv4: boolean): number[] | undefined {
  if (text === '') return []
  const octets: number[] = []
  const groups = text.split(':')
  for (const [index, group] of groups.entries()) {
    if (/^[0-9a-f]{1,4}$/i.test(group)) {
      const value = Number.parseInt(group, 16)
      octets.push(value >> 8, value & 0xff)
      continue
    }
    const tail = mayEndInIpv4 && index === groups.length - 1 ? readIpv4(group) : undefined
    if (tail === undefined) return undefined
    octets.push(...tail)
  }
  return octets
}

function readIpv6(text: string): number[] | undefined {
  // The longest form is 45 characters: six groups of four and an IPv4 tail.
  if (text.length > 45) return undefined
  const sides = text.split('::')
  if (sides.length > 2) return undefined
  const [left = '', right] = sides
  const head = readGroups(left, right === undefined)
  const tail = readGroups(right ?? '', true)
  if (head === undefined || tail === undefined) return undefined
  if (right === undefined) return head.length === 16 ? head : undefined
  // "::" stands for at least one group (RFC 5952 §4.2.2 would not write it for one, but RFC 4291 §2.2 reads it).
  const missing = 16 - head.length - tail.length
  return missing >= 2 ? [...head, ...Array.from({ length: missing }, () => 0), ...tail] : undefined
}

/**
 * The sixteen octets of an IPv6 address in any form of RFC 4291 §2.2, including IPv4-mapped ones. A zone (`%eth0`),
 * brackets and a prefix length are invalid.
 *
 * @throws AddressError
 */
export function ipv6FromText(text: string): Buffer {
  const octets = readIpv6(text)
  if (octets === undefined) throw new AddressError(text, IPV6_FORM)
  return Buffer.from(octets)
}

/** Whether sixteen octets are an IPv4-mapped address, `::ffff:0:0/96` (RFC 4291 §2.5.5.2). */
export function isIpv4Mapped(octets: Uint8Array): boolean {
  return (
    octets.length === 16 && octets.every((octet, at) => at > 11 || octet === (at < 10 ? 0 : 0xff))
  )
}

// RFC 5952 §4.2.2, §4.2.3: "::" replaces the longest run of zero groups, the first of equal runs, and never a single
// group.
function longestZeroRun(groups: readonly number[]): { start: number; length: number } {
  let best = { start: -1, length: 1 }
  let start = 0
  for (const [index, group] of groups.entries()) {
    if (group !== 0) start = index + 1
    else if (index + 1 - start > best.length) best = { start, length: index + 1 - start }
  }
  return best
}

/** Sixteen octets in the canonical text of RFC 5952; IPv4-mapped addresses in mixed notation (§5). */
export function ipv6ToText(octets: Uint8Array): string {
  if (isIpv4Mapped(octets)) return `::ffff:${ipv4ToText(octets.subarray(12))}`
  const groups = Array.from({ length: 8 }, (_, index) => uint16At(octets, index * 2))
  const hex = groups.map((group) => group.toString(16))
  const { start, length } = longestZeroRun(groups)
  if (start < 0) return hex.join(':')
  return `${hex.slice(0, start).join(':')}::${hex.slice(start + length).join(':')}`
}
