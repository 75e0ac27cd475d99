/**
 * What a request says about names other than those that it updates. A provider assigns a new prefix
 * to the whole network. The router reports it once, and the names of the network's other hosts
 * follow: their prefix is replaced and their interface identifier is kept.
 */
import { type Ipv6Prefix, parseIpv6Prefix, USUAL_PREFIX_BITS } from '../rules/ipv6-prefix.ts'
import { lastOf, PREFIX_PARAMETERS, type Parameters, valuesOf } from './parameters.ts'
import { type CallerAddress, readAddresses, type WantedAddresses } from './requested-addresses.ts'
import { hostOf, HOSTS_LIMIT } from './requested-names.ts'

export interface RelatedWish {
  /** The new prefix of every name below an updated name that has an IPv6 address. */
  readonly prefix: Ipv6Prefix | undefined
  /** Addresses of single names, from `myipv6:nas.home.example=` (deSEC). */
  readonly named: ReadonlyMap<string, WantedAddresses>
}

const NAMED_PARAMETER = /^(myipv[46]):(.+)$/

/** Addresses of single names; undefined when one of them is invalid. */
function readNamed(
  parameters: Parameters,
  caller: CallerAddress,
): ReadonlyMap<string, WantedAddresses> | undefined {
  const named = new Map<string, WantedAddresses>()
  for (const key of Object.keys(parameters)) {
    if (!key.includes(':')) continue
    const [, parameter, text = ''] = NAMED_PARAMETER.exec(key) ?? []
    if (parameter === undefined) continue
    const name = hostOf(text)
    const values = valuesOf(parameters, key)
    const wanted = readAddresses({ [parameter]: values }, caller, false)
    if (name === undefined || wanted === undefined) return undefined
    if (named.size === HOSTS_LIMIT && !named.has(name)) return undefined
    named.set(name, { ...named.get(name), ...wanted })
  }
  return named
}

/** The prefix from its own parameter; null without the parameter, undefined when it is invalid. */
function readPrefix(
  parameters: Parameters,
  { detected }: CallerAddress,
): Ipv6Prefix | null | undefined {
  for (const name of PREFIX_PARAMETERS) {
    const text = lastOf(parameters, name)
    if (text === '' || text === '-' || /^(no|preserve)$/i.test(text)) continue
    if (!/^auto$/i.test(text)) return parseIpv6Prefix(text, USUAL_PREFIX_BITS)
    return (detected && parseIpv6Prefix(detected, USUAL_PREFIX_BITS)) || null
  }
  return null
}

/**
 * Reads what a request says about further names.
 *
 * @param network network of the request's addresses, used when no parameter gives the prefix
 * @returns undefined when the request does not mention further names; null when a value is invalid
 */
export function readRelated(
  parameters: Parameters,
  caller: CallerAddress,
  network: Ipv6Prefix | undefined,
): RelatedWish | null | undefined {
  const given = readPrefix(parameters, caller)
  const named = readNamed(parameters, caller)
  if (given === undefined || named === undefined) return null
  const prefix = given ?? network
  return prefix === undefined && named.size === 0 ? undefined : { prefix, named }
}
