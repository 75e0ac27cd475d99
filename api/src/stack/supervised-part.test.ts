import { setImmediate as turn } from 'node:timers/promises'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { backOffMs, type PartEnd, type RunningPart, SupervisedPart } from './supervised-part.ts'

const KILLED: PartEnd = { exitCode: null, signal: 'SIGKILL' }

/** A part that ends when the test says so. */
class FakePart implements RunningPart {
  readonly #end = Promise.withResolvers<PartEnd>()
  readonly ended = this.#end.promise
  stoppedWithin: number | undefined

  end(end: PartEnd): void {
    this.#end.resolve(end)
  }

  async stop(limitMs: number): Promise<void> {
    this.stoppedWithin = limitMs
    this.end({ exitCode: 0, signal: null })
  }
}

function supervise(options: { failures?: number } = {}) {
  const started: FakePart[] = []
  const ends: number[] = []
  let failures = options.failures ?? 0
  const part = new SupervisedPart({
    name: 'api',
    log: pino({ level: 'silent' }),
    onUnexpectedEnd: (_name, _end, inARow) => ends.push(inARow),
    start: async () => {
      if (started.length > 0 && failures-- > 0) throw new Error('address in use')
      const fake = new FakePart()
      started.push(fake)
      return fake
    },
  })
  return { part, started, ends }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

// The promises version of setTimeout is not faked. Real delays are 50 ms and grow, so tests wait for the event
// instead.
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await turn()
}

test('the delay doubles from 50 ms and stays at 1 s', () => {
  expect([1, 2, 3, 4, 5, 6, 50].map(backOffMs)).toEqual([50, 100, 200, 400, 800, 1_000, 1_000])
})

test('a part that ends is restarted, and consecutive ends are counted', async () => {
  const { part, started, ends } = supervise()
  await part.start()
  started[0]?.end(KILLED)
  await until(() => started.length === 2)
  started[1]?.end(KILLED)
  await until(() => started.length === 3)
  expect(ends).toEqual([1, 2])
  await part.stop(500)
  expect(started[2]?.stoppedWithin).toBe(500)
})

test('after a long run, an end starts a new count', async () => {
  const { part, started, ends } = supervise()
  await part.start()
  started[0]?.end(KILLED)
  await until(() => started.length === 2)
  await turn()
  vi.advanceTimersByTime(60_000)
  started[1]?.end(KILLED)
  await until(() => started.length === 3)
  expect(ends).toEqual([1, 1])
  await part.stop(0)
})

test('a failed restart is retried', async () => {
  const { part, started } = supervise({ failures: 2 })
  await part.start()
  started[0]?.end(KILLED)
  await until(() => started.length === 2)
  await part.stop(0)
  expect(started).toHaveLength(2)
})

test('the first start throws its errors', async () => {
  const part = new SupervisedPart({
    name: 'api',
    log: pino({ level: 'silent' }),
    onUnexpectedEnd: () => undefined,
    start: () => Promise.reject(new Error('no such program')),
  })
  await expect(part.start()).rejects.toThrow('no such program')
  await part.stop(0)
})

test('when it is stopped during the delay, it is not restarted', async () => {
  const { part, started, ends } = supervise()
  await part.start()
  started[0]?.end(KILLED)
  await until(() => ends.length === 1)
  await part.stop(0)
  expect(started).toHaveLength(1)
})

test('after a requested stop, it is not restarted', async () => {
  const { part, started, ends } = supervise()
  await part.start()
  await part.stop(0)
  expect(ends).toEqual([])
  expect(started).toHaveLength(1)
})
