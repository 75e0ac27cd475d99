import { expect, test } from 'vitest'
import { SharedRead } from './shared-read.ts'

/** A read that ends when the test says so. */
function gatedRead() {
  const begun: PromiseWithResolvers<number>[] = []
  const read = async () => {
    const gate = Promise.withResolvers<number>()
    begun.push(gate)
    return gate.promise
  }
  return { begun, read }
}

test('a caller gets the result of a query that began after the call, and shares it with the other callers that waited for it', async () => {
  const { begun, read } = gatedRead()
  const shared = new SharedRead<number>()
  const first = shared.ask('a', read)
  await expect.poll(() => begun.length).toBe(1)
  const later = [shared.ask('a', read), shared.ask('a', read)]
  const other = shared.ask('b', read)
  await expect.poll(() => begun.length).toBe(2)
  begun[1]?.resolve(20)
  expect(await other).toBe(20)
  begun[0]?.resolve(10)
  expect(await first).toBe(10)
  await expect.poll(() => begun.length).toBe(3)
  begun[2]?.resolve(30)
  expect(await Promise.all(later)).toEqual([30, 30])
})

test('a failure is passed to all callers that waited for it, and the next call starts a new query', async () => {
  const { begun, read } = gatedRead()
  const shared = new SharedRead<number>()
  const both = [shared.ask('a', read), shared.ask('a', read)]
  await expect.poll(() => begun.length).toBe(1)
  begun[0]?.reject(new Error('away'))
  for (const failed of await Promise.allSettled(both)) expect(failed.status).toBe('rejected')
  const again = shared.ask('a', read)
  await expect.poll(() => begun.length).toBe(2)
  begun[1]?.resolve(1)
  expect(await again).toBe(1)
})
