/** The job `plan`: applies the current terms of a plan to the domains of all its accounts. */
import { accountsAfter, settleAccounts } from '../feed/plan-accounts.ts'
import type { Services } from '../compose.ts'
import type { JobData } from '../queue/job-data.ts'

/** Transactions of one job, of at most 500 domains each. Then another job continues, so that no job runs for long. */
const STEPS_PER_JOB = 100

/**
 * Goes through the accounts in the order of their ids. Its only state is its position, which just saves time: an
 * interrupted job starts again where it had started, and changes only what still differs.
 *
 * @param stepLimit after this number of transactions another job continues
 */
export async function settlePlan(
  { knex, jobs }: Pick<Services, 'knex' | 'jobs'>,
  { plan, after }: JobData['plan'],
  stepLimit = STEPS_PER_JOB,
): Promise<void> {
  let last = after
  for (let steps = 0; steps < stepLimit;) {
    const userIds = await accountsAfter(knex, plan, last)
    if (userIds.length === 0) return
    steps += await settleAccounts(knex, userIds)
    last = userIds.at(-1) ?? last
  }
  await knex.transaction((trx) => jobs.enqueue(trx, 'plan', { plan, after: last }))
}
