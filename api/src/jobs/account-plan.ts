/** The job `account-plan`: brings an account's names to its plan, at most 500 in a transaction. */
import type { Knex } from 'knex'
import { applyAccountPlan } from '../feed/account-plan.ts'

/** Each step finds what is left by itself, so a job that was interrupted goes on where it stopped. */
export async function settleAccountPlan(knex: Knex, userId: string): Promise<void> {
  for (;;) {
    const { isWhole } = await knex.transaction((trx) => applyAccountPlan(trx, userId))
    if (isWhole) return
  }
}
