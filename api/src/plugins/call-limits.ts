/**
 * The rate limits of calls (`limits/call-limits.ts`), checked before the database is queried and before a
 * body is read. Refusing a call that exceeds a limit costs one look-up in a map.
 *
 *   no credential, or a webhook ─► counts against its network
 *   a credential that was valid here before, or was created here ─► counts against its account, its key and its domain
 *   any other credential ─► counts as a failure of its network; refunded when it turns out valid; then as above
 *
 * Each replica counts for itself, because these limits protect the replica. Limits that protect secrets are
 * counted in PostgreSQL (`limits/rate-limits.ts`), and survive a restart.
 */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import type { ApiConfig } from '../config/api.ts'
import { Allowances, type AllowanceRule, type AllowanceState } from '../limits/allowances.ts'
import { CALL_LIMITS, type CallLimitName } from '../limits/call-limits.ts'
import { Refusal } from '../rules/errors.ts'
import { networkOf } from '../rules/networks.ts'
import { type CallerCounts, countsOf, KnownCallers } from '../limits/known-callers.ts'
import { requestSourceOf } from '../caller/request-source.ts'
import { sessionCookie } from './session-cookie.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Records a credential that was just created, so that its first call already counts against its account and not
     * against its network's limit.
     *
     * @param credential as calls will send it: an Authorization header, or the value of the session cookie
     */
    expectCaller(credential: string, counts: CallerCounts): void
  }
  interface FastifyRequest {
    /** The digest of the credential that a call sent to an operation that requires one, and whether it was valid here before. */
    shown: { readonly digest: string; readonly isKnown: boolean } | undefined
  }
}

const DETAILS: Readonly<Record<CallLimitName, string>> = {
  light: 'Too many requests came from your network.',
  unsigned: 'Too many calls came from your network.',
  webhooks: 'Too many webhooks came from your network.',
  'failed-credentials': 'Too many invalid credentials came from your network.',
  account: 'Your account made too many calls.',
  'api-key': 'This API key made too many calls.',
  domain: 'There were too many calls for this domain.',
}

/** Problem codes that mean that the credential is invalid; other codes are about what the call asks for. */
const NO_GOOD: ReadonlySet<string> = new Set(['unauthenticated', 'account-disabled'])

/**
 * Sets the headers that report the remaining calls to clients and proxies
 * (draft-ietf-httpapi-ratelimit-headers-06). Of several limits, reports the one with the fewest calls left.
 */
function tell(reply: FastifyReply, rule: AllowanceRule, standing: AllowanceState): void {
  const told = reply.getHeader('ratelimit-remaining')
  if (told !== undefined && Number(told) < standing.remaining) return
  const windowSeconds = Math.round((rule.burst * rule.refillMs) / 1_000)
  void reply
    .header('ratelimit-limit', String(rule.burst))
    .header('ratelimit-remaining', String(standing.remaining))
    .header('ratelimit-reset', String(standing.resetSeconds))
    .header('ratelimit-policy', `${rule.burst};w=${windowSeconds}`)
}

