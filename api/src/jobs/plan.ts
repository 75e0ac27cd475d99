/** The job `plan`: brings the names of all accounts on a plan to what it says now. */
import { accountsAfter, settleAccounts } from '../feed/plan-accounts.ts'
import type { Services } from '../compose.ts'
import type { JobData } from '../queue/job-data.ts'

/** Transactions of one job, of at most 500 names each. Then another job goes on, so that none runs for long. */
const STEPS_PER_JOB = 100

/**
 * Goes through the accounts in the order of their ids. It remembers nothing but how far it came, and even that only
 * to be quicker: a job that was interrupted begins where it began, and finds only what still differs.
 *
 * @param stepLimit after so many transactions the rest is left to another job
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
