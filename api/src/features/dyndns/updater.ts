/*
 * One update request, from credentials to the answer.
 *
 *   dialect ─► what is wanted ─► caller and names as they are (one gathered read)
 *                                     ├─► nochg, nohost, abuse …
 *                                     └─► coalescer ─► good ─► names that follow
 *
 * The caller is always settled first: whoever is not signed in learns nothing about
 * names. What was answered is recorded for the owners of the names.
 */
import type { UpdateHint } from '@homing/openapi'
import type { Knex } from 'knex'
import type { AddressPolicy } from '../../domain/addresses.ts'
import type { Actor } from '../../feed/address-change.ts'
import { type HostOutcome, lineOf, type RequestOutcome, type UpdateAnswer } from './answer.ts'
import { type Claim, readClaim } from './authorization.ts'
import type { CallLog, ReceivedCall } from './call-log.ts'
import { hintOf } from './hints.ts'
import type { HostState } from './host-reader.ts'
import {
  type HostUpdateOptions,
  type Order,
  RETRY_AFTER_SECONDS,
  updateHost,
} from './host-update.ts'
import type { Parameters } from './parameters.ts'
import { readable } from './readable-parameters.ts'
import { updateRelated, withRelated } from './related-update.ts'
import { hostOf, HOSTS_LIMIT } from './requested-names.ts'
import type { Dialect, UpdateRequest } from './update-request.ts'
import type { Verification, Verifier } from './verify.ts'
import { grantWildcards } from './wildcard-wish.ts'

export interface UpdaterOptions extends HostUpdateOptions {
  readonly verifier: Verifier
  readonly knex: Knex
  readonly addressPolicy: AddressPolicy
  readonly calls: CallLog
  /** Whether the passwords of accounts are taken. */
  readonly takesPasswords: boolean
  /** Parts of User-Agents, in lower case, whose calls are refused. */
  readonly blockedAgents: readonly string[]
  readonly now: () => Date
}

export interface UpdateCall {
  readonly dialect: Dialect
  /** The URL as the contract writes it. */
  readonly path: string
  /** The header as it came. */
  readonly authorization: string | undefined
  /** Of path, query and form, with names in lower case. */
  readonly parameters: Parameters
  /** Where the request came from; IPv4-mapped addresses as IPv4. */
  readonly ip: string
  /** The address for names when none is given; undefined when it cannot be told, though `ip` may be the proxy's. */
  readonly detected: string | undefined
  /** The User-Agent. */
  readonly client: string | null
  /** HEAD: are the credentials right? Nothing is written. */
  readonly isTest: boolean
  /** Over HTTP, though the service is reached by HTTPS. */
  readonly isOpen: boolean
  /** Whether the request line held more than one URL. */
  readonly hasTwoUrls: boolean
}

/** Somebody whose credentials are right. */
type Caller = Extract<Verification, { readonly userId: string }>

/** What was answered for one name. */
type Said = Pick<ReceivedCall, 'fqdn' | 'answer' | 'isOwners'>

/** An answer, with what it said of which name. */
interface Settled {
  readonly answer: UpdateAnswer
  readonly said: readonly Said[]
  readonly found: readonly UpdateHint[]
}

/** The caller as a name's history knows them. */
function actorOf(caller: Caller, { ip: sourceIp, client }: UpdateCall): Actor {
  const source = { sourceIp, client }
  if (caller.kind === 'key') return { kind: 'api_key', id: caller.keyId, ...source }
  if (caller.kind === 'token') return { kind: 'update_token', id: caller.tokenId, ...source }
  return { kind: 'password', id: caller.userId, ...source }
}

/** The names of a request, each once. Of too many, those that would have been looked at. */
function namesOf({ hosts }: UpdateRequest): string[] {
  const names = hosts.slice(0, HOSTS_LIMIT).filter((host) => host !== undefined)
  return names.length === 1 ? names : [...new Set(names)]
}

/** What is wrong with a request before any name is looked at. */
const faultOf = ({ hosts }: UpdateRequest): RequestOutcome | undefined =>
  hosts.length > HOSTS_LIMIT ? { code: 'numhost' } : undefined

