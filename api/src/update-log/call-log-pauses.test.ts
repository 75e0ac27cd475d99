/** When the log of calls writes: soon after a single call, and rarely while there are many. */
import type { Knex } from 'knex'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CallLog, type ReceivedCall } from './call-log.ts'

const callOf = (fqdn = 'home.homing.test'): ReceivedCall => ({
  fqdn,
  isOwners: true,
  at: new Date('2030-01-01T00:00:00Z'),
  sourceIp: '192.0.2.1',
  client: 'ddclient/3.11',
  dialect: 'dyndns2',
  path: '/nic/update',
  said: 'myip=192.0.2.1',
  answer: 'good',
  hint: null,
})

/** A log whose transactions take this time. */
function logThatTakes(ms: number) {
  const writes = { count: 0 }
  const knex = {
    async transaction() {
      writes.count += 1
      if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms))
    },
  }
  const onError = (error: unknown) => expect.unreachable(String(error))
  return { writes, log: new CallLog({ knex: knex as unknown as Knex, onError }) }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

test('a write begins 25 ms after a single call, and half a second after the last write', async () => {
  const { writes, log } = logThatTakes(0)
  log.record(callOf())
  await vi.advanceTimersByTimeAsync(25)
  expect(writes.count).toBe(1)
  log.record(callOf())
  await vi.advanceTimersByTimeAsync(450)
  expect(writes.count).toBe(1)
  await vi.advanceTimersByTimeAsync(50)
  expect(writes.count).toBe(2)
})

test.each([
  { calls: 50, restMs: 500 },
  { calls: 51, restMs: 2_000 },
])(
  'a write of $calls calls that takes 100 ms is followed by a pause of $restMs ms',
  async (each) => {
    const { writes, log } = logThatTakes(100)
    for (let n = 0; n < each.calls; n += 1) log.record(callOf(`n${n}.homing.test`))
    await vi.advanceTimersByTimeAsync(125)
    log.record(callOf())
    await vi.advanceTimersByTimeAsync(each.restMs - 1)
    expect(writes.count).toBe(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(writes.count).toBe(2)
  },
)
