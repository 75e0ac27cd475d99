/** Bringing one name to the addresses that a request wants, by the coalescer. */
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

/** When PostgreSQL is away or the queue is full. */
export const RETRY_AFTER_SECONDS = 30

export interface HostUpdateOptions {
  readonly coalescer: AddressCoalescer
  /** Whether a name's allowance of changes is asked. */
  readonly isThrottled: boolean
  /** Hears of errors that the caller is only told as `dnserr`. */
  readonly onError: (error: unknown) => void
}

/** Who brings names to which addresses. */
export interface Order {
  readonly userId: string
  readonly actor: Actor
  readonly caller: CallerAddress
  /** Undefined: names may not have what was asked for. */
  readonly wanted: WantedAddresses | undefined
  /** What the key is for, of a caller whose key is not for everything. */
  readonly scope?: KeyScope | undefined
}

interface Target {
  readonly ipv4?: string | null | undefined
  readonly ipv6?: string | null | undefined
  readonly said: string
}

/** A name's IPv6 address in a new prefix: its own interface id stays, else the caller's own address where it lies there. */
export function inPrefix(
  prefix: Ipv6Prefix,
  host: HostState,
  { detected, policy }: CallerAddress,
): string | undefined {
  if (host.ipv6 !== null) return allowedAddress(withIpv6Prefix(prefix, host.ipv6), policy)?.text
  if (detected === undefined || !isInIpv6Prefix(prefix, detected)) return undefined
  return allowedAddress(detected, policy)?.text
}

/** What is wanted of one name in particular; undefined where nothing is left that it could have. */
function targetOf(host: HostState, wanted: WantedAddresses, caller: CallerAddress) {
  const { ipv4, ipv6Prefix, said } = wanted
  if (ipv6Prefix === undefined) return wanted
  const ipv6 = inPrefix(ipv6Prefix, host, caller)
  if (ipv6 === undefined) return ipv4 === undefined ? undefined : { ipv4, said }
  return { ipv4, ipv6, said: said === '' ? ipv6 : `${said},${ipv6}` }
}

/** Whether a name holds what is wanted of it. */
function isAsWanted(host: HostState, { ipv4, ipv6 }: Target): boolean {
  return (ipv4 === undefined || host.ipv4 === ipv4) && (ipv6 === undefined || host.ipv6 === ipv6)
}

/** What an answer repeats: of a request that keeps everything, what the name has. */
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
  // Deleted since it was read.
  return { code: 'nohost' }
}

/** A name whose addresses have to be stored. */
interface HostChange {
  readonly host: HostState
  readonly target: Target
  readonly said: string
}

/** Whether a key may set what is wanted of a name. */
const mayHave = (scope: KeyScope, target: Target): boolean =>
  faultsOf({ scope, endsAt: null }, { recordTypes: recordTypesOf(target) }).length === 0

/** Whether a key is what stands between a name and what is wanted of it: it may not set records of that type. */
export function isTypeOutside(host: HostState, { wanted, caller, scope }: Order): boolean {
  const target = wanted && targetOf(host, wanted, caller)
  return target !== undefined && scope !== undefined && !mayHave(scope, target)
}

/** What is said of a name that was just read, or what has to be stored before anything is said. */
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

/** Stores what has to be. `good` is said after COMMIT alone. */
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
