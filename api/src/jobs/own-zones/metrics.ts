/** What the worker measures of own zones. */
import type { Knex } from 'knex'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { OWN_ZONE_STATES } from '@homing/openapi/vocabulary'
import { query } from '../../database/sql.ts'

export class ZoneMetrics {
  readonly claims: Gauge<'state'>
  readonly checks: Counter<'outcome'>
  readonly seconds: Histogram

  constructor(registry: Registry) {
    const registers = [registry]
    this.claims = new Gauge({
      name: 'homing_worker_zone_claims',
      help: 'Claims of own zones, by state.',
      labelNames: ['state'],
      registers,
    })
    this.checks = new Counter({
      name: 'homing_worker_delegation_checks_total',
      help: 'Automatic checks of delegations, by outcome: right, wrong, failed (the check itself).',
      labelNames: ['outcome'],
      registers,
    })
    this.seconds = new Histogram({
      name: 'homing_worker_delegation_check_seconds',
      help: 'Duration of the automatic checks of delegations.',
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    })
  }
}

/** Counts the claims of each state. */
export async function countClaims(knex: Knex, { claims }: ZoneMetrics): Promise<void> {
  const rows = await query<{ state: string; count: number }>(
    knex,
    'select state, count(*)::int as count from zone_claims group by state',
  )
  const counts = new Map(rows.map(({ state, count }) => [state, count]))
  for (const state of OWN_ZONE_STATES) claims.set({ state }, counts.get(state) ?? 0)
}
