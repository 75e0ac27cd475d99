/** Plans (table `plans`). */
import type { Plan as PlanBody } from '@homing/openapi'
import type { Knex } from 'knex'
import { query } from '../sql.ts'
import { integer, nullable, smallint, text, textArrayOf, textOf, timestamptz } from './columns.ts'
import { table } from './table.ts'

/** What accounts of each type may do. */
export class Plan extends table(
  'plans',
  {
    account_type: textOf<PlanBody['id']>(),
    /** From the smallest plan to the largest. */
    position: smallint,
    domain_limit: integer,
    ttl_seconds: integer,
    stealth_flag_limit: integer,
    abilities: textArrayOf<PlanBody['abilities'][number]>(),
    /** Null: the plan is not sold by the month. */
    price_month_cents: nullable(integer),
    /** Null: the plan is not sold by the year. */
    price_year_cents: nullable(integer),
    currency: text,
    version: integer,
    /** Null: nobody changed the plan yet. */
    updated_at: nullable(timestamptz),
  },
  'account_type',
) {}

const COLUMNS = `
  p.account_type as id, p.domain_limit, p.ttl_seconds as ttl, p.stealth_flag_limit, p.abilities,
  p.price_month_cents, p.price_year_cents, p.currency`

/** A plan with what administrators see of it besides. */
export interface VersionedPlan extends PlanBody {
  readonly version: number
  /** Null: it is as it was at the start. */
  readonly updated_at: Date | null
}

const VERSIONED = `${COLUMNS}, p.version, p.updated_at`

/** The plans that have a price, from the smallest to the largest. */
export async function offeredPlans(knex: Knex): Promise<PlanBody[]> {
  return query<PlanBody>(
    knex,
    `select ${COLUMNS} from plans p
     where p.price_month_cents is not null or p.price_year_cents is not null order by p.position`,
  )
}

/** One plan. */
export async function readPlan(knex: Knex, accountType: string): Promise<PlanBody> {
  const [plan] = await query<PlanBody>(
    knex,
    `select ${COLUMNS} from plans p where p.account_type = ?`,
    [accountType],
  )
  return known(plan, accountType)
}

/** All plans, from the smallest to the largest. */
export async function versionedPlans(knex: Knex): Promise<VersionedPlan[]> {
  return query<VersionedPlan>(knex, `select ${VERSIONED} from plans p order by p.position`)
}

/** One plan with its version. */
export async function readVersionedPlan(knex: Knex, accountType: string): Promise<VersionedPlan> {
  const [plan] = await query<VersionedPlan>(
    knex,
    `select ${VERSIONED} from plans p where p.account_type = ?`,
    [accountType],
  )
  return known(plan, accountType)
}

function known<P extends PlanBody>(plan: P | undefined, accountType: string): P {
  if (plan === undefined) throw new Error(`there is no plan ${accountType}`)
  return plan
}

/** Writes a plan's terms. The caller holds it alone (`lockPlan`). */
export async function writePlan(trx: Knex.Transaction, plan: PlanBody): Promise<VersionedPlan> {
  const [written] = await query<VersionedPlan>(
    trx,
    `update plans p
     set domain_limit = ?, ttl_seconds = ?, stealth_flag_limit = ?, abilities = ?::text[],
         version = p.version + 1, updated_at = now()
     where p.account_type = ? returning ${VERSIONED}`,
    [plan.domain_limit, plan.ttl, plan.stealth_flag_limit, plan.abilities, plan.id],
  )
  return known(written, plan.id)
}
