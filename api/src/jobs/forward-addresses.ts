/** The job `forward-addresses`: publishes all forwarded domains after the list of the forwarders' addresses has changed. */
import type { Services } from '../compose.ts'
import { publishForwarded } from '../feed/forward-addresses.ts'
import type { JobData } from '../queue/job-data.ts'

/** Transactions of one job, of at most 500 names each. Then another job continues, so that no job runs for long. */
const STEPS_PER_JOB = 100

/**
 * Goes through the forwards in the order of their ids. To publish one twice changes nothing, so an interrupted job
 * starts again where it had started.
 *
 * @param stepLimit after this number of transactions another job continues
 */
export async function publishForwardAddresses(
  { knex, jobs }: Pick<Services, 'knex' | 'jobs'>,
  { after }: JobData['forward-addresses'],
  stepLimit = STEPS_PER_JOB,
): Promise<void> {
  let last = after
  for (let steps = 0; steps < stepLimit; steps += 1) {
    const next = await publishForwarded(knex, last)
    if (next === undefined) return
    last = next
  }
  await knex.transaction((trx) => jobs.enqueue(trx, 'forward-addresses', { after: last }))
}