function settledOnce(request: UpdateRequest, outcome: RequestOutcome): Settled {
  const said = namesOf(request).map((fqdn) => ({ fqdn, answer: outcome.code, isOwners: false }))
  return { answer: request.answers.once(outcome), said, found: [] }
}

/** Why a caller gets no further. */
function refusalOf(caller: Exclude<Verification, Caller>): RequestOutcome {
  if (caller.kind === 'wrong') return { code: 'badauth' }
  if (caller.kind === 'blocked') return { code: 'abuse' }
  return { code: '911', retryAfterSeconds: caller.retryAfterSeconds }
}

export class Updater {
  readonly #options: UpdaterOptions

  constructor(options: UpdaterOptions) {
    this.#options = options
  }

  /** Answers a request; it never throws. */
  async answer(call: UpdateCall): Promise<UpdateAnswer> {
    const { dialect, parameters, detected } = call
    const request = dialect.read(parameters, { detected, policy: this.#options.addressPolicy })
    const claim = readClaim(call.authorization, parameters)
    const settled = await this.#settle(call, request, claim)
    if (!call.isTest) this.#record(call, request, claim, settled)
    return settled.answer
  }

  async #settle(call: UpdateCall, request: UpdateRequest, claim: Claim): Promise<Settled> {
    const { takesPasswords } = this.#options
    if (this.#isBlockedAgent(call)) return settledOnce(request, { code: 'badagent' })
    if (claim.credentials === undefined) return settledOnce(request, { code: 'badauth' })
    if (claim.credentials.kind === 'password' && !takesPasswords) {
      return { ...settledOnce(request, { code: 'badauth' }), found: ['account-password'] }
    }
    const fault = faultOf(request)
    const names = call.isTest || fault ? [] : namesOf(request)
    try {
      const caller = await this.#verify(call, request, claim, names)
      if (!('userId' in caller)) return settledOnce(request, refusalOf(caller))
      if (call.isTest) return { answer: { status: 200, body: '' }, said: [], found: [] }
      if (fault) return settledOnce(request, fault)
      return await this.#update(call, request, names, caller)
    } catch (error) {
      this.#options.onError(error)
      return settledOnce(request, { code: 'dnserr', retryAfterSeconds: RETRY_AFTER_SECONDS })
    }
  }

  #isBlockedAgent({ client }: UpdateCall): boolean {
    const { blockedAgents } = this.#options
    if (blockedAgents.length === 0 || client === null) return false
    const agent = client.toLowerCase()
    return blockedAgents.some((part) => agent.includes(part))
  }

  /**
   * Settles the caller, and reads the names. Of a request without a name the user name is
   * one where it has the form, and it is the only one that the caller can write otherwise.
   * The label `home` can be that of the only name alone.
   */
  async #verify(
    call: UpdateCall,
    request: UpdateRequest,
    claim: Claim,
    names: readonly string[],
  ): Promise<Verification> {
    const { verifier } = this.#options
    const { credentials, username = '' } = claim
    if (credentials === undefined) return { kind: 'wrong' }
    const [label] = names
    if (names.length === 1 && label?.includes('.') === false) {
      const caller = await verifier.verify(credentials, [], call)
      if (!('userId' in caller)) return caller
      const [only] = caller.hosts
      return { ...caller, hosts: [only?.fqdn.startsWith(`${label}.`) ? only : undefined] }
    }
    const byUsername = request.hosts.length === 0 && !call.isTest ? hostOf(username) : undefined
    if (byUsername !== undefined) {
      const caller = await verifier.verify(credentials, [byUsername], call)
      if (!('userId' in caller) || caller.hosts[0] !== undefined) return caller
    }
    return verifier.verify(credentials, names, call)
  }

