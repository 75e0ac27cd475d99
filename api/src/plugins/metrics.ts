/** `/metrics`: requires `METRICS_TOKEN`, or local access under one of the service's own hosts. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { timingSafeEqual } from 'node:crypto'
import type { Server } from 'node:http'
import { promisify } from 'node:util'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { ApiConfig } from '../config/api.ts'
import { Refusal } from '../rules/errors.ts'
import { digestOf } from '../rules/secrets.ts'
import { createMetrics } from '../integrations/metrics.ts'
import { checkCounts } from '../delegation/check-counts.ts'
import { recordChangeCounts } from '../feed/record-counts.ts'
import { poolLoad } from '../database/pool-load.ts'
import type { Services } from '../compose.ts'
import { requireHost } from './host-check.ts'
import { isOfThisMachine } from '../caller/request-source.ts'

const BUCKETS_SECONDS = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10]

function carriesToken({ headers }: FastifyRequest, token: string | undefined): boolean {
  const [, given] = /^Bearer +(.+)$/i.exec(headers.authorization ?? '') ?? []
  if (token === undefined || given === undefined) return false
  return timingSafeEqual(Buffer.from(digestOf(given)), Buffer.from(digestOf(token)))
}

declare module 'fastify' {
  interface FastifyInstance {
    metricsRegistry: Registry
  }
}

type Measured = Pick<
  Services,
  | 'coalescer'
  | 'knex'
  | 'callLog'
  | 'rateLimits'
  | 'nameGuard'
  | 'live'
  | 'delegation'
  | 'propagation'
  | 'webhookCounts'
>

/** Registers the metrics that read the state of the services when they are collected. */
function measureServices(registry: Registry, services: Measured): void {
  const { coalescer, knex, callLog } = services
  const registers = [registry]
  const updates: Gauge = new Gauge({
    name: 'homing_api_updates_waiting',
    help: 'Address changes that are waiting or in progress.',
    registers,
    collect: () => updates.set(coalescer.queued),
  })
  const connections: Gauge = new Gauge({
    name: 'homing_api_database_connections',
    help: 'Connections to the database, by state.',
    labelNames: ['state'],
    registers,
    collect() {
      const { used, free } = poolLoad(knex)
      connections.set({ state: 'used' }, used)
      connections.set({ state: 'free' }, free)
    },
  })
  const waiting: Gauge = new Gauge({
    name: 'homing_api_database_waiting',
    help: 'Requests that wait for a connection to the database.',
    registers,
    collect: () => waiting.set(poolLoad(knex).waiting),
  })
  const records: Counter = new Counter({
    name: 'homing_api_record_changes_total',
    help: 'Records that were created, changed and deleted.',
    labelNames: ['change'],
    registers,
    collect() {
      records.reset()
      for (const [change, count] of recordChangeCounts(knex)) records.inc({ change }, count)
    },
  })
  const dropped: Counter = new Counter({
    name: 'homing_api_update_calls_dropped_total',
    help: 'Update calls that were not stored for their owners’ lists because too many were waiting.',
    registers,
    collect() {
      dropped.reset()
      dropped.inc(callLog.dropped)
    },
  })
}

/** Registers the refusals that the services count themselves. */
function measureRefusals(registry: Registry, { rateLimits, nameGuard }: Measured): void {
  const registers = [registry]
  const refused: Counter = new Counter({
    name: 'homing_api_refused_total',
    help: 'Refusals by the rate limits for secrets and mail, which all replicas share.',
    labelNames: ['limit'],
    registers,
    collect() {
      refused.reset()
      for (const [limit, count] of rateLimits.refusals) refused.inc({ limit }, count)
    },
  })
  const names: Counter = new Counter({
    name: 'homing_api_names_refused_total',
    help: 'Registrations refused because the name is reserved or imitates another party.',
    labelNames: ['rule'],
    registers,
    collect() {
      names.reset()
      for (const [rule, count] of nameGuard.refusals) names.inc({ rule }, count)
    },
  })
}

function measureDelegationChecks(registry: Registry, { delegation }: Measured): void {
  const checks: Counter = new Counter({
    name: 'homing_api_delegation_checks_total',
    help: 'Checks of delegations that owners caused, by outcome: right, wrong, busy (too many waited), failed (the check itself).',
    labelNames: ['outcome'],
    registers: [registry],
    collect() {
      checks.reset()
      for (const [outcome, count] of checkCounts(delegation)) checks.inc({ outcome }, count)
    },
  })
}

