/*
 * One update request, from credentials to the answer.
 *
 *   caller ─► names as they are (one gathered read) ─► nochg, nohost, abuse …
 *                                                  └─► coalescer ─► good
 *
 * The caller is always settled first: whoever is not signed in learns nothing about
 * names.
 */
import type { AddressPolicy } from '../../domain/addresses.ts'
import { type Actor, Overloaded, UpdateNotStored, type Verdict } from '../../feed/address-change.ts'
import type { AddressCoalescer } from '../../feed/coalescer.ts'
import {
  answerLines,
  answerOnce,
  type HostOutcome,
  type RequestOutcome,
  type UpdateAnswer,
} from './answer.ts'
import { readAuthorization } from './authorization.ts'
import type { HostState } from './host-reader.ts'
import {
  HOSTS_LIMIT,
  type Parameters,
  readUpdateRequest,
  type UpdateRequest,
  type WantedAddresses,
} from './update-request.ts'
import type { Verification, Verifier } from './verify.ts'

export interface UpdaterOptions {
  readonly verifier: Verifier
  readonly coalescer: AddressCoalescer
  readonly addressPolicy: AddressPolicy
  /** Whether a name's allowance of changes is asked. */
  readonly isThrottled: boolean
  /** Hears of errors that the caller is only told as `dnserr`. */
  readonly onError: (error: unknown) => void
}

export interface UpdateCall {
  /** The header as it came. */
  readonly authorization: string | undefined
  readonly parameters: Parameters
  /** Where the request came from; IPv4-mapped addresses as IPv4. */
  readonly ip: string
  /** The address for names when none is given; undefined when it cannot be told, though `ip` may be the proxy's. */
  readonly detected: string | undefined
  /** The User-Agent. */
  readonly client: string | null
  /** HEAD: are the credentials right? Nothing is written. */
  readonly isTest: boolean
}

/** Somebody whose credentials are right. */
type Caller = Extract<Verification, { readonly userId: string }>

/** The caller as a name's history knows them. */
function actorOf(caller: Caller, { ip: sourceIp, client }: UpdateCall): Actor {
  const source = { sourceIp, client }
  if (caller.kind === 'key') return { kind: 'api_key', id: caller.keyId, ...source }
  if (caller.kind === 'token') return { kind: 'update_token', id: caller.tokenId, ...source }
  return { kind: 'password', id: caller.userId, ...source }
}

/** When PostgreSQL is away or the queue is full. */
const RETRY_AFTER_SECONDS = 30

/** Whether a name holds what is wanted of it. */
function isAsWanted(host: HostState, { ipv4, ipv6 }: WantedAddresses): boolean {
  return (ipv4 === undefined || host.ipv4 === ipv4) && (ipv6 === undefined || host.ipv6 === ipv6)
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

/** What is wrong with a request before any name is looked at. */
function faultOf({ hosts }: UpdateRequest): RequestOutcome | undefined {
  if (hosts.length === 0) return { code: 'notfqdn' }
  return hosts.length > HOSTS_LIMIT ? { code: 'numhost' } : undefined
}

export class Updater {
  readonly #options: UpdaterOptions

  constructor(options: UpdaterOptions) {
    this.#options = options
  }

  /** Answers a request; it never throws. */
  async answer(call: UpdateCall): Promise<UpdateAnswer> {
    const credentials = readAuthorization(call.authorization)
    if (credentials === undefined) return answerOnce({ code: 'badauth' })
    const request = readUpdateRequest(call.parameters, call.detected, this.#options.addressPolicy)
    const fault = faultOf(request)
    const names =
      call.isTest || fault ? [] : [...new Set(request.hosts.filter((host) => host !== undefined))]
    try {
      const caller = await this.#options.verifier.verify(credentials, names, call)
      if (caller.kind === 'wrong') return answerOnce({ code: 'badauth' })
      if (caller.kind === 'blocked') return answerOnce({ code: 'abuse' })
      if (caller.kind === 'throttled') {
        return answerOnce({ code: '911', retryAfterSeconds: caller.retryAfterSeconds })
      }
      if (call.isTest) return { status: 200, body: '' }
      return fault ? answerOnce(fault) : await this.#answerNames(call, request, names, caller)
    } catch (error) {
      this.#options.onError(error)
      return answerOnce({ code: 'dnserr', retryAfterSeconds: RETRY_AFTER_SECONDS })
    }
  }

  /** A line for each name of the request. */
  async #answerNames(
    call: UpdateCall,
    request: UpdateRequest,
    names: readonly string[],
    caller: Caller,
  ): Promise<UpdateAnswer> {
    const actor = actorOf(caller, call)
    const outcomes = await Promise.all(
      names.map((_, n) => this.#update(caller.hosts[n], request.addresses, caller.userId, actor)),
    )
    const byName = new Map(names.map((name, n) => [name, outcomes[n]]))
    return answerLines(
      request.hosts.map((host) => (host && byName.get(host)) || { code: 'notfqdn' }),
    )
  }

  /** Brings one name to the wanted addresses. */
  async #update(
    host: HostState | undefined,
    wanted: WantedAddresses | undefined,
    userId: string,
    actor: Actor,
  ): Promise<HostOutcome> {
    if (host === undefined) return { code: 'nohost' }
    if (wanted === undefined) return { code: 'dnserr' }
    if (host.isWithheld) return { code: 'abuse' }
    const { ipv4, ipv6, said } = wanted
    if (isAsWanted(host, wanted)) return { code: 'nochg', said }
    const change = {
      domainId: host.domainId,
      userId,
      ipv4,
      ipv6,
      // It was read a moment ago.
      isDue: true,
      isThrottled: this.#options.isThrottled,
      actor,
    }
    try {
      return outcomeOf(await this.#options.coalescer.submit(change), said)
    } catch (error) {
      if (error instanceof Overloaded) {
        return { code: '911', retryAfterSeconds: RETRY_AFTER_SECONDS }
      }
      if (!(error instanceof UpdateNotStored)) throw error
      this.#options.onError(error)
      return { code: 'dnserr', retryAfterSeconds: RETRY_AFTER_SECONDS }
    }
  }
}
