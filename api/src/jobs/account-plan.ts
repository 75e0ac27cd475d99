/** The job `account-plan`: applies an account's plan to its domains, at most 500 per transaction. */
import type { Knex } from 'knex'
import { applyAccountPlan } from '../feed/account-plan.ts'

/** Each step finds the remaining domains itself, so an interrupted job continues where it stopped. */
export async function settleAccountPlan(knex: Knex, userId: string): Promise<void> {
  for (;;) {
    const { isWhole } = await knex.transaction((trx) => applyAccountPlan(trx, userId))
    if (isWhole) return
  }
}
