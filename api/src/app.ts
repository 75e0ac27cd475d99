/** Builds the app: what every request passes, then the update URLs, and beside them the plugins in the order in which they run, then the features. */
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { randomUUID } from 'node:crypto'
import { accountExportHandlers } from './features/account-export/handlers.ts'
import { accountHandlers } from './features/account/handlers.ts'
import { adminDomainHandlers } from './features/admin-domains/handlers.ts'
import { adminPlanHandlers } from './features/admin-plans/handlers.ts'
import { adminQueryHandlers } from './features/admin-queries/handlers.ts'
import { adminUptimeHandlers } from './features/admin-uptime/handlers.ts'
import { adminUserHandlers } from './features/admin-users/handlers.ts'
import { adminWebForwardHandlers } from './features/admin-web-forwards/handlers.ts'
import { apiKeyHandlers } from './features/api-keys/handlers.ts'
import { authHandlers } from './features/auth/handlers.ts'
import { captchaHandlers } from './features/captcha/handlers.ts'
import { dnsAnalyticsHandlers } from './features/dns-analytics/handlers.ts'
import { domainBatchHandlers } from './features/domains/batches/handlers.ts'
import { domainHandlers } from './features/domains/handlers.ts'
import {
  deletedDomainHandlers,
  domainHistoryHandlers,
} from './features/domains/history-handlers.ts'
import { mendUrl } from './update-protocol/request-line.ts'
import { addUpdateRoutes, answerUnroutableUpdate } from './features/dyndns/routes.ts'
import { answerUnreadableUpdate } from './features/dyndns/unreadable.ts'
import { blockedTargetHandlers } from './features/blocked-targets/handlers.ts'
import { lockedNameHandlers } from './features/locked-names/handlers.ts'
import { taxRateHandlers } from './features/tax-rates/handlers.ts'
import { noticeHandlers } from './features/notices/handlers.ts'
import { ownZoneHandlers } from './features/own-zones/handlers.ts'
import { passkeyHandlers } from './features/passkeys/handlers.ts'
import { adminPaymentHandlers } from './features/admin-payments/handlers.ts'
import { paymentHandlers } from './features/payments/handlers.ts'
import { planHandlers } from './features/plans/handlers.ts'
import { propagationHandlers } from './features/propagation/handlers.ts'
import { recordHandlers, zoneHistoryHandlers } from './features/records/handlers.ts'
import { undoRecord } from './features/records/undo-record.ts'
import { streamHandlers } from './features/stream/handlers.ts'
import { systemHandlers } from './features/system/handlers.ts'
import { trustPolicyHandlers } from './features/trust-policies/handlers.ts'
import { twoFactorHandlers } from './features/two-factor/handlers.ts'
import { updateCallHandlers } from './features/update-calls/handlers.ts'
import { updateTokenHandlers } from './features/update-tokens/handlers.ts'
import { uptimeHandlers } from './features/uptime/handlers.ts'
import { webForwardHandlers } from './features/web-forwards/handlers.ts'
import { undoForward } from './features/web-forwards/undo-forward.ts'
import { zoneHandlers } from './features/zones/handlers.ts'
import { admission, type AdmissionLimits } from './plugins/admission.ts'
import { auth } from './plugins/auth.ts'
import { callLimits, type CallRules } from './plugins/call-limits.ts'
import { contract } from './plugins/contract.ts'
import { docs } from './plugins/docs.ts'
import { hostCheck } from './plugins/host-check.ts'
import { measurements, metrics } from './plugins/metrics.ts'
import { acceptEveryMethod, refuseOtherMethods } from './plugins/other-methods.ts'
import { mailboxPages } from './plugins/mailbox-pages.ts'
import { BODY_LIMIT_BYTES, problems, sendUnroutable } from './plugins/problem.ts'
import { answerUnreadable } from './plugins/unreadable-request.ts'
import { requestLog } from './plugins/request-log.ts'
import { screens } from './plugins/screens.ts'
import { securityHeaders } from './plugins/security-headers.ts'
import { securityTxt } from './plugins/security-txt.ts'
import { rejectedRequests } from './plugins/rejected-requests.ts'
import { site } from './site/site.ts'
import { limitConnections } from './limits/open-connections.ts'
import type { Services } from './compose.ts'

/** Maximum length of a path parameter: every name in every spelling fits. */
const PARAMETER_LIMIT = 2_048

