/**
 * Authenticates the caller before the body is read. Each request reads the database, so that a change by an
 * administrator or another replica takes effect at once; a request whose body took long is authenticated again. Routes
 * of the contract define who may call them; routes outside the contract require no authentication.
 */
import cookie from '@fastify/cookie'
import { keyActionsOf, type Operation } from '@homing/openapi'
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestAsyncHookHandler,
  preValidationAsyncHookHandler,
} from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { accountDisabled, callerAccount, requireUsable } from '../credentials/account-row.ts'
import { authenticateKey } from '../credentials/api-key.ts'
import { requireConfirmed } from '../credentials/confirmation.ts'
import { findSession, looksLikeSession } from '../credentials/session.ts'
import { Refusal } from '../rules/errors.ts'
import { useRefusal } from '../rules/key-scope.ts'
import { permissionsOf } from '../rules/permissions.ts'
import { secretKindOf } from '../rules/secrets.ts'
import type { Principal } from '../caller/principal.ts'
import type { Services } from '../compose.ts'
import { hasBody } from './has-body.ts'
import { requestSourceOf } from '../caller/request-source.ts'
import { isFromElsewhere, isSameOrigin } from './same-origin.ts'
import { sessionCookie, setSessionCookie } from './session-cookie.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined where no authentication is required. */
    principal: Principal | undefined
    /** When the caller was authenticated, by the services' clock. */
    identifiedAt: number
  }
}

const SIGN_IN = 'Authentication required'

const unauthenticated = (detail: string) => new Refusal('unauthenticated', detail)

/** The credential of a call: the token in its Authorization header, or the session in its cookie. */
type Claim = { readonly by: 'header' | 'cookie'; readonly token: string }

/**
 * The caller's credential. The header takes precedence over the cookie, because a browser sends the
 * cookie with every request.
 *
 * @throws Refusal `unauthenticated`
 */
function claimOf(request: FastifyRequest, services: Services): Claim {
  const { rawHeaders } = request.raw
  const given = rawHeaders.filter((name, n) => n % 2 === 0 && /^authorization$/i.test(name)).length
  if (given > 1)
    throw unauthenticated('The request has more than one Authorization header. Send only one.')
  const header = request.headers.authorization
  if (header !== undefined) {
    const [, token] = /^Bearer +([\x21-\x7e]{1,200})$/i.exec(header) ?? []
    if (token !== undefined) return { by: 'header', token }
    throw unauthenticated(
      'The Authorization header is invalid. Expected: Bearer, a space, and a token or an API key.',
    )
  }
  const token = sessionCookie(request, services.config)
  if (token === undefined || token === '') throw unauthenticated(SIGN_IN)
  return { by: 'cookie', token }
}

const TOO_MANY = 'Too many invalid keys came from your network. Please wait.'

/** Why an existing key is refused. The reason may be shown: keys cannot be guessed, so the caller has the key. */
const KEY_REFUSALS = {
  'no-plan': () => new Refusal('plan-required', 'API keys are not included in your plan.'),
  blocked: accountDisabled,
  wrong: () => unauthenticated('The API key is invalid.'),
} as const

async function keyPrincipal(
  services: Services,
  key: string,
  request: FastifyRequest,
): Promise<Principal> {
  if (secretKindOf(key) === 'update_token') {
    throw unauthenticated('An update token works only at update URLs. Sign in, or use an API key.')
  }
  const { ip, userAgent: client } = requestSourceOf(request)
  const verdict = await authenticateKey(services, key, { ip, client })
  if (verdict.kind === 'throttled') {
    const { retryAfterSeconds } = verdict
    throw new Refusal('rate-limited', TOO_MANY, { retryAfterSeconds })
  }
  if (verdict.kind === 'refused') throw verdict.refusal
  if (verdict.kind !== 'key') throw KEY_REFUSALS[verdict.kind]()
  const { keyId, policyId, limits, account } = verdict
  return { kind: 'api_key', keyId, policyId, limits, account }
}

async function sessionPrincipal(
  services: Services,
  { by, token }: Claim,
  reply: FastifyReply,
): Promise<Principal> {
  const session = await findSession(services, token)
  if (session === undefined) throw unauthenticated(SIGN_IN)
  requireUsable(session.account)
  if (by === 'cookie' && session.isProlonged) setSessionCookie(reply, services.config, token)
  const { id: sessionId, tokenDigest, confirmedAt, account } = session
  return { kind: 'session', sessionId, tokenDigest, confirmedAt, account: callerAccount(account) }
}

