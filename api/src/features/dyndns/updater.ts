/*
 * One update request, from credentials to the answer.
 *
 *   dialect ─► requested update ─► current caller and domains (one batched read)
 *                                     ├─► nochg, nohost, abuse …
 *                                     └─► coalescer ─► good ─► following domains
 *
 * The caller is always authenticated first: without valid credentials, a caller learns nothing
 * about domains. The answer is recorded for the owners of the domains.
 */
import type { UpdateHint } from '@homing/openapi'
import type { LoginHistory } from '../../credentials/login-history.ts'
import type { UpdateAnswer, RequestOutcome } from '../../update-protocol/answer.ts'
import { type Claim, readClaim } from '../../update-protocol/authorization.ts'
import { hintOf } from '../../update-protocol/hints.ts'
import { RETRY_AFTER_SECONDS } from './host-update.ts'
import { readable } from '../../update-protocol/readable-parameters.ts'
import { hostOf, HOSTS_LIMIT } from '../../update-protocol/requested-names.ts'
import { namesOf, type Settled, type UpdateCall } from './update-call.ts'
import { type Caller, isCaller, type NamesUpdateOptions, updateNames } from './update-names.ts'
import type { UpdateRequest } from '../../update-protocol/update-request.ts'
import type { Verification, Verifier } from './verify.ts'

export interface UpdaterOptions extends NamesUpdateOptions {
  readonly verifier: Verifier
  readonly loginHistory: LoginHistory
  /** Whether account passwords are accepted. */
  readonly takesPasswords: boolean
  /** Parts of User-Agents, in lower case, whose calls are refused. */
  readonly blockedAgents: readonly string[]
}

/** Valid credentials that are not sufficient. */
type Insufficient = Extract<Verification, { readonly kind: 'password-refused' | 'key-refused' }>

const isInsufficient = (verification: Verification): verification is Insufficient =>
  verification.kind === 'password-refused' || verification.kind === 'key-refused'

/** The error of a request that is found before any domain is read. */
const faultOf = ({ hosts }: UpdateRequest): RequestOutcome | undefined =>
  hosts.length > HOSTS_LIMIT ? { code: 'numhost' } : undefined

function settledOnce(request: UpdateRequest, outcome: RequestOutcome): Settled {
  const said = namesOf(request).map((fqdn) => ({ fqdn, answer: outcome.code, isOwners: false }))
  return { answer: request.answers.once(outcome), said, found: [] }
}

/**
 * A password or a key that is right, but not sufficient. The caller gets the same answer as for a wrong
 * one, so it does not learn that the credential is right; the owner sees the reason.
 */
function settleInsufficient(request: UpdateRequest, refused: Insufficient): Settled {
  const owned = new Set(refused.hosts.flatMap((host) => host?.fqdn ?? []))
  const names = new Set([...namesOf(request), ...owned])
  const said = [...names].map((fqdn) => ({ fqdn, answer: 'badauth', isOwners: owned.has(fqdn) }))
  const hint: UpdateHint =
    refused.kind === 'key-refused' ? `key-${refused.fault}` : 'account-password-refused'
  // Owners of other domains see nothing of credentials that are not theirs.
  const found = owned.size > 0 ? [hint] : []
  return { answer: request.answers.once({ code: 'badauth' }), said, found }
}

/** The answer to a caller without valid credentials. */
function refusalOf(caller: Exclude<Verification, Caller | Insufficient>): RequestOutcome {
  if (caller.kind === 'wrong') return { code: 'badauth' }
  if (caller.kind === 'blocked') return { code: 'abuse' }
  return { code: '911', retryAfterSeconds: caller.retryAfterSeconds }
}

export class Updater {
  readonly #options: UpdaterOptions

  constructor(options: UpdaterOptions) {
    this.#options = options
  }

  /** Answers a request; never throws. */
  async answer(call: UpdateCall): Promise<UpdateAnswer> {
    const { dialect, parameters, detected } = call
    const request = dialect.read(parameters, { detected, policy: this.#options.addressPolicy })
    const claim = readClaim(call.authorization, parameters)
    const settled = await this.#settle(call, request, claim)
    if (!call.isTest) this.#record(call, request, claim, settled)
    if (call.notableTries.length > 0) this.#noteTries(call, settled)
    return settled.answer
  }

  /**
   * Records password attempts in the sign-in history of their accounts where no update calls show them: HEAD is not
   * recorded, and other calls are recorded only for the domains that they name.
   */
  #noteTries({ notableTries, ip, isTest }: UpdateCall, { said }: Settled): void {
    const recorded = isTest ? [] : said
    if (recorded.some(({ isOwners }) => isOwners)) return
    const names = recorded.map(({ fqdn }) => fqdn)
    const { loginHistory, now } = this.#options
    for (const { userId, isRight } of notableTries) {
      loginHistory.noteUpdatePassword({ userId, isRight, at: now(), ip, names })
    }
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
      if (isInsufficient(caller)) return settleInsufficient(request, caller)
      if (!isCaller(caller)) return settledOnce(request, refusalOf(caller))
      if (call.isTest) return { answer: { status: 200, body: '' }, said: [], found: [] }
      if (fault) return settledOnce(request, fault)
      return await updateNames(this.#options, call, request, names, caller)
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
   * Authenticates the caller and reads the domains. If a request has no name, its user name is used
   * if it has the form of a name; the caller's only domain is the fallback. A label such as `home`
   * can only mean the caller's only domain.
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
      if (!isCaller(caller)) return caller
      const [only] = caller.hosts
      return { ...caller, hosts: [only?.fqdn.startsWith(`${label}.`) ? only : undefined] }
    }
    const byUsername = request.hosts.length === 0 && !call.isTest ? hostOf(username) : undefined
    if (byUsername !== undefined) {
      const caller = await verifier.verify(credentials, [byUsername], call)
      if (!isCaller(caller) || caller.hosts[0] !== undefined) return caller
    }
    return await verifier.verify(credentials, names, call)
  }

  #record(call: UpdateCall, request: UpdateRequest, claim: Claim, settled: Settled): void {
    const at = this.#options.now()
    const kept = settled.said.filter((each) => this.#options.calls.admits(each, at))
    if (kept.length === 0) return
    const { isOpen, hasTwoUrls, ip: sourceIp, client, path, dialect } = call
    const { found } = settled
    const hint = hintOf({ request, claim, isOpen, hasTwoUrls, found })
    const common = {
      at,
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
