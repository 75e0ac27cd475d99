/**
 * The update URLs. They are separate from the other routes: no parameter leads to an error page,
 * and every error is reported in a line of text.
 */
import { type Operation, operations } from '@homing/openapi'
import type {
  FastifyError,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  RouteShorthandOptions,
} from 'fastify'
import { Refusal } from '../../rules/errors.ts'
import { routeUrl } from '../../plugins/contract.ts'
import { requestSourceOf } from '../../caller/request-source.ts'
import { METHODS } from '../../plugins/other-methods.ts'
import type { Services } from '../../compose.ts'
import { LINES, sendAnswer } from '../../update-protocol/answer.ts'
import { dialectOf, type UpdateUrl } from '../../update-protocol/dialects/dialect-of.ts'
import { HostReader } from './host-reader.ts'
import { RETRY_AFTER_SECONDS } from './host-update.ts'
import { sendOwnAddress } from './own-address.ts'
import { type Parameters, withLowerNames } from '../../update-protocol/parameters.ts'
import { holdsTwoUrls, isUpdatePath, PREFIXES } from '../../update-protocol/request-line.ts'
import { noteBegun, noteEnded } from './unreadable.ts'
import { Updater } from './updater.ts'
import { Verifier } from './verify.ts'

/** Size limit of a form with parameters; a query may be longer. */
const FORM_LIMIT_BYTES = 16 * 1024

/** The fields of a form by name; repeated fields as lists. */
function formParameters(text: string): Parameters {
  const fields = new URLSearchParams(text)
  return Object.fromEntries([...new Set(fields.keys())].map((name) => [name, fields.getAll(name)]))
}

/** Forms are parsed, other bodies are ignored: clients send empty bodies of any type. */
function acceptAnyBody(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: FORM_LIMIT_BYTES },
    (_request, text, done) => done(null, formParameters(text as string)),
  )
  scope.addContentTypeParser(
    '*',
    { parseAs: 'string', bodyLimit: FORM_LIMIT_BYTES },
    (_request, _text, done) => done(null, undefined),
  )
}

/** The parameters of a request: the path takes precedence over the query, and the query over a form. */
function parametersOf({ params, query, body }: FastifyRequest, hasParams: boolean): Parameters {
  const asked = query as Parameters
  const inPath = params as Parameters
  return withLowerNames(
    body || hasParams ? { ...(body as Parameters), ...asked, ...inPath } : asked,
  )
}

/**
 * A busy service gets thousands of updates a second. Changes are in the domains' history; the log
 * has only failures, through one logger that all requests share.
 */
function logLittle(scope: FastifyInstance): void {
  const log = scope.log.child({ area: 'updates' }, { level: 'warn' })
  scope.setChildLoggerFactory(() => log)
}

