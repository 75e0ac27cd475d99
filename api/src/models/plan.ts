/** Plans (table `plans`). */
import type { Plan } from '@homing/openapi'
import type { Knex } from 'knex'
import { query } from '../sql.ts'

const COLUMNS = `
  p.account_type as id, p.domain_limit, p.ttl_seconds as ttl, p.stealth_flag_limit, p.abilities,
  p.price_month_cents, p.price_year_cents, p.currency`

/** The plans that have a price, from the smallest to the largest. */
export async function offeredPlans(knex: Knex): Promise<Plan[]> {
  return query<Plan>(
    knex,
    `select ${COLUMNS} from plans p
     where p.price_month_cents is not null or p.price_year_cents is not null order by p.position`,
  )
}

/** One plan. */
export async function readPlan(knex: Knex, accountType: string): Promise<Plan> {
  const [plan] = await query<Plan>(
    knex,
    `select ${COLUMNS} from plans p where p.account_type = ?`,
    [accountType],
  )
  if (plan === undefined) throw new Error(`there is no plan ${accountType}`)
  return plan
}
