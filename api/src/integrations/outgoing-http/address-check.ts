/** Decides which addresses a request may connect to. */
import { isIP } from 'node:net'
import { ipv6FromText } from '@homing/dnsd/names'
import { parseAddress } from '../../rules/addresses.ts'
import type { ResolveAll } from '../outside-names.ts'
import { OutgoingFailure } from './outgoing-failure.ts'

/** @throws OutgoingFailure for an address that must not be connected to */
export type AddressCheck = (address: string) => void

/** RFC 5214 §6.1: an interface identifier `[02]00:5efe` is followed by an IPv4 address. */
function isIsatap(address: string): boolean {
  if (!address.includes(':')) return false
  const octets = ipv6FromText(address)
  return ((octets[8] ?? 0) & 0xfd) === 0 && octets.subarray(9, 12).equals(ISATAP)
}
const ISATAP = Buffer.from([0x00, 0x5e, 0xfe])

/** Accepts addresses that are reachable on the public Internet. */
export const requirePublic: AddressCheck = (address) => {
  try {
    parseAddress(address, 'public', 'url')
    if (!isIsatap(address)) return
  } catch {
    // The failure below is the same for all reasons.
  }
  // The address is not named: a caller could look up from outside what names mean inside.
  throw new OutgoingFailure(
    'private-address',
    'The URL leads to a non-public IP address. Use a public address.',
  )
}

/** The canonical spelling of an address; undefined when it is not the address of one host, such as `0.0.0.0`. */
function canonical(address: string): string | undefined {
  try {
    return parseAddress(address, 'any', 'address').text
  } catch {
    return undefined
  }
}

/** Addresses in their canonical spelling. */
export const addressSet = (addresses: readonly string[]): ReadonlySet<string> =>
  new Set(addresses.map(canonical).filter((address) => address !== undefined))

/** Accepts addresses that are not in `own`, an `addressSet`. */
export const requireForeign =
  (own: ReadonlySet<string>): AddressCheck =>
  (address) => {
    const text = canonical(address)
    if (text !== undefined && !own.has(text)) return
    throw new OutgoingFailure('own-address', 'The URL leads to this service itself.')
  }

/**
 * All addresses of a host: those of its name, or the address in the URL.
 *
 * @param hostname as in a URL, an IPv6 address in brackets
 * @throws OutgoingFailure `dns`, `dns-unavailable`
 */
export async function addressesOf(
  hostname: string,
  resolveAll: ResolveAll,
): Promise<readonly [string, ...string[]]> {
  // The URL parser has already converted other spellings (`127.1`, `0x7f.1`) to four decimal parts:
  // WHATWG URL, IPv4 parser.
  const literal = /^\[(.*)\]$/.exec(hostname)?.[1] ?? (isIP(hostname) === 0 ? undefined : hostname)
  const [first, ...others] =
    literal === undefined ? await resolved(hostname, resolveAll) : [literal]
  if (first === undefined) {
    throw new OutgoingFailure('dns', `The host name ${hostname} has no IP address.`)
  }
  return [first, ...others]
}

async function resolved(hostname: string, resolveAll: ResolveAll): Promise<string[]> {
  try {
    return (await resolveAll(hostname)).map(({ address }) => address)
  } catch (error) {
    throw new OutgoingFailure(
      'dns-unavailable',
      `The DNS lookup of the host name ${hostname} failed.`,
      {
        cause: error,
      },
    )
  }
}
