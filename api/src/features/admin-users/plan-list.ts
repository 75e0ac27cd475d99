/** What each plan gives, so that an administrator sees what a change of plan does. */
import type { AdminPlan } from '@homing/openapi'
import type { Knex } from 'knex'
import { query } from '../../sql.ts'

/** All plans, from the smallest to the largest. */
export async function listPlans(knex: Knex): Promise<AdminPlan[]> {
  return query<AdminPlan>(
    knex,
    `select account_type as id, domain_limit, ttl_seconds as ttl, abilities from plans order by position`,
  )
}
