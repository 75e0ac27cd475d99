/*
 * One update request, from credentials to the answer.
 *
 *   caller ─► names as they are (one gathered read) ─► nochg, nohost, abuse …
 *                                                  └─► coalescer ─► good
 *
 * The caller is always settled first: whoever is not signed in learns nothing about
 * names. A password that was right lately is not tried again; the read that says what the
 * names hold also says whether the account still has the credentials of then, so a changed
 * password, a ban or a disabled account counts at once.
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
import { type Credentials, readAuthorization } from './authorization.ts'
import type { HostReader, HostReading } from './host-reader.ts'
import {
  HOSTS_LIMIT,
  type Parameters,
  readUpdateRequest,
  type UpdateRequest,
  type WantedAddresses,
} from './update-request.ts'

/** Whose credentials they are. */
export type Verification =
  /** `credentialVersion`: the one that the password was right for. */
  | { readonly kind: 'account'; readonly userId: string; readonly credentialVersion: number }
  | { readonly kind: 'key'; readonly userId: string; readonly keyId: string }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'blocked' }
  | { readonly kind: 'throttled'; readonly retryAfterSeconds: number }

export interface UpdaterOptions {
  readonly hosts: HostReader
  /**
   * Checks credentials. A password that was right a moment ago may be remembered, with the
   * version of then; `afresh` asks for it to be tried.
   */
  readonly verify: (credentials: Credentials, ip: string, afresh: boolean) => Promise<Verification>
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

interface Caller {
  readonly userId: string
  /** Of the account when its password was verified; undefined for keys. */
  readonly credentialVersion?: number
  readonly actor: Actor
}

/** When PostgreSQL is away or the queue is full. */
const RETRY_AFTER_SECONDS = 30

/** Whether a name holds what is wanted of it. */
function isAsWanted({ host }: HostReading, { ipv4, ipv6 }: WantedAddresses): boolean {
  return (ipv4 === undefined || host?.ipv4 === ipv4) && (ipv6 === undefined || host?.ipv6 === ipv6)
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
    try {
      return (
        (await this.#answerVerified(call, credentials, false)) ??
        (await this.#answerVerified(call, credentials, true)) ??
        answerOnce({ code: 'badauth' })
      )
    } catch (error) {
      this.#options.onError(error)
      return answerOnce({ code: 'dnserr', retryAfterSeconds: RETRY_AFTER_SECONDS })
    }
  }

  /** The answer to credentials; undefined when the account has changed since they were right. */
  async #answerVerified(
    call: UpdateCall,
    credentials: Credentials,
    afresh: boolean,
  ): Promise<UpdateAnswer | undefined> {
    const verified = await this.#options.verify(credentials, call.ip, afresh)
    const source = { sourceIp: call.ip, client: call.client }
    if (verified.kind === 'wrong') return answerOnce({ code: 'badauth' })
    if (verified.kind === 'blocked') return answerOnce({ code: 'abuse' })
    if (verified.kind === 'throttled') {
      return answerOnce({ code: '911', retryAfterSeconds: verified.retryAfterSeconds })
    }
    if (verified.kind === 'key') {
      const { userId, keyId: id } = verified
      return this.#answerAs(call, { userId, actor: { kind: 'api_key', id, ...source } })
    }
    const { userId, credentialVersion } = verified
    const actor = { kind: 'password', id: userId, ...source } as const
    return this.#answerAs(call, { userId, credentialVersion, actor })
  }

  /** The answer for a caller; undefined when the account is not what it was when it was verified. */
  async #answerAs(call: UpdateCall, caller: Caller): Promise<UpdateAnswer | undefined> {
    const { addressPolicy, hosts } = this.#options
    const request = readUpdateRequest(call.parameters, call.detected, addressPolicy)
    const fault = call.isTest ? undefined : faultOf(request)
    const names =
      call.isTest || fault ? [] : [...new Set(request.hosts.filter((host) => host !== undefined))]
    const asked = names.length > 0 ? names : [null]
    const readings = await Promise.all(asked.map((name) => hosts.read(caller.userId, name)))

    const account = readings[0]?.account
    if (account === undefined) return undefined
    const version = caller.credentialVersion
    if (version !== undefined && version !== account.credentialVersion) return undefined
    if (account.isBlocked) return answerOnce({ code: 'abuse' })
    if (call.isTest) return { status: 200, body: '' }
    if (fault) return answerOnce(fault)

    const outcomes = await Promise.all(
      names.map((_, n) => this.#update(readings[n], request.addresses, caller)),
    )
    const byName = new Map(names.map((name, n) => [name, outcomes[n]]))
    return answerLines(
      request.hosts.map((host) => (host && byName.get(host)) || { code: 'notfqdn' }),
    )
  }

  /** Brings one name to the wanted addresses. */
  async #update(
    reading: HostReading | undefined,
    wanted: WantedAddresses | undefined,
    { userId, actor }: Caller,
  ): Promise<HostOutcome> {
    const host = reading?.host
    if (reading === undefined || host === undefined) return { code: 'nohost' }
    if (wanted === undefined) return { code: 'dnserr' }
    if (host.isWithheld) return { code: 'abuse' }
    const { ipv4, ipv6, said } = wanted
    if (isAsWanted(reading, wanted)) return { code: 'nochg', said }
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
