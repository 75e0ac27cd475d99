/** What is wrong with a typed address, as far as the browser can tell. The service decides. */
import type { RecordType } from '../new-name.ts'

const IPV4 = /^(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}$/

/** The browser's own parser of URLs reads IPv6 addresses as the service does. */
const isIpv6 = (text: string): boolean =>
  text.includes(':') && /^[\da-f:.]+$/i.test(text) && URL.canParse(`http://[${text}]/`)

/** The record type of a complete address; undefined for any other text. */
export function recordTypeOf(typed: string): RecordType | undefined {
  if (IPV4.test(typed)) return 'A'
  return isIpv6(typed) ? 'AAAA' : undefined
}

const FAMILY: Readonly<Record<RecordType, string>> = {
  A: 'an IPv4 address',
  AAAA: 'an IPv6 address',
}

const EXAMPLE: Readonly<Record<RecordType, string>> = {
  A: 'an IPv4 address such as 198.51.100.7',
  AAAA: 'an IPv6 address such as 2001:db8::7',
}

/** @param expected the only type that fits; undefined if both do. @returns undefined for an empty field and for an address */
export function faultInAddress(typed: string, expected?: RecordType): string | undefined {
  const text = typed.trim()
  if (text === '') return undefined
  const type = recordTypeOf(text)
  if (type !== undefined) {
    if (expected === undefined || type === expected) return undefined
    return `${text} is ${FAMILY[type]}. Enter ${FAMILY[expected]}.`
  }
  const [bare = '', rest] = text.split(/[/%]/, 2)
  if (rest !== undefined && recordTypeOf(bare) !== undefined) {
    return `Enter the address without “${text.slice(bare.length)}”: ${bare}.`
  }
  const wanted = expected === undefined ? `${EXAMPLE.A}, or ${EXAMPLE.AAAA}` : EXAMPLE[expected]
  return `${text} is not an IP address. Enter ${wanted}.`
}

/** Addresses that the Internet cannot reach, by their beginning. */
const UNREACHABLE: readonly (readonly [RegExp, string])[] = [
  [
    /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|f[cd])/i,
    'a private address. Only devices in the same network can reach it.',
  ],
  [/^(127\.|::1$)/, 'a loopback address. Each device reaches only itself with it.'],
  [
    /^(169\.254\.|fe[89ab])/i,
    'a link-local address. Only devices on the same cable or Wi-Fi can reach it.',
  ],
  [
    /^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./,
    'an address that your provider shares among customers. The Internet cannot reach it.',
  ],
]

/** A warning about an address that is valid, but perhaps not the intended one. */
export function warningAbout(typed: string): string | undefined {
  const text = typed.trim()
  if (recordTypeOf(text) === undefined) return undefined
  const found = UNREACHABLE.find(([beginning]) => beginning.test(text))
  return found && `${text} is ${found[1]}`
}
