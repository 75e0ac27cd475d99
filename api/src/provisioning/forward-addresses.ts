/** Stores FORWARD_ADDRESSES in the database, from where they are published. */
import type { Knex } from 'knex'
import { FIRST_FORWARD, replaceForwardAddresses } from '../feed/forward-addresses.ts'
import { JobQueue } from '../queue/job-queue.ts'

/**
 * Makes forwarded domains publish these addresses. The worker publishes the existing ones.
 *
 * @throws the error of the job queue: then nothing was stored
 */
export async function provideForwardAddresses(
  knex: Knex,
  addresses: readonly string[],
): Promise<void> {
  let failure: unknown
  const jobs = new JobQueue(knex, (error) => (failure = error))
  try {
    await knex.transaction(async (trx) => {
      const isJobNeeded = await replaceForwardAddresses(trx, addresses)
      if (isJobNeeded) await jobs.enqueue(trx, 'forward-addresses', { after: FIRST_FORWARD })
      if (failure !== undefined) throw failure
    })
  } finally {
    await jobs.stop()
  }
}
