/**
 * The addresses that a request asks for: reads the table of parameters into one form. It has no
 * side effects and never throws.
 */
import { type Address, type AddressPolicy, parseAddress } from '../rules/addresses.ts'
import { Refusal } from '../rules/errors.ts'
import { type Ipv6Prefix, isNetworkAlone, parseIpv6Prefix } from '../rules/ipv6-prefix.ts'
import {
  ADDRESS_PARAMETERS,
  type AddressParameter,
  type Parameters,
  valuesOf,
  withoutSecondUrl,
} from './parameters.ts'

/** What is known about the caller before its credentials are checked. */
export interface CallerAddress {
  /** The caller's address as canonical text; undefined when it is not known. */
  readonly detected: string | undefined
  /** Which addresses a name can hold. */
  readonly policy: AddressPolicy
}

/** The requested addresses: an omitted family is kept, null withdraws it. */
export interface WantedAddresses {
  /** Canonical text. */
  readonly ipv4?: string | null
  /** Canonical text. */
  readonly ipv6?: string | null
  /** A prefix in place of an address: the name keeps its interface identifier. */
  readonly ipv6Prefix?: Ipv6Prefix
  /** The current network: from an address with a prefix length, or the prefix itself. */
  readonly network?: Ipv6Prefix
  /** As the answer repeats them: in the client's order and spelling, separated by commas. */
  readonly said: string
}

type Family = 4 | 6

/** Maximum length of a list: a family has one address, given once or a few times. */
const LIST_LIMIT = 8

/** A parsed item of a list. */
type Item =
  | {
      readonly kind: 'address'
      readonly family: Family
      readonly text: string
      readonly said: string
      readonly network?: Ipv6Prefix
    }
  | { readonly kind: 'prefix'; readonly family: 6; readonly network: Ipv6Prefix }
  | { readonly kind: 'withdraw'; readonly family: Family }
  /**
   * `isUnknown`: the client asked for the caller's own address, but that is of the other family.
   */
  | { readonly kind: 'keep'; readonly isUnknown: boolean }

const KEEP: Item = { kind: 'keep', isUnknown: false }
const UNKNOWN: Item = { kind: 'keep', isUnknown: true }

