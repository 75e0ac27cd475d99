/**
 * Whether a change lets an API key do more than before. Such a change is as dangerous as a new key: it requires a fresh
 * proof of identity, and the owner is notified by mail. A change that does not provably narrow the key widens it.
 */
import ipaddr from 'ipaddr.js'
import { EVERYTHING, type KeyScope, stands } from './key-scope.ts'

/** What a key may do, and for how long. */
export interface KeyGrant {
  readonly scope: KeyScope | null
  readonly expiresAt: Date | null
  /** Days without use after which the key expires. */
  readonly unusedDays: number | null
}

/** The name below which a pattern matches, and what its first label must begin and end with. */
function partsOf(pattern: string) {
  const [label = '', ...rest] = pattern.split('.')
  const [before = '', after = ''] = label.split('*')
  return { before, after, rest: rest.join('.') }
}

/** Whether a pattern matches all that another pattern or name matches. */
function includesPattern(pattern: string, other: string): boolean {
  if (pattern === other) return true
  if (!other.includes('*')) return stands(pattern, other)
  if (!pattern.includes('*')) return false
  const [wide, narrow] = [partsOf(pattern), partsOf(other)]
  if (pattern.startsWith('*.')) {
    return narrow.rest === wide.rest || narrow.rest.endsWith(`.${wide.rest}`)
  }
  return (
    narrow.rest === wide.rest &&
    !other.startsWith('*.') &&
    narrow.before.startsWith(wide.before) &&
    narrow.after.endsWith(wide.after)
  )
}

/** Whether a network contains another one. Both are CIDR. */
function includesNetwork(network: string, other: string): boolean {
  const [first, bits] = ipaddr.parseCIDR(network)
  const [address, otherBits] = ipaddr.parseCIDR(other)
  return first.kind() === address.kind() && otherBits >= bits && address.match(first, bits)
}

/** Whether a limit allows something that another one did not. Null does not limit. */
function isMore<T>(
  before: readonly T[] | null,
  after: readonly T[] | null,
  includes: (one: T, other: T) => boolean,
): boolean {
  if (before === null) return false
  if (after === null) return true
  return !after.every((wanted) => before.some((allowed) => includes(allowed, wanted)))
}

const isSame = <T>(one: T, other: T) => one === other

/** Whether a limit in numbers was raised or removed. */
const isLater = (before: number | null, after: number | null) =>
  before !== null && (after === null || after > before)

/** Whether a key may do more after a change, or for longer. */
export function isWidened(before: KeyGrant, after: KeyGrant): boolean {
  const [former, wanted] = [before.scope ?? EVERYTHING, after.scope ?? EVERYTHING]
  return (
    isMore(former.domains, wanted.domains, includesPattern) ||
    isMore(former.actions, wanted.actions, isSame) ||
    isMore(former.record_types, wanted.record_types, isSame) ||
    isMore(former.networks, wanted.networks, includesNetwork) ||
    isLater(before.expiresAt?.getTime() ?? null, after.expiresAt?.getTime() ?? null) ||
    isLater(before.unusedDays, after.unusedDays)
  )
}
