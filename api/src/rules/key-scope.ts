/**
 * What an API key may do. This module alone decides it, for every path that a key takes: the API's
 * routes, the update URLs, and the query for a key's permissions.
 *
 * A key without a scope reaches all names of its account. A limit of the scope applies everywhere.
 * A scope never grants what keys cannot reach: other keys, passwords, payments, administration.
 * Each operation's access in the contract says whether keys reach it.
 */
import type { KeyAction, RecordType, ScopeRecordType } from '@homing/openapi/vocabulary'
import ipaddr from 'ipaddr.js'
import { Refusal } from './errors.ts'

/** What a key may do; null does not limit. */
export interface KeyScope {
  /** Names in stored form, and patterns. A star matches everything before it, or part of the first label. */
  readonly domains: string[] | null
  readonly actions: KeyAction[] | null
  readonly record_types: ScopeRecordType[] | null
  /** CIDR. */
  readonly networks: string[] | null
}

/** The scope of an unrestricted key. */
export const EVERYTHING = {
  domains: null,
  actions: null,
  record_types: null,
  networks: null,
} as const satisfies KeyScope

/** The limits of a key; null does not limit. */
export interface KeyLimits {
  readonly scope: KeyScope | null
  /** Expiry time. The key has expired at that moment. */
  readonly endsAt: Date | null
}

/** The use of a key that is to be checked. Omitted fields are not checked. */
export interface KeyUse {
  readonly action?: KeyAction | undefined
  /** In stored form. */
  readonly fqdn?: string
  /** Also types that a scope cannot name: a key with a limit of types cannot set them. */
  readonly recordTypes?: readonly string[]
  /** The caller's address. */
  readonly ip?: string
  readonly at?: Date
}

export type KeyFault = 'expired' | 'action' | 'network' | 'domain' | 'record-type'

/** The account whose names a call reaches, and which of its names. */
export interface Reach {
  readonly userId: string
  /** Undefined: all names. */
  readonly scope: KeyScope | undefined
}

/** Whether a pattern (`*.ci.example.net`, `ci-*.example.net`) or a name matches a name. */
export function stands(pattern: string, fqdn: string): boolean {
  const star = pattern.indexOf('*')
  if (star < 0) return pattern === fqdn
  if (pattern.startsWith('*.')) return fqdn.endsWith(pattern.slice(1)) && !fqdn.startsWith('*.*')
  const [before, after] = [pattern.slice(0, star), pattern.slice(star + 1)]
  const middle = fqdn.length - before.length - after.length
  return (
    middle >= 0 &&
    fqdn.startsWith(before) &&
    fqdn.endsWith(after) &&
    // The star is part of one label.
    !fqdn.slice(before.length, before.length + middle).includes('.')
  )
}

/** Whether a name is in a scope. A wildcard belongs to its base name. */
export function scopeHolds({ domains }: KeyScope, fqdn: string): boolean {
  if (domains === null) return true
  const base = fqdn.startsWith('*.') ? fqdn.slice(2) : undefined
  return domains.some(
    (pattern) => stands(pattern, fqdn) || (base !== undefined && stands(pattern, base)),
  )
}

/** Whether a scope holds a name, or names below it. */
export function scopeReaches(scope: KeyScope, fqdn: string): boolean {
  const { domains } = scope
  return (
    scopeHolds(scope, fqdn) ||
    domains === null ||
    domains.some((pattern) => pattern.endsWith(`.${fqdn}`))
  )
}

/**
 * Whether a record is in a scope: its owner name is, or the domain or zone that it belongs to.
 *
 * @param home the domain at or above the owner name; without one, the zone
 */
export const scopeHoldsRecord = (scope: KeyScope, owner: string, home: string): boolean =>
  scopeHolds(scope, owner) || scopeHolds(scope, home)

function networksHold(networks: readonly string[], ip: string): boolean {
  const address = ipaddr.process(ip)
  return networks.some((network) => {
    const [first, bits] = ipaddr.parseCIDR(network)
    return first.kind() === address.kind() && address.match(first, bits)
  })
}

const allowsType = (types: readonly string[], type: string) => types.includes(type)

/** Every reason why a key does not allow a use; empty when it allows the use. */
export function faultsOf({ scope, endsAt }: KeyLimits, use: KeyUse): KeyFault[] {
  const faults: KeyFault[] = []
  const { action, fqdn, recordTypes = [], ip, at } = use
  if (endsAt !== null && at !== undefined && endsAt <= at) faults.push('expired')
  if (scope === null) return faults
  const { actions, record_types: types, networks } = scope
  if (action !== undefined && actions?.includes(action) === false) faults.push('action')
  if (ip !== undefined && networks !== null && !networksHold(networks, ip)) faults.push('network')
  if (fqdn !== undefined && !scopeHolds(scope, fqdn)) faults.push('domain')
  if (types !== null && recordTypes.some((type) => !allowsType(types, type)))
    faults.push('record-type')
  return faults
}

const list = (items: readonly string[] | null | undefined) => items?.join(', ') ?? 'everything'

/** The fault in words, for the key's owner. */
export function faultText(fault: KeyFault, { scope, endsAt }: KeyLimits, use: KeyUse): string {
  const { action = '', fqdn = '', ip = '' } = use
  const texts: Readonly<Record<KeyFault, () => string>> = {
    expired: () => `The API key expired at ${endsAt?.toISOString() ?? ''}.`,
    action: () =>
      `This API key is not allowed to ${action}. Its scope allows: ${list(scope?.actions)}.`,
    network: () =>
      `This API key is not allowed from ${ip}. Its scope allows: ${list(scope?.networks)}.`,
    domain: () =>
      `This API key has no access to ${fqdn}. Its scope allows: ${list(scope?.domains)}.`,
    'record-type': () =>
      `This API key is not allowed to set or remove ${list(
        use.recordTypes?.filter((type) => !allowsType(scope?.record_types ?? [], type)),
      )} records. Its scope allows: ${list(scope?.record_types)}.`,
  }
  return texts[fault]()
}

/** Why a key does not allow a use: `unauthenticated` when it has expired, otherwise `key-scope`. */
export function useRefusal(limits: KeyLimits, use: KeyUse): Refusal | undefined {
  const [fault] = faultsOf(limits, use)
  if (fault === undefined) return undefined
  const code = fault === 'expired' ? 'unauthenticated' : 'key-scope'
  return new Refusal(code, faultText(fault, limits, use))
}

/**
 * Refuses a use outside the caller's scope, once the name and its records are known.
 *
 * @throws Refusal `key-scope`
 */
export function requireWithin({ scope }: Reach, use: KeyUse): void {
  const refusal = scope && useRefusal({ scope, endsAt: null }, use)
  if (refusal !== undefined) throw refusal
}

/** The record types that a pair of addresses sets or removes. A family that is left out is kept. */
export function recordTypesOf(addresses: {
  readonly ipv4?: string | null | undefined
  readonly ipv6?: string | null | undefined
}): RecordType[] {
  return [
    ...(addresses.ipv4 === undefined ? [] : (['A'] as const)),
    ...(addresses.ipv6 === undefined ? [] : (['AAAA'] as const)),
  ]
}

/** The types of the records that a name holds. */
export function heldTypes(name: {
  readonly record_ipv4: string | null
  readonly record_ipv6: string | null
}): RecordType[] {
  return [
    ...(name.record_ipv4 === null ? [] : (['A'] as const)),
    ...(name.record_ipv6 === null ? [] : (['AAAA'] as const)),
  ]
}
