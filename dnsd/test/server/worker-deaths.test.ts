/* Worker threads that die: each is replaced, while the others answer. */
import { once } from 'node:events'
import { BroadcastChannel } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import type { SharedCounters } from '../../src/server/index.ts'
import { DEATH_ORDERS, type DeathOrder } from '../support/mortal-worker.ts'
import { answersOf, ask, NEVER_MS, question, useWorkerPools } from '../support/worker-pools.ts'

/** The other workers are not checked, because on a busy machine they may hang for a while. */
const watchMsFor = (by: DeathOrder['by']) => (by === 'hanging' ? 50 : NEVER_MS)

const pools = useWorkerPools()

/** Sends queries until both workers have answered something, each counted in its row. */
async function bothAnswer(port: number, counters: SharedCounters): Promise<void> {
  const before = answersOf(counters, 2)
  for (;;) {
    const now = answersOf(counters, 2)
    if (now.every((count, row) => count > (before[row] ?? 0))) return
    expect((await pools.askAgain(question('alice'), port)).rcode).toBe('NOERROR')
  }
}

describe('a worker that dies', () => {
  const orders = new BroadcastChannel(DEATH_ORDERS)
  const order = (one: DeathOrder) => orders.postMessage(one)

  it.each([
    ['throwing', /told to die/],
    ['exiting', /^$/],
    ['allocating', /memory limit/],
    ['hanging', /hung/],
  ] as const)('by %s is reported and replaced, and the others answer', async (by, why) => {
    const { port, told, counters } = await pools.started({ watchMs: watchMsFor(by) })
    const died = once(told, 'death')
    order({ worker: 1, by })
    const [worker, error] = (await died) as [number, Error | undefined]
    expect([worker, error?.message ?? '']).toEqual([1, expect.stringMatching(why)])
    await bothAnswer(port, counters)
  })
})

describe('a worker that dies in batches', () => {
  const orders = new BroadcastChannel(DEATH_ORDERS)

  it.each(['throwing', 'exiting', 'allocating', 'hanging'] as const)(
    'by %s is replaced by one without batches, and leaves no socket open',
    async (by) => {
      const { port, told, counters } = await pools.started({
        transport: 'batch',
        watchMs: watchMsFor(by),
      })
      const fell = once(told, 'fallback')
      orders.postMessage({ worker: 1, by } satisfies DeathOrder)
      expect(await fell).toEqual([1])
      await bothAnswer(port, counters)
      // The kernel would assign some of these clients to a socket that was left behind, and they would get no answer.
      const ids = Array.from({ length: 64 }, (_, index) => index)
      const answers = await Promise.all(
        ids.map((id) => ask(pools.client(), question('alice', id), port)),
      )
      expect(answers.map(({ id }) => id)).toEqual(ids)
      // It dies again, from another cause: it already uses the fallback.
      const again: number[] = []
      told.on('fallback', (worker) => again.push(worker))
      const died = once(told, 'death')
      orders.postMessage({ worker: 1, by } satisfies DeathOrder)
      await died
      expect((await pools.askAgain(question('alice'), port)).rcode).toBe('NOERROR')
      expect(again).toEqual([])
    },
  )
})
