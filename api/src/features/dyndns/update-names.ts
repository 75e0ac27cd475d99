/** Updates the domains of a request after its caller was authenticated. */
import type { UpdateHint } from '@homing/openapi'
import type { AddressPolicy } from '../../rules/addresses.ts'
import { faultsOf, type KeyScope } from '../../rules/key-scope.ts'
import { keyActor } from '../../caller/principal.ts'
import type { Actor } from '../../feed/address-change.ts'
import { type HostOutcome, lineOf } from '../../update-protocol/answer.ts'
import type { HostState } from './host-reader.ts'
import { carryOut, isOutcome, isTypeOutside, type Order, outcomeOrChange } from './host-update.ts'
import {
  type RelatedResult,
  type RelatedUpdateOptions,
  updateRelated,
  withRelated,
} from './related-update.ts'
import type { Settled, UpdateCall } from './update-call.ts'
import type { UpdateRequest } from '../../update-protocol/update-request.ts'
import type { Verification } from './verify.ts'
import { grantWildcards, type WildcardRules } from './wildcard-wish.ts'

export interface NamesUpdateOptions extends RelatedUpdateOptions, WildcardRules {
  readonly addressPolicy: AddressPolicy
}

/** A caller with valid credentials. */
export type Caller = Extract<Verification, { readonly userId: string }>

export const isCaller = (verification: Verification): verification is Caller =>
  verification.kind === 'account' || verification.kind === 'key' || verification.kind === 'token'

const WITH_PASSWORD: readonly UpdateHint[] = ['account-password']
const FORWARDED: readonly UpdateHint[] = ['forwarded']
const NONE: readonly UpdateHint[] = []
const NOTHING_FOLLOWS = { outcomes: [], found: [] } as const
const NOT_REACHED = { outcomes: [], found: ['related-name-not-reached'] } as const

/** The caller, as the history of a domain records it. */
function actorOf(caller: Caller, { ip: sourceIp, client }: UpdateCall): Actor {
  if (caller.kind === 'key') return { ...keyActor(caller), sourceIp, client }
  if (caller.kind === 'token') return { kind: 'update_token', id: caller.tokenId, sourceIp, client }
  return { kind: 'password', id: caller.userId, sourceIp, client }
}

/** The request has only invalid names. If the caller has only one domain, its owner sees this in the update calls. */
function settleUnnamed({ hosts, answers }: UpdateRequest, only: HostState | undefined): Settled {
  const said = only ? [{ fqdn: only.fqdn, answer: 'notfqdn', isOwners: true }] : []
  const lines = hosts.map(() => ({ code: 'notfqdn' }) as const)
  const answer = lines.length > 0 ? answers.each(lines) : answers.once({ code: 'notfqdn' })
  return { answer, said, found: [] }
}

/** The hints for the owner about the credentials. */
function hintsOfCaller(caller: Caller, order: Order): readonly UpdateHint[] {
  if (caller.kind === 'account') return WITH_PASSWORD
  if (caller.kind === 'token' || caller.scope === undefined) return NONE
  const hints: UpdateHint[] = []
  if (caller.isNameOutside === true) hints.push('key-domain')
  if (caller.hosts.some((host) => host !== undefined && isTypeOutside(host, order))) {
    hints.push('key-record-type')
  }
  return hints
}

/** A forwarded domain whose address the client sends again, because it does not find it in DNS. */
const isSentAgain = (host: HostState | undefined, outcome: HostOutcome | undefined): boolean =>
  host?.isForwarded === true && outcome?.code === 'nochg'

/** The domains that now have the requested addresses. */
function updatedHosts({ hosts }: Caller, outcomes: readonly HostOutcome[]): HostState[] {
  return hosts.filter(
    (host, n) => host !== undefined && 'said' in (outcomes[n] ?? {}),
  ) as HostState[]
}

