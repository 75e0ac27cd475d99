import { expect, test } from 'vitest'
import { boundedHasher } from './bounded-hasher.ts'

test('work above the limit is refused at once, and accepted again when there is room', async () => {
  const gates: PromiseWithResolvers<boolean>[] = []
  const hasher = boundedHasher(
    {
      hash: async () => Promise.reject(new Error('out of memory')),
      verify: async () => {
        const gate = Promise.withResolvers<boolean>()
        gates.push(gate)
        return gate.promise
      },
    },
    2,
  )
  const under = [hasher.verify('', 'a'), hasher.verify('', 'b')]
  await expect(hasher.verify('', 'c')).rejects.toMatchObject({
    code: 'unavailable',
    retryAfterSeconds: 2,
  })
  await expect(hasher.hash('c')).rejects.toMatchObject({ code: 'unavailable' })
  expect(gates).toHaveLength(2)
  for (const gate of gates) gate.resolve(true)
  expect(await Promise.all(under)).toEqual([true, true])
  // A failed evaluation frees its place too.
  for (let n = 0; n < 3; n += 1) {
    await expect(hasher.hash('c')).rejects.toThrow('out of memory')
  }
})
