/**
 * The addresses that a name may hold: parses them strictly, stores them in one canonical form and
 * checks them against the provider's policy.
 *
 * Text becomes octets by the rules that dnsd uses for RDATA, because other parsers accept `127.1`,
 * `0x7f.1`, `010.0.0.1` or `::01.2.3.4`, each in its own way.
 */
import { ipv4FromText, ipv6FromText, ipv6ToText } from '@homing/dnsd/names'
import ipaddr from 'ipaddr.js'
import { Refusal } from './errors.ts'
import {
  firstOctetsOutside,
  GLOBAL_UNICAST,
  IPV4_COMPATIBLE,
  isIn,
  NOT_PUBLIC,
  NOT_UNICAST,
  REACHABLE,
} from './special-addresses.ts'

/** `any`: every unicast address. `public`: addresses that are reachable on the public Internet. */
export type AddressPolicy = 'any' | 'public'

export interface Address {
  readonly family: 4 | 6
  /** Four decimal parts, or RFC 5952. */
  readonly text: string
}

/** The type of the RRset that holds addresses of a family. */
export const addressType = (family: 4 | 6): 'A' | 'AAAA' => (family === 4 ? 'A' : 'AAAA')

function refusal(code: 'validation-failed' | 'address-not-allowed', field: string, words: string) {
  const message = `${field}: ${words}`
  return new Refusal(code, message, { faults: [{ field, message }] })
}

const shown = (text: string) => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)

interface ReadAddress {
  readonly family: 4 | 6
  readonly octets: Buffer
}

function read(text: string): ReadAddress | undefined {
  try {
    return text.includes(':')
      ? { family: 6, octets: ipv6FromText(text) }
      : { family: 4, octets: ipv4FromText(text) }
  } catch {
    return undefined
  }
}

/** First octets of IPv4 addresses that a policy always allows. Each update request looks here. */
const UNDISPUTED: Readonly<Record<AddressPolicy, ReadonlySet<number>>> = {
  any: firstOctetsOutside(NOT_UNICAST),
  public: firstOctetsOutside([...NOT_UNICAST, ...NOT_PUBLIC]),
}

/** Why a name may not hold an address; undefined when it may. */
function objection({ family, octets }: ReadAddress, policy: AddressPolicy): string | undefined {
  const [first = 0] = octets
  if (family === 4 && UNDISPUTED[policy].has(first)) return undefined
  const address = ipaddr.fromByteArray([...octets])
  const unusable = NOT_UNICAST.find((block) => isIn(address, block))
  if (unusable) return unusable.purpose
  const isLoopback = address.range() === 'loopback'
  if (!isLoopback && isIn(address, IPV4_COMPATIBLE)) return IPV4_COMPATIBLE.purpose
  if (policy === 'any' || isIn(address, REACHABLE)) return undefined
  const special = NOT_PUBLIC.find((block) => isIn(address, block))
  if (special) return special.purpose
  const outside = address.kind() === 'ipv6' && !isIn(address, GLOBAL_UNICAST)
  return outside ? 'outside the global unicast addresses (2000::/3)' : undefined
}

/**
 * Parses an address for a name.
 *
 * @param field the caller's name for the input, for the message
 * @throws Refusal `validation-failed` for text that is not an address in its usual form (short
 * forms, leading zeros, a zone, brackets, a prefix length or a port), `address-not-allowed` for an
 * address that the policy refuses
 */
export function parseAddress(text: string, policy: AddressPolicy, field: string): Address {
  const found = read(text)
  if (found === undefined) {
    throw refusal(
      'validation-failed',
      field,
      `${shown(text)} is not an IP address. Expected an IPv4 address such as 198.51.100.7, without leading zeros, or an IPv6 address such as 2001:db8::7, without zone or prefix length.`,
    )
  }
  // The parser accepts IPv4 addresses in their canonical spelling only.
  const canonical = found.family === 4 ? text : ipv6ToText(found.octets)
  const purpose = objection(found, policy)
  if (purpose !== undefined) {
    throw refusal('address-not-allowed', field, `${canonical} is not allowed: it is ${purpose}.`)
  }
  return { family: found.family, text: canonical }
}

/**
 * Refuses an address whose family the field cannot hold.
 *
 * @throws Refusal `validation-failed`
 */
export function requireFamily(address: Address, family: 4 | 6, field: string): void {
  if (address.family === family) return
  throw refusal(
    'validation-failed',
    field,
    `${address.text} is an IPv${address.family} address. Expected an IPv${family} address (type ${addressType(family)}).`,
  )
}