/** The outcomes in the order of the request, which may name a domain several times. */
function linesOf(
  { hosts }: UpdateRequest,
  names: readonly string[],
  outcomes: readonly HostOutcome[],
): readonly HostOutcome[] {
  // With as many names as texts, each text is a name and occurs once.
  if (hosts.length === names.length || hosts.length === 0) return outcomes
  const byName = new Map(names.map((name, n) => [name, outcomes[n]]))
  return hosts.map((host) => (host && byName.get(host)) || { code: 'notfqdn' })
}

/** Updates the domains that follow those that were just updated. A token reaches only its own domain. */
async function follow(
  options: NamesUpdateOptions,
  { related }: UpdateRequest,
  caller: Caller,
  outcomes: readonly HostOutcome[],
  order: Order,
): Promise<RelatedResult> {
  const bases = updatedHosts(caller, outcomes).map(({ fqdn }) => fqdn)
  if (related === undefined || bases.length === 0) return NOTHING_FOLLOWS
  if (caller.kind !== 'token') return updateRelated(options, bases, related, order)
  return related.named.size > 0 ? NOT_REACHED : NOTHING_FOLLOWS
}

/** A wildcard is an additional domain, and follows both families of its base. If a domain is in scope, its wildcard is too. */
const mayMakeWildcards = (scope: KeyScope): boolean =>
  faultsOf({ scope, endsAt: null }, { action: 'create', recordTypes: ['A', 'AAAA'] }).length === 0

/** The addresses are already stored, so a wildcard that cannot be created does not change the answer. */
async function giveWildcards(
  options: NamesUpdateOptions,
  caller: Caller,
  outcomes: readonly HostOutcome[],
  { userId, actor, scope }: Order,
): Promise<readonly UpdateHint[]> {
  if (scope !== undefined && !mayMakeWildcards(scope)) return []
  const domainIds = updatedHosts(caller, outcomes).map(({ domainId }) => domainId)
  try {
    return await grantWildcards(options, userId, domainIds, actor)
  } catch (error) {
    options.onError(error)
    return []
  }
}

/**
 * Sets the domains of a request to its addresses: one line for each.
 *
 * @param names each name of the request once; the caller's hosts are in this order
 * @throws Error of PostgreSQL when it is unavailable
 */
export async function updateNames(
  options: NamesUpdateOptions,
  call: UpdateCall,
  request: UpdateRequest,
  names: readonly string[],
  caller: Caller,
): Promise<Settled> {
  const { hosts } = caller
  if (names.length === 0 && (request.hosts.length > 0 || hosts[0] === undefined)) {
    return settleUnnamed(request, hosts[0])
  }
  const order: Order = {
    userId: caller.userId,
    actor: actorOf(caller, call),
    caller: { detected: call.detected, policy: options.addressPolicy },
    wanted: request.addresses,
    scope: caller.kind === 'key' ? caller.scope : undefined,
  }
  const steps = hosts.map((host) => outcomeOrChange(host, order))
  // Most domains need no change, and awaiting costs as much as reading a request.
  const outcomes = steps.every(isOutcome)
    ? steps
    : await Promise.all(steps.map(async (step) => carryOut(options, step, order)))
  const related = request.related && (await follow(options, request, caller, outcomes, order))
  const whole = related
    ? outcomes.map((outcome) => withRelated(outcome, related.outcomes))
    : outcomes
  const wildcards = request.wantsWildcard
    ? await giveWildcards(options, caller, outcomes, order)
    : []
  return {
    answer: request.answers.each(linesOf(request, names, whole)),
    said: whole.map((outcome, n) => ({
      fqdn: hosts[n]?.fqdn ?? names[n] ?? '',
      answer: lineOf(outcome),
      isOwners: hosts[n] !== undefined,
    })),
    found: [
      ...hintsOfCaller(caller, order),
      ...(hosts.some((host, n) => isSentAgain(host, outcomes[n])) ? FORWARDED : NONE),
      ...(related?.found ?? []),
      ...wildcards,
    ],
  }
}
