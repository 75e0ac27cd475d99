/** The baseline for feeds: from a bare commit with NOTIFY until another process that LISTENs wakes up. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { Client } from 'pg'
import { addressOf } from './names.ts'
import type { BenchService } from './service.ts'

/** Returns a function that makes one commit after another, and returns the milliseconds of each. */
export async function openBareWakeUps(
  service: BenchService,
  client: Client,
): Promise<(commits: number) => Promise<number[]>> {
  await client.query('create table yardstick_names (id integer primary key, address inet)')
  await client.query("insert into yardstick_names values (1, '192.0.2.1')")
  const listener = fork(new URL('wake-up-listener.ts', import.meta.url), {
    env: { ...service.env, DATABASE_URL: service.postgres.url },
  })
  service.defer(() => listener.disconnect())
  await once(listener, 'message')
  return async (commits) => {
    const taken: number[] = []
    for (let n = 0; n < commits; n += 1) {
      const woken = once(listener, 'message') as Promise<[{ at: string }]>
      const sent = process.hrtime.bigint()
      await client.query(
        `begin; update yardstick_names set address = '${addressOf(n)}' where id = 1; notify yardstick, '1'; commit`,
      )
      const [{ at }] = await woken
      taken.push(Number(BigInt(at) - sent) / 1e6)
    }
    return taken
  }
}