/** Parses an address that a name can hold; undefined for anything else. */
export function allowedAddress(text: string, policy: AddressPolicy): Address | undefined {
  try {
    return parseAddress(text, policy, 'myip')
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

/** `2001:db8::7/64`: the address and its network. `2001:db8::/64` names a network only. */
function withLength(text: string, policy: AddressPolicy): Item | undefined {
  const network = parseIpv6Prefix(text)
  if (network === undefined) return undefined
  if (isNetworkAlone(network)) return { kind: 'prefix', family: 6, network }
  const said = text.slice(0, text.indexOf('/'))
  const address = allowedAddress(said, policy)
  return address && { kind: 'address', ...address, said, network }
}

/** The caller's own address if its family fits. */
function detect(
  holds: AddressParameter['holds'],
  { detected, policy }: CallerAddress,
): Item | undefined {
  if (detected === undefined) return undefined
  const address = allowedAddress(detected, policy)
  if (address === undefined) return undefined
  if (holds !== 'any' && holds !== address.family) return UNKNOWN
  return { kind: 'address', ...address, said: detected }
}

/** Parses an item of a list. */
function itemOf(
  text: string,
  { holds }: AddressParameter,
  caller: CallerAddress,
): Item | undefined {
  const first = text.charCodeAt(0)
  // Most items are addresses. Words never begin with a digit or a colon.
  if ((first < 0x30 || first > 0x3a) && !text.includes(':')) {
    const word = text.toLowerCase()
    if (word === 'auto') return detect(holds, caller)
    if (word === 'preserve' || word === 'no') return KEEP
    if (word === '-' && holds !== 'any') return { kind: 'withdraw', family: holds }
    return undefined
  }
  if (text.includes('/')) return withLength(text, caller.policy)
  const address = allowedAddress(text, caller.policy)
  return address && { kind: 'address', ...address, said: text }
}

const familyOf = (item: Item) => (item.kind === 'keep' ? undefined : item.family)

/**
 * Parses a comma-separated list; undefined when an item is invalid, or when two items give different addresses
 * of a family.
 */
function itemsOf(
  value: string,
  parameter: AddressParameter,
  caller: CallerAddress,
): readonly Item[] | undefined {
  const items: Item[] = []
  for (const part of withoutSecondUrl(value).split(',')) {
    const given = part.trim()
    if (given === '') continue
    const item = itemOf(given, parameter, caller)
    if (item === undefined || items.length === LIST_LIMIT) return undefined
    const family = familyOf(item)
    if (family !== undefined && parameter.holds !== 'any' && family !== parameter.holds) {
      return undefined
    }
    const before = items.find((known) => family !== undefined && familyOf(known) === family)
    if (before !== undefined && textOf(before) !== textOf(item)) return undefined
    items.push(item)
  }
  return items
}

const textOf = (item: Item) => (item.kind === 'address' ? item.text : item.kind)

function whenEmpty(
  parameter: AddressParameter,
  caller: CallerAddress,
): readonly Item[] | undefined {
  if (parameter.whenEmpty === 'keep') return []
  if (parameter.whenEmpty === 'withdraw') {
    return parameter.holds === 'any' ? [] : [{ kind: 'withdraw', family: parameter.holds }]
  }
  const own = detect('any', caller)
  return own && [own]
}

/** Reads a parameter. If it was given several times, the last readable value of each family counts. */
function read(
  values: readonly string[],
  parameter: AddressParameter,
  caller: CallerAddress,
): readonly Item[] | undefined {
  const [only = ''] = values
  if (values.length === 1) {
    const items = itemsOf(only, parameter, caller)
    return items?.length === 0 ? whenEmpty(parameter, caller) : items
  }
  const lists = values.map((value) => itemsOf(value, parameter, caller))
  const readable = lists.filter((items) => items !== undefined && items.length > 0)
  if (readable.length > 0)
    return readable.reduce<readonly Item[]>((a, b) => replaced(a, b ?? []), [])
  return lists.includes(undefined) ? undefined : whenEmpty(parameter, caller)
}

/** `later` replaces `earlier` for the families that it mentions. */
function replaced(earlier: readonly Item[], later: readonly Item[]): readonly Item[] {
  if (earlier.length === 0) return later
  const families = new Set(later.map(familyOf).filter((family) => family !== undefined))
  return [
    ...earlier.filter((item) => !families.has(familyOf(item) ?? 4) || item === KEEP),
    ...later,
  ]
}

function wantedOf(items: readonly Item[]): WantedAddresses {
  const wanted: { -readonly [K in keyof WantedAddresses]: WantedAddresses[K] } = { said: '' }
  for (const item of items) {
    if (item.kind === 'keep') continue
    if (item.kind === 'withdraw') {
      wanted[item.family === 4 ? 'ipv4' : 'ipv6'] = null
    } else if (item.kind === 'prefix') {
      wanted.ipv6Prefix = item.network
      wanted.network = item.network
    } else {
      wanted[item.family === 4 ? 'ipv4' : 'ipv6'] = item.text
      wanted.said += wanted.said === '' ? item.said : `,${item.said}`
      if (item.network) wanted.network = item.network
    }
  }
  return wanted
}

/**
 * The addresses that a request asks for. Undefined when an address is not allowed, or when the request has no address
 * and the caller's address is not known.
 *
 * @param mayDetect whether a request without an address means the caller's own address
 */
export function readAddresses(
  parameters: Parameters,
  caller: CallerAddress,
  mayDetect = true,
): WantedAddresses | undefined {
  let items: readonly Item[] = []
  for (const parameter of ADDRESS_PARAMETERS) {
    if (parameters[parameter.name] === undefined) continue
    const found = read(valuesOf(parameters, parameter.name), parameter, caller)
    if (found === undefined) return undefined
    items = replaced(items, found)
  }
  if (items.length === 0 && mayDetect) {
    const own = detect('any', caller)
    if (own === undefined) return undefined
    items = [own]
  }
  // The only wish was for the caller's address of a family that it does not have, so nothing can be
  // set.
  const isHopeless = items.every((item) => item.kind === 'keep')
  if (isHopeless && items.some((item) => item === UNKNOWN)) return undefined
  return wantedOf(items)
}
