/** Plans (table `plans`). */
import type { Plan as PlanBody } from '@homing/openapi'
import type { Knex } from 'knex'
import { raw } from 'objection'
import { integer, nullable, smallint, text, textArrayOf, textOf, timestamptz } from './columns.ts'
import { type Row, table } from './table.ts'

/** The terms of each account type. */
export class Plan extends table(
  'plans',
  {
    account_type: textOf<PlanBody['id']>(),
    /** Order of the plans, smallest first. */
    position: smallint,
    domain_limit: integer,
    ttl_seconds: integer,
    stealth_flag_limit: integer,
    /** The shortest interval of uptime monitors in seconds, if the plan includes them. */
    monitor_interval: integer,
    /** The number of records: of RRsets, or of values of TXT records (`record_types`). */
    record_limit: integer,
    record_types: textOf<PlanBody['record_types']>(),
    abilities: textArrayOf<PlanBody['abilities'][number]>(),
    /** Null: the plan is not sold by the month. */
    price_month_cents: nullable(integer),
    /** Null: the plan is not sold by the year. */
    price_year_cents: nullable(integer),
    currency: text,
    version: integer,
    /** Null: the plan was never changed. */
    updated_at: nullable(timestamptz),
  },
  'account_type',
) {}

/** The public columns of a plan. */
const TERMS = [
  'account_type as id',
  'domain_limit',
  'ttl_seconds as ttl',
  'stealth_flag_limit',
  'monitor_interval',
  'record_limit',
  'record_types',
  'abilities',
  'price_month_cents',
  'price_year_cents',
  'currency',
]

/** A plan with the additional fields for administrators. */
export type VersionedPlan = PlanBody & Pick<Row<typeof Plan>, 'version' | 'updated_at'>

const versioned = (knex: Knex) => Plan.query(knex).select(TERMS, 'version', 'updated_at')

/** The plans that have a price, from the smallest to the largest. */
export async function offeredPlans(knex: Knex): Promise<PlanBody[]> {
  return Plan.query(knex)
    .select(TERMS)
    .whereNotNull('price_month_cents')
    .orWhereNotNull('price_year_cents')
    .orderBy('position')
    .toKnexQuery<PlanBody>()
}

/** One plan. */
export async function readPlan(knex: Knex, accountType: string): Promise<PlanBody> {
  const [plan] = await Plan.query(knex)
    .select(TERMS)
    .where('account_type', accountType)
    .toKnexQuery<PlanBody>()
  return known(plan, accountType)
}

/** All plans, from the smallest to the largest. */
export async function versionedPlans(knex: Knex): Promise<VersionedPlan[]> {
  return versioned(knex).orderBy('position').toKnexQuery<VersionedPlan>()
}

/** One plan with its version. */
export async function readVersionedPlan(knex: Knex, accountType: string): Promise<VersionedPlan> {
  const [plan] = await versioned(knex)
    .where('account_type', accountType)
    .toKnexQuery<VersionedPlan>()
  return known(plan, accountType)
}

function known<P extends PlanBody>(plan: P | undefined, accountType: string): P {
  if (plan === undefined) throw new Error(`there is no plan ${accountType}`)
  return plan
}

/** Writes a plan's terms. The caller holds its exclusive lock (`lockPlan`). */
export async function writePlan(trx: Knex.Transaction, plan: PlanBody): Promise<VersionedPlan> {
  await Plan.query(trx)
    .findById(plan.id)
    .patch({
      domain_limit: plan.domain_limit,
      ttl_seconds: plan.ttl,
      stealth_flag_limit: plan.stealth_flag_limit,
      monitor_interval: plan.monitor_interval,
      record_limit: plan.record_limit,
      abilities: plan.abilities,
      version: raw('version + 1'),
      updated_at: raw('now()'),
    })
  return readVersionedPlan(trx, plan.id)
}