/** How URLs are compared with routes. */
const ROUTER = { ignoreTrailingSlash: true, maxParamLength: PARAMETER_LIMIT }

/** Limits of connections, in milliseconds, and of calls. */
export interface AppLimits {
  /** Time limit for receiving a complete request. */
  readonly wholeMs?: number
  /** Interval of the check for that limit; a request can take this much longer. */
  readonly checkMs?: number
  /** Rate limits other than the usual ones. */
  readonly calls?: CallRules
  /** Maximum number of concurrent calls. */
  readonly admission?: AdmissionLimits
  /** Maximum number of open connections of one network. */
  readonly connections?: number
}

/** On a small, busy machine, reading the contract takes longer than Fastify's default of ten seconds for a plugin. */
const START_LIMIT_MS = 120_000

/** A connection is closed after this idle time, which is longer than browsers and proxies keep one. */
const SILENCE_LIMIT_MS = 120_000

/** Builds the API from its services. It does not listen until its caller calls `listen`. */
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
      // Node's own refusal is an empty, chunked 400. Calls without a Host header are refused by the
      // contract instead.
      requireHostHeader: false,
      // Otherwise the headers alone could take twice as long as the whole request.
      headersTimeout: wholeMs,
      requestTimeout: wholeMs,
      connectionsCheckingInterval: checkMs,
    },
    routerOptions: ROUTER,
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
  // Other expectations than `100-continue` are ignored (RFC 9110 §10.1.1).
  app.server.on('checkExpectation', (request, response) => {
    app.server.emit('request', request, response)
  })
  limitConnections(app.server, config, limits.connections)
  // These responses do not end by themselves.
  app.addHook('preClose', async () => services.live.endAll())
  acceptEveryMethod(app)
  await app.register(requestLog)
  await app.register(measurements, services)
  // Separate scopes: a router's request, of which there are thousands a second, does not run the hooks for browsers.
  await app.register(async (scope) => addUpdateRoutes(scope, services))
  await app.register(async (scope) => addCalls(scope, services, limits))
  return app
}

/** Everything except the update URLs: what browsers and programs call. */
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
  await app.register(rejectedRequests)
  await app.register(callLimits, { config, rules: calls })
  await app.register(admission, { services, limits: places })
  await app.register(refuseOtherMethods, { router: ROUTER })

  await app.register(metrics, config)
  await app.register(docs)
  await app.register(securityTxt, services)
  if (config.nodeEnv !== 'production') mailboxPages(app, config)
  await app.register(screens, config)
  await app.register(site, services)

  app.implement(systemHandlers, services)
  app.implement(authHandlers, services)
  app.implement(captchaHandlers, services)
  app.implement(accountHandlers, services)
  app.implement(accountExportHandlers, services)
  app.implement(noticeHandlers, services)
  app.implement(twoFactorHandlers, services)
  app.implement(zoneHandlers, services)
  app.implement(domainHandlers, services)
  app.implement(domainHistoryHandlers({ undoForward, undoRecord }), services)
  app.implement(deletedDomainHandlers, services)
  app.implement(domainBatchHandlers, services)
  app.implement(updateTokenHandlers, services)
  app.implement(updateCallHandlers, services)
  app.implement(propagationHandlers, services)
  app.implement(webForwardHandlers, services)
  app.implement(recordHandlers, services)
  app.implement(zoneHistoryHandlers, services)
  app.implement(ownZoneHandlers, services)
  app.implement(uptimeHandlers, services)
  app.implement(dnsAnalyticsHandlers, services)
  app.implement(streamHandlers, services)
  app.implement(apiKeyHandlers, services)
  app.implement(passkeyHandlers, services)
  app.implement(trustPolicyHandlers, services)
  app.implement(planHandlers, services)
  app.implement(paymentHandlers, services)
  app.implement(adminPaymentHandlers, services)
  app.implement(taxRateHandlers, services)
  app.implement(adminPlanHandlers, services)
  app.implement(adminUserHandlers, services)
  app.implement(adminDomainHandlers, services)
  app.implement(adminWebForwardHandlers, services)
  app.implement(adminUptimeHandlers, services)
  app.implement(adminQueryHandlers, services)
  app.implement(blockedTargetHandlers, services)
  app.implement(lockedNameHandlers, services)
}
