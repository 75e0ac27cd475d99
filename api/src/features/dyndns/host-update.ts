/** Sets one domain to the addresses that a request wants, through the coalescer. */
import { type KeyScope, faultsOf, recordTypesOf } from '../../rules/key-scope.ts'
import { type Ipv6Prefix, isInIpv6Prefix, withIpv6Prefix } from '../../rules/ipv6-prefix.ts'
import { type Actor, Overloaded, UpdateNotStored, type Verdict } from '../../feed/address-change.ts'
import type { AddressCoalescer } from '../../feed/coalescer.ts'
import type { HostOutcome } from '../../update-protocol/answer.ts'
import type { HostState } from './host-reader.ts'
import {
  allowedAddress,
  type CallerAddress,
  type WantedAddresses,
} from '../../update-protocol/requested-addresses.ts'

/** When PostgreSQL is unavailable or the queue is full. */
export const RETRY_AFTER_SECONDS = 30

export interface HostUpdateOptions {
  readonly coalescer: AddressCoalescer
  /** Whether the limit of changes per domain applies. */
  readonly isThrottled: boolean
  /** Called with errors that the caller sees only as `dnserr`. */
  readonly onError: (error: unknown) => void
}

/** The owner, the caller and the requested addresses. */
export interface Order {
  readonly userId: string
  readonly actor: Actor
  readonly caller: CallerAddress
  /** Undefined when the requested addresses are not allowed. */
  readonly wanted: WantedAddresses | undefined
  /** The scope of the key, if the caller uses a key with a scope. */
  readonly scope?: KeyScope | undefined
}

interface Target {
  readonly ipv4?: string | null | undefined
  readonly ipv6?: string | null | undefined
  readonly said: string
}

/**
 * A domain's IPv6 address in a new prefix: it keeps its interface identifier; otherwise the caller's own address, if it
 * is in the prefix.
 */
export function inPrefix(
  prefix: Ipv6Prefix,
  host: HostState,
  { detected, policy }: CallerAddress,
): string | undefined {
  if (host.ipv6 !== null) return allowedAddress(withIpv6Prefix(prefix, host.ipv6), policy)?.text
  if (detected === undefined || !isInIpv6Prefix(prefix, detected)) return undefined
  return allowedAddress(detected, policy)?.text
}

/** The addresses that one domain is to get; undefined if it can get none of the requested addresses. */
function targetOf(host: HostState, wanted: WantedAddresses, caller: CallerAddress) {
  const { ipv4, ipv6Prefix, said } = wanted
  if (ipv6Prefix === undefined) return wanted
  const ipv6 = inPrefix(ipv6Prefix, host, caller)
  if (ipv6 === undefined) return ipv4 === undefined ? undefined : { ipv4, said }
  return { ipv4, ipv6, said: said === '' ? ipv6 : `${said},${ipv6}` }
}

/** Whether a domain already has the wanted addresses. */
function isAsWanted(host: HostState, { ipv4, ipv6 }: Target): boolean {
  return (ipv4 === undefined || host.ipv4 === ipv4) && (ipv6 === undefined || host.ipv6 === ipv6)
}

/** The addresses that an answer repeats; for a request that keeps everything, those of the domain. */
function saidOf(host: HostState, { ipv4, ipv6, said }: Target): string {
  if (said !== '' || ipv4 !== undefined || ipv6 !== undefined) return said
  return [host.ipv4, host.ipv6].filter((address) => address !== null).join(',')
}

function outcomeOf(verdict: Verdict, said: string): HostOutcome {
  if (verdict.kind === 'changed') return { code: 'good', said }
  if (verdict.kind === 'unchanged') return { code: 'nochg', said }
  if (verdict.kind === 'withheld') return { code: 'abuse' }
  if (verdict.kind === 'throttled') {
    return { code: '911', retryAfterSeconds: verdict.retryAfterSeconds }
  }
  // The domain was deleted after it was read.
  return { code: 'nohost' }
}

/** A domain whose addresses must be stored. */
interface HostChange {
  readonly host: HostState
  readonly target: Target
  readonly said: string
}

/** Whether a key may set the wanted records. */
const mayHave = (scope: KeyScope, target: Target): boolean =>
  faultsOf({ scope, endsAt: null }, { recordTypes: recordTypesOf(target) }).length === 0

/** Whether only the key prevents the change, because it may not set records of this type. */
export function isTypeOutside(host: HostState, { wanted, caller, scope }: Order): boolean {
  const target = wanted && targetOf(host, wanted, caller)
  return target !== undefined && scope !== undefined && !mayHave(scope, target)
}

/** The outcome for a domain that was just read, or the change that must be stored first. */
export function outcomeOrChange(
  host: HostState | undefined,
  { wanted, caller, scope }: Order,
): HostOutcome | HostChange {
  if (host === undefined) return { code: 'nohost' }
  const target = wanted && targetOf(host, wanted, caller)
  if (target === undefined) return { code: 'dnserr' }
  if (scope !== undefined && !mayHave(scope, target)) return { code: 'dnserr' }
  if (host.isWithheld) return { code: 'abuse' }
  const said = saidOf(host, target)
  return isAsWanted(host, target) ? { code: 'nochg', said } : { host, target, said }
}

export const isOutcome = (step: HostOutcome | HostChange): step is HostOutcome => 'code' in step

/** Stores the change, if a change is needed. `good` is returned only after COMMIT. */
export async function carryOut(
  { coalescer, isThrottled, onError }: HostUpdateOptions,
  step: HostOutcome | HostChange,
  { userId, actor }: Order,
): Promise<HostOutcome> {
  if (isOutcome(step)) return step
  const { domainId, version: seenVersion } = step.host
  const { ipv4, ipv6 } = step.target
  try {
    const change = { domainId, userId, ipv4, ipv6, seenVersion, isThrottled, actor }
    return outcomeOf(await coalescer.submit(change), step.said)
  } catch (error) {
    if (error instanceof Overloaded) return { code: '911', retryAfterSeconds: RETRY_AFTER_SECONDS }
    if (!(error instanceof UpdateNotStored)) throw error
    onError(error)
    return { code: 'dnserr', retryAfterSeconds: RETRY_AFTER_SECONDS }
  }
}
