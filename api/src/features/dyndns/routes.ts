/**
 * The update URLs. They stand apart from the other routes: their parameters are never a
 * reason for an error page, and whatever goes wrong is said in a line of text.
 */
import { type Operation, operations } from '@homing/openapi'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { callerAddress, originOf } from '../../plugins/origin.ts'
import type { Services } from '../../services.ts'
import { answerOnce, sendAnswer } from './answer.ts'
import { HostReader } from './host-reader.ts'
import type { Parameters } from './update-request.ts'
import { Updater } from './updater.ts'
import { Verifier } from './verify.ts'

/** A form with parameters; it holds less than a query may. */
const FORM_LIMIT_BYTES = 16 * 1024
const RETRY_AFTER_SECONDS = 30

/** A form's fields by name, those given several times as lists. */
function formParameters(text: string): Parameters {
  const fields = new URLSearchParams(text)
  return Object.fromEntries([...new Set(fields.keys())].map((name) => [name, fields.getAll(name)]))
}

/** Forms are read, bodies of any other kind are ignored: clients send empty ones with any type. */
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

/** The request's parameters: those of the query win over those of a form. */
function parametersOf({ query, body }: FastifyRequest): Parameters {
  const asked = query as Parameters
  return body ? { ...(body as Parameters), ...asked } : asked
}

/**
 * A busy service hears thousands of updates a second. What they changed is in the names'
 * history; the log hears of failures alone, through one logger that all requests share.
 */
function logLittle(scope: FastifyInstance): void {
  const log = scope.log.child({ area: 'updates' }, { level: 'warn' })
  scope.setChildLoggerFactory(() => log)
}

function answerErrors(scope: FastifyInstance): void {
  scope.setErrorHandler((error: FastifyError, request, reply) => {
    const status = error.statusCode ?? 500
    // A request that HTTP itself cannot read: the same client will send it again and again.
    if (status >= 400 && status < 500) {
      return sendAnswer(request, reply, { status: 200, body: 'badagent\n' })
    }
    request.log.error({ err: error }, 'update request failed')
    return sendAnswer(
      request,
      reply,
      answerOnce({ code: '911', retryAfterSeconds: RETRY_AFTER_SECONDS }),
    )
  })
}

function handlerOf(updater: Updater, isTest: boolean) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { ip, userAgent } = originOf(request)
    const answer = await updater.answer({
      authorization: request.headers.authorization,
      parameters: parametersOf(request),
      ip,
      detected: callerAddress(request),
      client: userAgent,
      isTest,
    })
    return sendAnswer(request, reply, answer)
  }
}

/** HEAD, and what no client should send: served beside the contract, in the manner of the URL. */
function addOtherMethods(scope: FastifyInstance, updater: Updater, operation: Operation): void {
  const { url } = operation
  const config = { operation }
  scope.route({ method: 'HEAD', url, config, handler: handlerOf(updater, true) })
  scope.route({
    method: ['DELETE', 'PATCH', 'OPTIONS', 'TRACE'],
    url,
    config,
    handler(request, reply) {
      void reply.header('allow', 'GET, HEAD, POST, PUT')
      return sendAnswer(request, reply, { status: 405, body: 'badagent\n' })
    },
  })
}

function addRoutes(scope: FastifyInstance, updater: Updater): void {
  const handler = handlerOf(updater, false)
  const table: Readonly<Record<string, Operation>> = operations.dyndns
  for (const [operationId, operation] of Object.entries(table)) {
    const { method, url } = operation
    const config = { operationId, operation }
    scope.route({ method, url, exposeHeadRoute: false, config, handler })
    if (method === 'GET') addOtherMethods(scope, updater, operation)
  }
}

/** Registers the update URLs of the contract. */
export async function addUpdateRoutes(app: FastifyInstance, services: Services): Promise<void> {
  const { knex, coalescer, config } = services
  const updater = new Updater({
    verifier: new Verifier(services, new HostReader(knex)),
    coalescer,
    addressPolicy: config.addressPolicy,
    isThrottled: config.rateLimits,
    onError: (error) => app.log.error({ err: error }, 'an update could not be stored'),
  })
  await app.register((scope, _options, done) => {
    logLittle(scope)
    acceptAnyBody(scope)
    answerErrors(scope)
    addRoutes(scope, updater)
    done()
  })
}