  /** A line for each name of the request. */
  async #update(
    call: UpdateCall,
    request: UpdateRequest,
    names: readonly string[],
    caller: Caller,
  ): Promise<Settled> {
    const [only] = caller.hosts
    // Texts that are no names stand for no name, but the owner of the only one may read of them.
    if (names.length === 0 && (request.hosts.length > 0 || only === undefined)) {
      const said = only ? [{ fqdn: only.fqdn, answer: 'notfqdn', isOwners: true }] : []
      const lines = request.hosts.map(() => ({ code: 'notfqdn' }) as const)
      const { once, each } = request.answers
      const answer = lines.length > 0 ? each(lines) : once({ code: 'notfqdn' })
      return { answer, said, found: [] }
    }
    const order = this.#orderOf(call, request, caller)
    const updates = caller.hosts.map((host) => updateHost(this.#options, host, order))
    const outcomes = await Promise.all(updates)
    const related = await this.#follow(request, caller, outcomes, order)
    const whole = outcomes.map((outcome) => withRelated(outcome, related.outcomes))
    const said = whole.map((outcome, n) => {
      const host: HostState | undefined = caller.hosts[n]
      const fqdn = host?.fqdn ?? names[n] ?? ''
      return { fqdn, answer: lineOf(outcome), isOwners: host !== undefined }
    })
    const lines = request.hosts.length === 0 ? whole : linesOf(request, names, whole)
    const found = [
      ...(caller.kind === 'account' ? WITH_PASSWORD : []),
      ...related.found,
      ...(await this.#grantWildcards(request, caller, outcomes, order)),
    ]
    return { answer: request.answers.each(lines), said, found }
  }

  #orderOf(call: UpdateCall, request: UpdateRequest, caller: Caller): Order {
    return {
      userId: caller.userId,
      actor: actorOf(caller, call),
      caller: { detected: call.detected, policy: this.#options.addressPolicy },
      wanted: request.addresses,
    }
  }

  /** Updates the names that follow those which were just updated. A token reaches no name but its own. */
  async #follow(
    { related }: UpdateRequest,
    caller: Caller,
    outcomes: readonly HostOutcome[],
    order: Order,
  ) {
    const bases = updatedHosts(caller, outcomes).map(({ fqdn }) => fqdn)
    if (related === undefined || bases.length === 0) return NOTHING_FOLLOWS
    if (caller.kind !== 'token') return updateRelated(this.#options, bases, related, order)
    return related.named.size > 0 ? NOT_REACHED : NOTHING_FOLLOWS
  }

  /** The addresses are stored by now, so a wildcard that cannot be made is no reason to answer otherwise. */
  async #grantWildcards(
    { wantsWildcard }: UpdateRequest,
    caller: Caller,
    outcomes: readonly HostOutcome[],
    { userId, actor }: Order,
  ): Promise<readonly UpdateHint[]> {
    if (!wantsWildcard) return []
    const domainIds = updatedHosts(caller, outcomes).map(({ domainId }) => domainId)
    try {
      return await grantWildcards(this.#options.knex, userId, domainIds, actor)
    } catch (error) {
      this.#options.onError(error)
      return []
    }
  }

  #record(call: UpdateCall, request: UpdateRequest, claim: Claim, settled: Settled): void {
    const kept = settled.said.filter((each) => this.#options.calls.admits(each))
    if (kept.length === 0) return
    const { isOpen, hasTwoUrls, ip: sourceIp, client, path, dialect } = call
    const { found } = settled
    const hint = hintOf({ request, claim, isOpen, hasTwoUrls, found })
    const common = {
      at: this.#options.now(),
      sourceIp,
      client,
      dialect: dialect.name,
      path,
      hint,
    }
    for (const each of kept) {
      const said = readable(request.parameters, each.isOwners)
      this.#options.calls.record({ ...common, said, ...each })
    }
  }
}

const WITH_PASSWORD: readonly UpdateHint[] = ['account-password']
const NOTHING_FOLLOWS = { outcomes: [], found: [] } as const
const NOT_REACHED = { outcomes: [], found: ['related-name-not-reached'] } as const

/** The names that are as the request wants them now. */
function updatedHosts({ hosts }: Caller, outcomes: readonly HostOutcome[]): HostState[] {
  return hosts.filter(
    (host, n) => host !== undefined && 'said' in (outcomes[n] ?? {}),
  ) as HostState[]
}

/** The outcomes in the order of the request, where a name may stand several times. */
function linesOf(
  { hosts }: UpdateRequest,
  names: readonly string[],
  outcomes: readonly HostOutcome[],
): HostOutcome[] {
  const byName = new Map(names.map((name, n) => [name, outcomes[n]]))
  return hosts.map((host) => (host && byName.get(host)) || { code: 'notfqdn' })
}
