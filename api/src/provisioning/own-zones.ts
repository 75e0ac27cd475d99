/** Gives the own zones of users the name servers of NAMESERVERS. */
import type { Knex } from 'knex'
import type { NameServer } from '../feed/name-servers.ts'
import { settleAllServers } from '../feed/own-zone-addresses.ts'
import { JobQueue } from '../queue/job-queue.ts'

/**
 * Makes the own zones fit, and mails the owners of vanity name servers whose addresses changed.
 *
 * @returns the number of zones that changed
 * @throws the error of the job queue
 */
export async function provideOwnZones(
  knex: Knex,
  nameservers: readonly NameServer[],
): Promise<number> {
  let failure: unknown
  const jobs = new JobQueue(knex, (error) => (failure = error))
  try {
    return await settleAllServers(knex, nameservers, async (trx, { userId, zone, servers }) => {
      const addresses = servers.map(({ hostname, ipv4, ipv6 }) => ({
        hostname,
        addresses: ipv6 === undefined ? [ipv4] : [ipv4, ipv6],
      }))
      const notice = { event: 'addresses', zone, isVanity: true, servers: addresses } as const
      await jobs.enqueue(trx, 'mail', { kind: 'own-zone', userId, ...notice })
      if (failure !== undefined) throw failure
    })
  } finally {
    await jobs.stop()
  }
}