/** Answers a URL that the router could not parse, such as a key of thousands of characters, if it is an update URL. */
export function answerUnroutableUpdate(request: FastifyRequest, reply: FastifyReply): boolean {
  if (!isUpdatePath(/^[^?#]*/.exec(request.url)?.[0] ?? '')) return false
  void sendAnswer(request, reply, { status: 200, body: 'badagent\n' })
  return true
}

/** For requests with a body: if the body does not arrive, the answer is sent on the raw connection. */
const FOLLOW_BODY: Pick<RouteShorthandOptions, 'preParsing' | 'preValidation'> = {
  preParsing(request, _reply, payload, done) {
    noteBegun(request.raw.socket)
    done(null, payload)
  },
  preValidation(request, _reply, done) {
    noteEnded(request.raw.socket)
    done()
  },
}

function answerErrors(scope: FastifyInstance): void {
  scope.setErrorHandler((error: FastifyError, request, reply) => {
    noteEnded(request.raw.socket)
    const status = error.statusCode ?? 500
    // An invalid HTTP request: the same client would send it again and again.
    if (status >= 400 && status < 500) {
      return sendAnswer(request, reply, { status: 200, body: 'badagent\n' })
    }
    // A refusal means overload and is not an error; logging each one would add load.
    if (!(error instanceof Refusal)) request.log.error({ err: error }, 'update request failed')
    const outcome = { code: '911', retryAfterSeconds: RETRY_AFTER_SECONDS } as const
    return sendAnswer(request, reply, LINES.once(outcome))
  })
}

interface UpdateRoute {
  readonly scope: FastifyInstance
  readonly updater: Updater
  /** Whether the service is reached over HTTPS. */
  readonly isHttps: boolean
}

function handlerOf({ updater, isHttps }: UpdateRoute, path: UpdateUrl, isTest: boolean) {
  const hasParams = path.includes('{')
  return (request: FastifyRequest, reply: FastifyReply) => {
    const { ip, callerIp, userAgent } = requestSourceOf(request)
    const parameters = parametersOf(request, hasParams)
    const answer = updater.answer({
      dialect: dialectOf(path, parameters),
      path,
      authorization: request.headers.authorization,
      parameters,
      ip,
      detected: callerIp,
      client: userAgent,
      notableTries: [],
      isTest,
      isOpen: isHttps && request.protocol !== 'https',
      hasTwoUrls: holdsTwoUrls(request.originalUrl),
    })
    // Without a promise for Fastify: awaiting one more costs as much as reading a request.
    void answer.then(
      (given) => sendAnswer(request, reply, given),
      (error: unknown) => reply.send(error),
    )
  }
}

/** HEAD, and methods that no client should send: answered in the style of the URL, outside the contract. */
function addOtherMethods(route: UpdateRoute, operation: Operation, taken: readonly string[]): void {
  const { scope } = route
  const url = routeUrl(operation.url)
  const config = { operation }
  const path = operation.url as UpdateUrl
  const allow = ['GET', 'HEAD', ...taken.filter((method) => method !== 'GET')]
  scope.route({ method: 'HEAD', url, config, handler: handlerOf(route, path, true) })
  scope.route({
    method: METHODS.filter((method) => !allow.includes(method)),
    url,
    config,
    // Before the body is read: the method is wrong whatever the body is.
    onRequest(request, reply) {
      void reply.header('allow', allow.join(', '))
      void sendAnswer(request, reply, { status: 405, body: 'badagent\n' })
    },
    handler: () => undefined,
  })
}

/** Incomplete update URLs: for example without the key, or with an additional segment. */
function addIncomplete(scope: FastifyInstance): void {
  // A trailing slash is ignored, so `/u/` is `/u`.
  for (const url of PREFIXES.flatMap((prefix) => [`${prefix}*`, prefix.slice(0, -1)])) {
    if (scope.hasRoute({ method: 'GET', url })) continue
    scope.route({
      method: [...METHODS],
      url,
      onRequest: (request, reply) => {
        void sendAnswer(request, reply, { status: 200, body: 'badagent\n' })
      },
      handler: () => undefined,
    })
  }
}

/** Returning the caller's own address requires no credentials. */
function addOwnAddress(scope: FastifyInstance, operationId: string, operation: Operation): void {
  const isPage = operation.success.contentType === 'text/html'
  scope.route({
    method: operation.method,
    url: operation.url,
    config: { operationId, operation },
    handler: (request, reply) => sendOwnAddress(request, reply, isPage),
  })
}

function addRoutes(route: UpdateRoute): void {
  const { scope } = route
  const table = Object.entries<Operation>(operations.dyndns)
  for (const [operationId, operation] of table) {
    const { method, url, access } = operation
    if (access === 'public') {
      addOwnAddress(scope, operationId, operation)
      continue
    }
    const config = { operationId, operation }
    const handler = handlerOf(route, url as UpdateUrl, false)
    const follow = method === 'GET' ? {} : FOLLOW_BODY
    scope.route({ method, url: routeUrl(url), exposeHeadRoute: false, config, handler, ...follow })
    if (method !== 'GET') continue
    const taken = table.filter(([, each]) => each.url === url).map(([, each]) => each.method)
    addOtherMethods(route, operation, taken)
  }
  addIncomplete(scope)
}

/** Registers the update URLs of the contract. */
export async function addUpdateRoutes(app: FastifyInstance, services: Services): Promise<void> {
  const { knex, coalescer, config, callLog, loginHistory, nameGuard, now } = services
  const updater = new Updater({
    verifier: new Verifier(services, new HostReader(knex)),
    knex,
    coalescer,
    addressPolicy: config.addressPolicy,
    isThrottled: config.rateLimits,
    isOpenName: (owner) => nameGuard.isOpen(owner),
    countryOf: services.countryOf,
    takesPasswords: config.updatePasswords,
    blockedAgents: config.blockedAgents,
    onError: (error) => app.log.error({ err: error }, 'an update could not be stored'),
    calls: callLog,
    loginHistory,
    now,
  })
  await app.register((scope, _options, done) => {
    logLittle(scope)
    acceptAnyBody(scope)
    answerErrors(scope)
    addRoutes({ scope, updater, isHttps: config.publicUrl.protocol === 'https:' })
    done()
  })
}
