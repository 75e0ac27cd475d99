/** Domains in the zone of a DNS benchmark whose addresses change continuously. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Client } from 'pg'
import { ZONE } from './dns-mix.ts'
import { insertAccount, insertDomains } from './names.ts'
import { LOAD_CORES, pinTree } from './pinned-process.ts'
import type { StreamCount, StreamTask } from './update-stream.ts'

export interface UpdateStream {
  count(): Promise<StreamCount>
  stop(): Promise<void>
}

export interface UpdatedNames {
  readonly fqdns: readonly string[]
  /** Starts to change one domain after another. Only one stream runs at a time. */
  start(perSecond: number): UpdateStream
}

/** Creates `count` domains of an account in the imported zone. */
export async function insertUpdatedNames(
  databaseUrl: string,
  count: number,
): Promise<UpdatedNames> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query<{ id: string }>('select id from zones where name = $1', [
    ZONE,
  ])
  const userId = await insertAccount(client)
  const place = { userId, zoneId: rows[0]?.id ?? '', zone: ZONE }
  const { domainIds, fqdns } = await insertDomains(client, place, count)
  await client.end()
  let first = 0
  return {
    fqdns,
    start(perSecond) {
      const stream = startStream({ databaseUrl, userId, domainIds, perSecond, first })
      // No stream sets an address that the domain already has.
      first += STREAM_CHANGES
      return stream
    },
  }
}

/** More changes than any stream makes, and not a multiple of the number of addresses. */
const STREAM_CHANGES = 1_000_003

function startStream(task: StreamTask): UpdateStream {
  const stream = fork(new URL('update-stream.ts', import.meta.url))
  pinTree(stream.pid ?? 0, LOAD_CORES)
  stream.send(task)
  return {
    async count() {
      const told = once(stream, 'message') as Promise<[StreamCount]>
      stream.send('count')
      const [count] = await told
      return count
    },
    async stop() {
      if (!stream.connected) return
      const gone = once(stream, 'exit')
      stream.disconnect()
      await gone
    },
  }
}
