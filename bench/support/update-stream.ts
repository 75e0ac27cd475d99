/**
 * Changes addresses at a steady rate through the api's coalescer, in its own process, like the api.
 * Controlled by IPC: it receives the changes to make, reports the durable ones on request, and ends when disconnected.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { AddressCoalescer } from '@homing/api/coalescer'
import { connect } from '@homing/api/database'
import { addressOf } from './names.ts'

export interface StreamTask {
  readonly databaseUrl: string
  readonly userId: string
  readonly domainIds: readonly string[]
  readonly perSecond: number
  /** The number of the first change, which determines the domain and the address. */
  readonly first: number
}

export interface StreamCount {
  /** The number of durable changes since the start. */
  readonly changed: number
  /** Domains whose change failed, with the reason. */
  readonly failed: readonly string[]
}

const TURN_MS = 10
const actor = { kind: 'password', id: null, sourceIp: '192.0.2.9', client: 'bench' } as const

async function run(task: StreamTask): Promise<void> {
  const { databaseUrl, userId, domainIds, perSecond, first } = task
  const knex = connect({ url: databaseUrl, applicationName: 'bench' })
  const coalescer = new AddressCoalescer({ knex })
  const failed: string[] = []
  let changed = 0
  const stopping = new AbortController()
  const change = async (n: number): Promise<void> => {
    const domainId = domainIds[n % domainIds.length] ?? ''
    try {
      const verdict = await coalescer.submit({ domainId, userId, ipv4: addressOf(n), actor })
      if (verdict.kind === 'changed') changed += 1
      else failed.push(verdict.kind)
    } catch (error) {
      failed.push(String(error))
    }
  }
  process.on('message', () => process.send?.({ changed, failed } satisfies StreamCount))
  process.once('disconnect', () => stopping.abort())
  const begun = performance.now()
  for (let sent = 0; !stopping.signal.aborted;) {
    const due = ((performance.now() - begun) / 1_000) * perSecond
    for (; sent < due; sent += 1) void change(first + sent)
    await delay(TURN_MS)
  }
  await coalescer.drain()
  await knex.destroy()
}

process.once('message', (task: StreamTask) => void run(task))