function measurePropagationChecks(registry: Registry, { propagation }: Measured): void {
  const checks: Counter = new Counter({
    name: 'homing_api_propagation_checks_total',
    help: 'Checks of what the name servers answer for a domain, by outcome: current, not-current, busy (too many waited), failed (the check itself).',
    labelNames: ['outcome'],
    registers: [registry],
    collect() {
      checks.reset()
      for (const [outcome, count] of propagation.outcomes) checks.inc({ outcome }, count)
    },
  })
}

function measureWebhooks(registry: Registry, { webhookCounts }: Measured): void {
  const received: Counter = new Counter({
    name: 'homing_api_webhooks_total',
    help: 'Events that payment providers sent, by outcome: stored, repeated, refused.',
    labelNames: ['provider', 'outcome'],
    registers: [registry],
    collect() {
      received.reset()
      for (const { count, ...labels } of webhookCounts.entries()) received.inc(labels, count)
    },
  })
}

function measureStreams(registry: Registry, { live }: Measured): void {
  const registers = [registry]
  const open: Gauge = new Gauge({
    name: 'homing_api_streams',
    help: 'Open event streams.',
    registers,
    collect: () => open.set(live.size),
  })
  const sent: Counter = new Counter({
    name: 'homing_api_stream_events_total',
    help: 'Events sent on event streams.',
    labelNames: ['event'],
    registers,
    collect() {
      sent.reset()
      for (const [event, count] of live.sent) sent.inc({ event }, count)
    },
  })
}

function measureConnections(registry: Registry, server: Server): void {
  const open: Gauge = new Gauge({
    name: 'homing_api_connections',
    help: 'Open connections of clients and proxies.',
    registers: [registry],
    async collect() {
      open.set(await promisify(server.getConnections.bind(server))())
    },
  })
}

/** Observes every request, in every scope of the application. */
export const measurements = fastifyPlugin(
  (app: FastifyInstance, services: Measured, done: () => void) => {
    const registry = createMetrics()
    app.decorate('metricsRegistry', registry)
    const durations = new Histogram({
      name: 'homing_api_request_duration_seconds',
      help: 'Time from the first octet of a request to the end of its response.',
      labelNames: ['operation', 'status'],
      buckets: BUCKETS_SECONDS,
      registers: [registry],
    })
    measureServices(registry, services)
    measureRefusals(registry, services)
    measureDelegationChecks(registry, services)
    measurePropagationChecks(registry, services)
    measureStreams(registry, services)
    measureWebhooks(registry, services)
    measureConnections(registry, app.server)
    // Cached by the labels' text: prom-client sorts and joins the labels of every observation.
    const series = new Map<string, ReturnType<typeof durations.labels>>()
    app.addHook('onResponse', (request, reply, next) => {
      const { operationId: operation = 'other', operation: called } = request.routeOptions.config
      // How long somebody followed a stream says nothing about the service.
      if (called?.success.events !== undefined && reply.statusCode < 400) return next()
      const name = `${reply.statusCode} ${operation}`
      let observed = series.get(name)
      if (observed === undefined) {
        observed = durations.labels({ operation, status: reply.statusCode })
        series.set(name, observed)
      }
      observed.observe(reply.elapsedTime / 1_000)
      next()
    })
    done()
  },
  { name: 'measurements' },
)

/** @throws Refusal `unauthenticated`, `misdirected-request` */
function requireLocalCaller(request: FastifyRequest, config: ApiConfig): void {
  if (!isOfThisMachine(request, config)) {
    throw new Refusal('unauthenticated', 'Metrics require local access or METRICS_TOKEN.')
  }
  request.server.requireOwnHost(request)
}

export const metrics = fastifyPlugin(
  (app: FastifyInstance, config: ApiConfig, done: () => void) => {
    app.get('/metrics', { onRequest: requireHost }, async (request, reply) => {
      if (!carriesToken(request, config.metricsToken)) requireLocalCaller(request, config)
      const { metricsRegistry: registry } = app
      return reply.type(registry.contentType).send(await registry.metrics())
    })
    done()
  },
  { name: 'metrics', dependencies: ['problem', 'measurements', 'host-check'] },
)
