/** The app as a written list: what every request passes, the update URLs, and beside them plugins in the order in which they work, then the features. */
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { randomUUID } from 'node:crypto'
import { accountExportHandlers } from './features/account-export/handlers.ts'
import { accountHandlers } from './features/account/handlers.ts'
import { adminDomainHandlers } from './features/admin-domains/handlers.ts'
import { adminPlanHandlers } from './features/admin-plans/handlers.ts'
import { adminUserHandlers } from './features/admin-users/handlers.ts'
import { apiKeyHandlers } from './features/api-keys/handlers.ts'
import { authHandlers } from './features/auth/handlers.ts'
import { captchaHandlers } from './features/captcha/handlers.ts'
import { domainHandlers } from './features/domains/handlers.ts'
import { mendUrl } from './update-protocol/request-line.ts'
import { addUpdateRoutes, answerUnroutableUpdate } from './features/dyndns/routes.ts'
import { answerUnreadableUpdate } from './features/dyndns/unreadable.ts'
import { lockedNameHandlers } from './features/locked-names/handlers.ts'
import { passkeyHandlers } from './features/passkeys/handlers.ts'
import { planHandlers } from './features/plans/handlers.ts'
import { systemHandlers } from './features/system/handlers.ts'
import { trustPolicyHandlers } from './features/trust-policies/handlers.ts'
import { twoFactorHandlers } from './features/two-factor/handlers.ts'
import { updateCallHandlers } from './features/update-calls/handlers.ts'
import { updateTokenHandlers } from './features/update-tokens/handlers.ts'
import { zoneHandlers } from './features/zones/handlers.ts'
import { admission, type AdmissionLimits } from './plugins/admission.ts'
import { auth } from './plugins/auth.ts'
import { callLimits, type CallRules } from './plugins/call-limits.ts'
import { contract } from './plugins/contract.ts'
import { docs } from './plugins/docs.ts'
import { hostCheck } from './plugins/host-check.ts'
import { measurements, metrics } from './plugins/metrics.ts'
import { acceptEveryMethod } from './plugins/other-methods.ts'
import { pages } from './plugins/pages.ts'
import { problems, sendUnroutable } from './plugins/problem.ts'
import { answerUnreadable } from './plugins/unreadable-request.ts'
import { requestLog } from './plugins/request-log.ts'
import { screens } from './plugins/screens.ts'
import { securityHeaders } from './plugins/security-headers.ts'
import { securityTxt } from './plugins/security-txt.ts'
import { countRejected } from './plugins/rejected-requests.ts'
import { limitConnections } from './limits/open-connections.ts'
import type { Services } from './compose.ts'

/** Largest body of a JSON call, in octets. */
const BODY_LIMIT_BYTES = 100 * 1024
/** Longest part of a path that means a name: every name in every spelling fits. */
const PARAMETER_LIMIT = 2_048
/** What is borne with: how long a connection is, in milliseconds, and how many calls. */
export interface AppLimits {
  /** A request that is not whole after so long is given up. */
  readonly wholeMs?: number
  /** How often requests are looked at for that: so much longer it may take. */
  readonly checkMs?: number
  /** How often may be called, where that is not what is usual. */
  readonly calls?: CallRules
  /** How many calls may be under way. */
  readonly admission?: AdmissionLimits
  /** How many connections one network may hold open. */
  readonly connections?: number
}

/** Reading the contract takes a small, busy machine longer than the ten seconds after which Fastify gives a plugin up. */
const START_LIMIT_MS = 120_000

/** A connection on which nothing moves for so long is closed; longer than browsers and proxies keep one. */
const SILENCE_LIMIT_MS = 120_000

/** Builds the api over its services. It listens to nothing until its caller says so. */
export async function buildApp(
  services: Services,
  limits: AppLimits = {},
): Promise<FastifyInstance> {
  const { wholeMs = 30_000, checkMs = 2_000 } = limits
  const { config } = services
  const logger: FastifyBaseLogger = services.log
  const app = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    trustProxy: config.trustProxy.length > 0 ? [...config.trustProxy] : false,
    bodyLimit: BODY_LIMIT_BYTES,
    pluginTimeout: START_LIMIT_MS,
    requestTimeout: wholeMs,
    connectionTimeout: SILENCE_LIMIT_MS,
    http: {
      // Node's own refusal is an empty, chunked 400; calls without it are refused by the contract.
      requireHostHeader: false,
      // The headers alone would otherwise have twice as long as the whole.
      headersTimeout: wholeMs,
      requestTimeout: wholeMs,
      connectionsCheckingInterval: checkMs,
    },
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: PARAMETER_LIMIT },
    forceCloseConnections: 'idle',
    rewriteUrl: ({ url = '/' }) => mendUrl(url),
    frameworkErrors(error, request, reply) {
      if (!answerUnroutableUpdate(request, reply)) sendUnroutable(error, request, reply)
    },
    clientErrorHandler(error, socket) {
      const isUpdate = answerUnreadableUpdate(error, socket, async (meant) => app.inject(meant))
      if (!isUpdate) answerUnreadable(error, socket)
    },
  })
  // What a client expects beyond `100-continue` is not promised to it (RFC 9110 §10.1.1).
  app.server.on('checkExpectation', (request, response) => {
    app.server.emit('request', request, response)
  })
  limitConnections(app.server, config, limits.connections)
  acceptEveryMethod(app)
  await app.register(requestLog)
  await app.register(measurements, services)
  // Scopes beside each other: a router's request, of which there are thousands a second, passes no hook that is for browsers.
  await app.register(async (scope) => addUpdateRoutes(scope, services))
  await app.register(async (scope) => addCalls(scope, services, limits))
  return app
}

/** Everything but the update URLs: what browsers and programs call. */
async function addCalls(
  app: FastifyInstance,
  services: Services,
  { calls, admission: places }: AppLimits,
): Promise<void> {
  const { config } = services
  await app.register(problems)
  await app.register(securityHeaders, config)
  await app.register(contract)
  await app.register(hostCheck, config)
  await app.register(auth, { services })
  await app.register(countRejected)
  await app.register(callLimits, { config, rules: calls })
  await app.register(admission, { services, limits: places })

  await app.register(metrics, config)
  await app.register(docs)
  await app.register(securityTxt, services)
  await app.register(pages, config)
  await app.register(screens, config)

  app.implement(systemHandlers, services)
  app.implement(authHandlers, services)
  app.implement(captchaHandlers, services)
  app.implement(accountHandlers, services)
  app.implement(accountExportHandlers, services)
  app.implement(twoFactorHandlers, services)
  app.implement(zoneHandlers, services)
  app.implement(domainHandlers, services)
  app.implement(updateTokenHandlers, services)
  app.implement(updateCallHandlers, services)
  app.implement(apiKeyHandlers, services)
  app.implement(passkeyHandlers, services)
  app.implement(trustPolicyHandlers, services)
  app.implement(planHandlers, services)
  app.implement(adminPlanHandlers, services)
  app.implement(adminUserHandlers, services)
  app.implement(adminDomainHandlers, services)
  app.implement(lockedNameHandlers, services)
}
