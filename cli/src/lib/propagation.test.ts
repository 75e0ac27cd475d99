import { expect, test } from 'vitest'
import { EXIT } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'
import { type Propagation, untilCurrent } from './propagation.ts'

const CURRENT: Propagation = {
  fqdn: 'home.example.net',
  zone: 'example.net',
  is_current: true,
  published_serial: 15,
  published_addresses: [],
  servers: [],
  message: 'current',
  checked_at: '2026-05-12T08:30:00.000Z',
  duration_ms: 9,
}
const late = (message: string): Propagation => ({ ...CURRENT, is_current: false, message })
const LIMITED = new CommandFailure(EXIT.limit, 'Too many requests.', {
  detail: 'Too many requests.',
  code: 'rate-limited',
})

/** A service that answers with these results, the last of them again and again. Time passes only while the command waits. */
function service(results: readonly (Propagation | Error)[], until = Infinity) {
  const told: string[] = []
  const pauses: number[] = []
  let checks = 0
  const result = untilCurrent({
    async check() {
      const found = results[Math.min(checks, results.length - 1)] ?? CURRENT
      checks += 1
      if (found instanceof Error) throw found
      return found
    },
    tell: (line) => told.push(line),
    until,
    now: () => pauses.reduce((sum, each) => sum + each, 0),
    pause: async (milliseconds) => pauses.push(milliseconds),
  })
  return { result, told, pauses }
}

test('it checks until every name server is current, and tells what changed', async () => {
  const { result, told, pauses } = service([late('a'), late('a'), LIMITED, late('b'), CURRENT])
  await expect(result).resolves.toBe(CURRENT)
  expect([told, pauses]).toEqual([
    ['a', 'b'],
    [3_000, 3_000, 3_000, 3_000],
  ])
})

test('it slows down, and ends with the last result when the time is over', async () => {
  const { result, pauses } = service([late('a')], 100_000)
  await expect(result).resolves.toMatchObject({ message: 'a' })
  expect(pauses.slice(-4)).toEqual([3_000, 15_000, 15_000, 13_000])
})

test('a refusal ends it', async () => {
  const refusal = new CommandFailure(EXIT.notFound, 'There is no such domain.')
  await expect(service([late('a'), refusal]).result).rejects.toBe(refusal)
})