/** The domain that the URL of a call names. */
function domainOf({ routeOptions, params }: FastifyRequest): string | undefined {
  if (!/^\/api\/domains\/(fqdn\/)?\{/.test(routeOptions.config.operation?.url ?? ''))
    return undefined
  const { id, fqdn } = params as { readonly id?: string; readonly fqdn?: string }
  return id ?? fqdn?.toLowerCase()
}

export type CallRules = Readonly<Record<CallLimitName, AllowanceRule>>

class CallLimits {
  readonly #app: FastifyInstance
  readonly #config: ApiConfig
  readonly #known = new KnownCallers()
  readonly #allowances: Readonly<Record<CallLimitName, Allowances>>

  constructor(app: FastifyInstance, config: ApiConfig, rules: CallRules) {
    this.#app = app
    this.#config = config
    this.#allowances = Object.fromEntries(
      Object.entries(rules).map(([name, rule]) => [name, new Allowances(rule)]),
    ) as Readonly<Record<CallLimitName, Allowances>>
  }

  expect(credential: string, counts: CallerCounts): void {
    this.#known.remember(this.#known.digest(credential), counts)
  }

  /** Runs before authentication. @throws Refusal `rate-limited` */
  begin(request: FastifyRequest, reply: FastifyReply): void {
    const network = networkOf(requestSourceOf(request).ip)
    const { operation, operationId } = request.routeOptions.config
    if (operation === undefined || operationId === 'getHealth') {
      this.#count(request, reply, 'light', network)
      return
    }
    if (operation.rawBody === true) {
      this.#count(request, reply, 'webhooks', network)
      return
    }
    const credential = request.headers.authorization ?? sessionCookie(request, this.#config)
    if (operation.access === 'public' || credential === undefined) {
      this.#count(request, reply, 'unsigned', network)
      return
    }
    const digest = this.#known.digest(credential)
    const counts = this.#known.find(digest)
    if (counts === undefined) this.#count(request, reply, 'failed-credentials', network)
    else this.#countCaller(request, reply, counts)
    request.shown = { digest, isKnown: counts !== undefined }
  }

  /** Runs after authentication. @throws Refusal `rate-limited` */
  letIn(request: FastifyRequest, reply: FastifyReply): void {
    const { shown, principal } = request
    if (shown === undefined || principal === undefined || shown.isKnown) return
    const counts = countsOf(principal)
    this.#known.remember(shown.digest, counts)
    request.shown = { ...shown, isKnown: true }
    this.#allowances['failed-credentials'].giveBack(networkOf(requestSourceOf(request).ip))
    for (const name of ['limit', 'remaining', 'reset', 'policy'])
      reply.removeHeader(`ratelimit-${name}`)
    this.#countCaller(request, reply, counts)
  }

  /** Runs after a call was refused or failed. */
  failed(request: FastifyRequest, reply: FastifyReply, error: unknown): void {
    const { shown, principal } = request
    if (shown === undefined) return
    if (principal !== undefined) return this.#refused(request, reply)
    const failures = this.#allowances['failed-credentials']
    const network = networkOf(requestSourceOf(request).ip)
    if (!(error instanceof Refusal)) {
      // For example, the database is unavailable: the credential may be valid.
      if (!shown.isKnown) failures.giveBack(network)
    } else if (shown.isKnown && NO_GOOD.has(error.code)) {
      this.#known.forget(shown.digest)
      failures.take(network)
    }
  }

  /** The call was refused, but its credential is valid. */
  #refused(request: FastifyRequest, reply: FastifyReply): void {
    try {
      this.letIn(request, reply)
    } catch {
      // The call exceeds a limit as well; it already has its response.
    }
  }

  #countCaller(request: FastifyRequest, reply: FastifyReply, counts: CallerCounts): void {
    const { accountId, keyId } = counts
    this.#count(request, reply, 'account', accountId)
    if (keyId !== undefined) this.#count(request, reply, 'api-key', keyId)
    const domain = domainOf(request)
    // Counted per account: calls of other accounts do not use up the limit of the domain's owner.
    if (domain !== undefined) this.#count(request, reply, 'domain', `${accountId} ${domain}`)
  }

  #count(request: FastifyRequest, reply: FastifyReply, name: CallLimitName, key: string): void {
    const allowances = this.#allowances[name]
    const standing = allowances.take(key)
    tell(reply, allowances.rule, standing)
    if (standing.isAllowed) return
    this.#app.countRejected(request, name)
    const retryAfterSeconds = standing.waitSeconds
    const detail = `${DETAILS[name]} Please try again in ${retryAfterSeconds} s.`
    throw new Refusal('rate-limited', detail, { retryAfterSeconds })
  }
}

/** Makes a step into a hook that answers with the error that the step throws. */
function hookOf(step: (request: FastifyRequest, reply: FastifyReply) => void) {
  return (request: FastifyRequest, reply: FastifyReply, done: (error?: FastifyError) => void) => {
    try {
      step(request, reply)
    } catch (error) {
      done(error as FastifyError)
      return
    }
    done()
  }
}

export const callLimits = fastifyPlugin(
  (
    app: FastifyInstance,
    { config, rules = CALL_LIMITS }: { config: ApiConfig; rules?: CallRules | undefined },
    done: () => void,
  ) => {
    app.decorateRequest('shown', undefined)
    const limits = new CallLimits(app, config, rules)
    app.decorate('expectCaller', (credential, counts) => limits.expect(credential, counts))
    if (!config.rateLimits) return done()
    app.addHook(
      'onRequest',
      hookOf((request, reply) => limits.begin(request, reply)),
    )
    app.addHook('onRoute', (route) => {
      const { operation } = route.config ?? {}
      if (operation === undefined || operation.access === 'public') return
      const letIn = hookOf((request, reply) => limits.letIn(request, reply))
      route.onRequest = [...[route.onRequest ?? []].flat(), letIn]
    })
    app.addHook('onError', (request, reply, error, next) => {
      limits.failed(request, reply, error)
      next()
    })
    return done()
  },
  { name: 'call-limits', dependencies: ['problem', 'auth', 'rejected-requests'] },
)
