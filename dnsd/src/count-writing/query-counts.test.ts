import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type CountBatch, UnknownOutcome } from './count-writer.ts'
import { HotPath } from '../hot-path/index.ts'
import { nameFromText, TYPE } from '../names/index.ts'
import { QueryCounts } from './query-counts.ts'
import { createCountTable, QueryCounter } from '../query-counts/index.ts'
import { ZoneTable } from '../table/index.ts'
import { Zone, Zones } from '../zone/index.ts'

const HOUR_MS = 3_600_000
const SOA_TIMES = {
  refreshSeconds: 1,
  retrySeconds: 1,
  expireSeconds: 1,
  minimumSeconds: 1,
  ttlSeconds: 1,
}
const client = { family: 4, words: Int32Array.of(0xc0000201 | 0, 0, 0, 0) } as const

interface Written {
  readonly id: string
  readonly ageSeconds: number
  readonly counts: readonly number[]
}

let stopLast: (() => Promise<void>) | undefined
afterEach(async () => {
  await stopLast?.()
  vi.useRealTimers()
})

/** Two threads that count queries for one name, and a database that the test can make fail. */
function world() {
  const zones = new Zones(new ZoneTable())
  const apex = nameFromText('home.test.')
  const soa = { mname: apex, rname: apex, ...SOA_TIMES }
  zones.set(new Zone(apex, { serial: 1n, feedId: 'f', token: '1' }, soa, zones.table))
  const { reader, control } = zones.table
  const hot = new HotPath(reader)
  const tables = [createCountTable(), createCountTable()] as const
  const [one, two] = tables.map((table) => new QueryCounter(table, reader, hot, 7))
  const head = Buffer.from([0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0])
  const packet = Buffer.concat([head, apex, Buffer.from([0, TYPE.SOA, 0, 1])])
  const ask = (times: number, counter = one) => {
    for (let time = 0; time < times; time++) {
      hot.locate(packet, packet.length)
      counter?.count(client)
    }
  }
  const state = { nowMs: 0, failure: undefined as Error | undefined }
  const written: Written[] = []
  const tried: string[] = []
  const told: string[] = []
  const write = async ({ id, ageSeconds, rows }: CountBatch) => {
    tried.push(id)
    if (state.failure !== undefined) throw state.failure
    const counts = [...rows].map(({ count }) => count)
    written.push({ id, ageSeconds, counts })
    return { rows: counts.length, queries: counts.reduce((sum, count) => sum + count, 0) }
  }
  const counts = new QueryCounts({
    tables,
    control,
    write,
    now: () => state.nowMs,
    everyMs: 1_000,
    events: {
      countsWritten: ({ queries }) => told.push(`written ${queries}`),
      countsUnwritten: (why) => told.push(`unwritten ${why.message}`),
      countsLost: (queries, why) => told.push(`lost ${queries} ${why}`),
    },
  })
  stopLast = () => counts.stop()
  return {
    counts,
    control,
    state,
    written,
    tried,
    told,
    askOne: ask,
    askTwo: (n: number) => ask(n, two),
  }
}

describe('QueryCounts', () => {
  it('writes the counts of all threads, once', async () => {
    const { counts, written, askOne, askTwo } = world()
    askOne(3)
    askTwo(4)
    await counts.flush()
    await counts.flush()
    askTwo(1)
    await counts.flush()
    expect(written.map((batch) => batch.counts)).toEqual([[3, 4], [1]])
    expect(new Set(written.map(({ id }) => id)).size).toBe(2)
  })

  it('keeps counts that cannot be written under their id, and adds up later ones', async () => {
    const { counts, state, written, tried, told, askOne } = world()
    state.failure = new Error('away')
    askOne(3)
    await counts.flush()
    askOne(2)
    await counts.flush()
    askOne(2)
    state.nowMs = 90_000
    expect(counts.waitingSeconds).toBe(90)
    state.failure = undefined
    await counts.flush()
    await counts.flush()
    expect(written.map((batch) => batch.counts)).toEqual([[3], [4]])
    expect(written[0]?.ageSeconds).toBe(90)
    expect(new Set(tried.slice(0, 3)).size).toBe(1)
    expect(told).toEqual(['unwritten away', 'written 3', 'written 4'])
    expect(counts.waitingSeconds).toBe(0)
  })

  it('gives up a batch with an unknown outcome before the database forgets its id, and nothing else', async () => {
    const { counts, state, told, askOne } = world()
    askOne(3)
    state.failure = new Error('away')
    await counts.flush()
    state.nowMs = 100 * HOUR_MS
    await counts.flush()
    state.failure = new UnknownOutcome('lost')
    await counts.flush()
    state.nowMs += 23 * HOUR_MS
    await counts.flush()
    expect(told).toEqual(['unwritten away', 'unwritten lost'])
    state.nowMs += HOUR_MS
    await counts.flush()
    expect(told.at(-1)).toBe('lost 3 it is unknown whether they were written')
  })

  it('does not read a half in which a thread may still count', async () => {
    const { counts, control, written, askOne } = world()
    control.admit(0)
    control.enter(0)
    askOne(1)
    const flushed = counts.flush()
    await nextTurn()
    expect(written).toEqual([])
    control.leave(0)
    await flushed
    expect(written.map((batch) => batch.counts)).toEqual([[1]])
  })

  it('writes the rest when it stops, and reports lost counts', async () => {
    const { counts, state, written, told, askOne } = world()
    state.failure = new Error('away')
    askOne(3)
    await counts.flush()
    askOne(2)
    state.failure = undefined
    await counts.stop()
    expect(written.map((batch) => batch.counts)).toEqual([[3], [2]])
    const other = world()
    other.state.failure = new Error('away')
    other.askOne(3)
    await other.counts.flush()
    other.askOne(2)
    await other.counts.stop()
    expect(other.told.slice(1)).toEqual(['lost 3 the daemon stops', 'lost 2 the daemon stops'])
    expect(told).toEqual(['unwritten away', 'written 3', 'written 2'])
  })

  it('starts automatically', async () => {
    vi.useFakeTimers()
    const { counts, written, askOne } = world()
    counts.start()
    askOne(3)
    await vi.advanceTimersByTimeAsync(1_000)
    askOne(1)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(written.map((batch) => batch.counts)).toEqual([[3], [1]])
  })
})
