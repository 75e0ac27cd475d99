/**
 * Limits the number of concurrent calls. A call beyond what can be served soon is refused at once:
 * an unbounded queue makes every caller wait too long.
 *
 * A call holds a slot from its headers until its response is ready, except while its body arrives,
 * because the sender decides how long that takes. The slot is kept when the caller hangs up, since
 * the work continues. Health, metrics and files are always served; files cost almost nothing. The
 * update URLs have a bounded queue of their own (`feed/coalescer.ts`).
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { Gauge } from 'prom-client'
import { AT_ONCE_LIMIT } from '../limits/call-limits.ts'
import { networkOf } from '../rules/networks.ts'
import { EventLoopLoad } from '../process/event-loop-load.ts'
import { poolLoad } from '../database/pool-load.ts'
import type { Services } from '../compose.ts'
import { hasBody } from './has-body.ts'
import { requestSourceOf } from '../caller/request-source.ts'
import { sendProblem } from './problem.ts'

export interface AdmissionLimits {
  /** Concurrent calls. A core serves some hundreds a second, so the last of them waits for a fraction of a second. */
  readonly calls: number
  /** Queries that wait for a database connection, including those of callers that have hung up. */
  readonly waiting: number
  /** Average delay of the event loop, in milliseconds, above which no call is served in time. */
  readonly loopDelayMs: number
}

const LIMITS: AdmissionLimits = { calls: 128, waiting: 112, loopDelayMs: 500 }
const RETRY_AFTER_SECONDS = 2

declare module 'fastify' {
  interface FastifyRequest {
    /** The network that the call's slot is counted for; undefined while the call has no slot. */
    place: string | undefined
  }
}

function isBounded({ routeOptions }: FastifyRequest): boolean {
  const { operation, operationId } = routeOptions.config
  return operation !== undefined && operationId !== 'getHealth'
}

class Places {
  readonly #services: Pick<Services, 'knex' | 'config'>
  readonly #load: EventLoopLoad
  readonly #limits: AdmissionLimits
  readonly #ofNetwork = new Map<string, number>()
  taken = 0

  constructor(
    services: Pick<Services, 'knex' | 'config'>,
    load: EventLoopLoad,
    limits: AdmissionLimits,
  ) {
    this.#services = services
    this.#load = load
    this.#limits = limits
  }

  /** Takes a slot for a call. @returns why the call is refused; undefined when it has a slot */
  take(request: FastifyRequest): 'overload' | 'at-once' | undefined {
    const { calls, waiting } = this.#limits
    const { knex, config } = this.#services
    if (this.taken >= calls || poolLoad(knex).waiting >= waiting || this.#load.isTooMuch) {
      return 'overload'
    }
    const network = networkOf(requestSourceOf(request).ip)
    const ofNetwork = this.#ofNetwork.get(network) ?? 0
    if (config.rateLimits && ofNetwork >= AT_ONCE_LIMIT) return 'at-once'
    this.taken += 1
    this.#ofNetwork.set(network, ofNetwork + 1)
    request.place = network
    return undefined
  }

  leave(request: FastifyRequest): void {
    const { place } = request
    if (place === undefined) return
    request.place = undefined
    this.taken -= 1
    const left = (this.#ofNetwork.get(place) ?? 1) - 1
    if (left === 0) this.#ofNetwork.delete(place)
    else this.#ofNetwork.set(place, left)
  }
}

/** Refuses a call for which there is no slot. */
function sendAway(request: FastifyRequest, reply: FastifyReply, why: 'overload' | 'at-once'): void {
  request.server.countRejected(request, why)
  const retryAfterSeconds = RETRY_AFTER_SECONDS
  void (why === 'overload'
    ? sendProblem(request, reply, {
        code: 'unavailable',
        detail: 'The service is overloaded. Please try again shortly.',
        retryAfterSeconds,
      })
    : sendProblem(request, reply, {
        code: 'rate-limited',
        detail: `More than ${AT_ONCE_LIMIT} calls from your network are in progress. Please wait until some of them have finished.`,
        retryAfterSeconds,
      }))
}

export const admission = fastifyPlugin(
  (
    app: FastifyInstance,
    { services, limits = LIMITS }: { services: Services; limits?: AdmissionLimits | undefined },
    registered: () => void,
  ) => {
    const load = new EventLoopLoad(limits.loopDelayMs)
    app.addHook('onReady', async () => load.start())
    app.addHook('onClose', async () => load.stop())
    const places = new Places(services, load, limits)
    const underWay: Gauge = new Gauge({
      name: 'homing_api_calls_under_way',
      help: 'Calls in progress: the headers were read and the response is not ready.',
      registers: [app.metricsRegistry],
      collect: () => underWay.set(places.taken),
    })
    app.decorateRequest('place', undefined)
    const enter = (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
      const why =
        isBounded(request) && request.place === undefined ? places.take(request) : undefined
      if (why === undefined) done()
      else sendAway(request, reply, why)
    }
    app.addHook('onRequest', enter)
    app.addHook('preParsing', (request, _reply, payload, done) => {
      if (hasBody(request)) places.leave(request)
      done(null, payload)
    })
    app.addHook('preValidation', enter)
    app.addHook('onSend', (request, _reply, _payload, done) => {
      places.leave(request)
      done()
    })
    registered()
  },
  { name: 'admission', dependencies: ['problem', 'rejected-requests', 'call-limits'] },
)