/** @throws Refusal `forbidden`, or `key-scope` for a key whose scope does not include this action */
function requireAccess(operation: Operation, principal: Principal): void {
  const { access, permission } = operation
  if (principal.kind === 'api_key') {
    // API keys may not call an operation that names no action.
    const actions = keyActionsOf(operation)
    if (access !== 'caller' || actions.length === 0) {
      throw new Refusal(
        'forbidden',
        'An API key gives access only to domains. Sign in to make this call.',
      )
    }
    const refusals = actions.map((action) => useRefusal(principal.limits, { action }))
    if (refusals[0] !== undefined && !refusals.includes(undefined)) throw refusals[0]
  }
  const { accountType } = principal.account
  if (permission !== undefined && !permissionsOf(accountType).has(permission)) {
    throw new Refusal('forbidden', 'This call requires an administrator.')
  }
}

/** @throws Refusal `step-up-required` */
function requireStepUp({ stepUp }: Operation, principal: Principal, now: Date): void {
  if (stepUp === undefined || principal.kind !== 'session') return
  // The handler requires the proof, once it has compared the change with what is there.
  if (stepUp === 'when-widened') return
  if (stepUp === 'with-second-factor' && !principal.account.hasSecondFactor) return
  requireConfirmed(principal, now)
}

/**
 * Methods that only read. Another site can make a browser send such a call, but cannot read the response. Operations
 * that are rare and costly (such as the export of all data of an account, a few times a day) are refused to other sites
 * all the same.
 */
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

async function identifyCaller(
  services: Services,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const claim = claimOf(request, services)
  const { headers, method } = request
  const isWrite = !SAFE_METHODS.has(method)
  const isForeign = isWrite
    ? !isSameOrigin(headers, services.config.publicUrl)
    : operation.stepUp !== undefined && isFromElsewhere(headers)
  if (claim.by === 'cookie' && isForeign) {
    throw new Refusal('cross-site', 'This request came from another site.')
  }
  // A session token is random, so it may start with the prefix of a key.
  const isSecret = secretKindOf(claim.token) !== undefined && !looksLikeSession(claim.token)
  const principal = isSecret
    ? await keyPrincipal(services, claim.token, request)
    : await sessionPrincipal(services, claim, reply)
  // Set before the access checks, so that the log names the account of a refused request.
  request.principal = principal
  request.identifiedAt = services.now().getTime()
  requireAccess(operation, principal)
  requireStepUp(operation, principal, services.now())
}

/**
 * How long the result of authentication stays valid. The sender decides when a body arrives, up to the time limit of
 * a request: without this, a thief could keep calls open and complete them after the owner has ended all sessions.
 */
const FOUND_FOR_MS = 100

/**
 * Whether the caller must be authenticated again. Operations that require a fresh proof are always
 * checked again after the body.
 */
function isOutdated(request: FastifyRequest, { stepUp }: Operation, { now }: Services): boolean {
  // A delay without a body is caused by this service, and a busy service must not authenticate every caller twice.
  if (!hasBody(request)) return false
  const { identifiedAt, body } = request
  if (stepUp !== undefined && body !== undefined) return true
  return Math.abs(now().getTime() - identifiedAt) > FOUND_FOR_MS
}

export const auth = fastifyPlugin(
  async (app: FastifyInstance, { services }: { services: Services }) => {
    await app.register(cookie)
    app.decorateRequest('principal', undefined)
    app.decorateRequest('identifiedAt', 0)
    app.addHook('onRoute', (route) => {
      const operation = route.config?.operation
      // The update URLs have credentials and responses of their own.
      if (operation === undefined || ['public', 'update'].includes(operation.access)) return
      const identify: onRequestAsyncHookHandler = async (request, reply) => {
        await identifyCaller(services, operation, request, reply)
      }
      const identifyAgain: preValidationAsyncHookHandler = async (request, reply) => {
        if (!isOutdated(request, operation, services)) return
        request.principal = undefined
        await identifyCaller(services, operation, request, reply)
      }
      route.onRequest = [...[route.onRequest ?? []].flat(), identify]
      route.preValidation = [identifyAgain, ...[route.preValidation ?? []].flat()]
    })
  },
  { name: 'auth', dependencies: ['problem', 'contract'] },
)
