/**
 * Calls that are refused before any work is done for them. A flood brings thousands a second, and logging each would
 * cost more than refusing it: they are counted, and logged together at intervals.
 */
import type { FastifyInstance } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { Counter } from 'prom-client'
import { networkOf } from '../rules/networks.ts'
import { requestSourceOf } from '../caller/request-source.ts'

/** Minimum interval between two log lines for the same limit. */
const TOLD_EVERY_MS = 10_000

declare module 'fastify' {
  interface FastifyInstance {
    /** Counts a rejected call, and keeps it out of the request log. */
    countRejected(request: FastifyRequest, reason: string): void
  }
  interface FastifyRequest {
    isRejected: boolean
  }
}

export const rejectedRequests = fastifyPlugin(
  (app: FastifyInstance, _options: object, done: () => void) => {
    const counter = new Counter({
      name: 'homing_api_turned_away_total',
      help: 'Calls refused before processing, by limit.',
      labelNames: ['limit'],
      registers: [app.metricsRegistry],
    })
    const since = new Map<string, { told: number; calls: number }>()
    app.decorateRequest('isRejected', false)
    app.decorate('countRejected', (request, limit) => {
      request.isRejected = true
      counter.inc({ limit })
      const now = performance.now()
      const { told, calls } = since.get(limit) ?? { told: -Infinity, calls: 0 }
      if (now - told < TOLD_EVERY_MS) {
        since.set(limit, { told, calls: calls + 1 })
        return
      }
      since.set(limit, { told: now, calls: 0 })
      const network = networkOf(requestSourceOf(request).ip)
      app.log.warn({ limit, network, calls: calls + 1 }, 'calls were refused by a limit')
    })
    done()
  },
  { name: 'rejected-requests', dependencies: ['measurements'] },
)
