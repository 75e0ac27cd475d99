import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { CountSpool } from '../../src/count-writing/count-spool.ts'
import { type CountBatch, UnknownOutcome } from '../../src/count-writing/count-writer.ts'
import { HotPath, OUTCOME } from '../../src/hot-path/index.ts'
import { MemoryDisk, systemError } from '../support/memory-disk.ts'
import { nameFromText, TYPE } from '../../src/names/index.ts'
import { type CountEvents, QueryCounts } from '../../src/count-writing/query-counts.ts'
import { createCountTable, namesIn, QueryCounter } from '../../src/query-counts/index.ts'
import { ZoneTable } from '../../src/table/index.ts'
import { Zone, Zones } from '../../src/zone/index.ts'

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

interface State {
  nowMs: number
  away: Error | undefined
  failure: Error | undefined
}

let stopLast: (() => Promise<void>) | undefined
afterEach(async () => {
  await stopLast?.()
  vi.useRealTimers()
})

/** Two threads that count queries for one name, a disk, and a database that the test can make fail. */
function world(files = new MemoryDisk()) {
  const zones = new Zones(new ZoneTable())
  const apex = nameFromText('home.test.')
  const soa = { mname: apex, rname: apex, ...SOA_TIMES }
  zones.set(new Zone(apex, { serial: 1n, feedId: 'f', token: '1' }, soa, zones.table))
  const { reader, control } = zones.table
  const hot = new HotPath(reader)
  const tables = [createCountTable('tcp'), createCountTable('udp')] as const
  const [one, two] = tables.map((table) => new QueryCounter({ table, reader, hot, seed: 7 }))
  const head = Buffer.from([0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0])
  const packet = Buffer.concat([head, apex, Buffer.from([0, TYPE.SOA, 0, 1])])
  const ask = (times: number, counter = one) => {
    for (let time = 0; time < times; time++) {
      hot.locate(packet, packet.length)
      counter?.count(client, TYPE.SOA, OUTCOME.DATA)
    }
  }
  // The database cannot be reached, or a write fails.
  const state: State = { nowMs: 1_000_000, away: undefined, failure: undefined }
  const written: Written[] = []
  const tried: string[] = []
  const told: string[] = []
  const write = async ({ id, ageSeconds, lines }: CountBatch) => {
    tried.push(id)
    if (state.failure !== undefined) throw state.failure
    const counts: number[] = []
    for await (const piece of lines) {
      const networks = [...namesIn(piece)].flatMap((name) => name.networks)
      counts.push(...networks.map(([, queries]) => queries))
    }
    written.push({ id, ageSeconds, counts })
    return { rows: counts.length, queries: counts.reduce((sum, count) => sum + count, 0) }
  }
  const events: CountEvents = {
    countsWritten: ({ queries }) => told.push(`written ${queries}`),
    countsUnwritten: (why) => told.push(`unwritten ${why.message}`),
    countsLost: (queries, why) => told.push(`lost ${queries} ${why}`),
    batchesReduced: (batches, lost) => told.push(`reduced ${batches} ${lost}`),
    spoolFailed: (why) => told.push(`disk ${why.message}`),
  }
  const counts = new QueryCounts({
    tables,
    control,
    spool: new CountSpool({ files, folder: '/counts', events }),
    connect: async () => {
      if (state.away !== undefined) throw state.away
      return { write, close: () => undefined }
    },
    now: () => state.nowMs,
    everyMs: 1_000,
    events,
  })
  stopLast = () => counts.stop()
  return {
    files,
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

  it('keeps counts on the disk while the database is away, each batch under its id', async () => {
    const { counts, state, written, told, askOne } = world()
    state.away = new Error('away')
    for (const times of [3, 2]) {
      askOne(times)
      await counts.flush()
      state.nowMs += 10_000
    }
    state.nowMs += 70_000
    expect(counts.waitingSeconds).toBe(90)
    state.away = undefined
    await counts.flush()
    expect(written.map((batch) => [batch.counts, batch.ageSeconds])).toEqual([
      [[3], 90],
      [[2], 80],
    ])
    expect(told).toEqual(['unwritten away', 'written 3', 'written 2'])
    expect(counts.waitingSeconds).toBe(0)
  })

  it('continues with what an earlier process left, also with a batch that it may have written', async () => {
    const earlier = world()
    earlier.state.failure = new UnknownOutcome('lost')
    earlier.askOne(3)
    await earlier.counts.flush()
    earlier.state.nowMs += 10_000
    earlier.askTwo(2)
    await earlier.counts.flush()
    const { counts, state, written, askOne } = world(earlier.files.after('power-failure'))
    state.nowMs += 60_000
    askOne(1)
    await counts.flush()
    expect(written.map((batch) => batch.counts)).toEqual([[3], [2], [1]])
    expect(written[0]?.id).toBe(earlier.tried[0])
  })

  it('gives up a batch with an unknown outcome before the database forgets its id, and nothing else', async () => {
    const { counts, state, told, written, askOne } = world()
    askOne(3)
    state.away = new Error('away')
    await counts.flush()
    state.nowMs += 100 * HOUR_MS
    state.away = undefined
    state.failure = new UnknownOutcome('lost')
    await counts.flush()
    askOne(2)
    state.nowMs += 23 * HOUR_MS
    await counts.flush()
    expect(told).toEqual(['unwritten away', 'unwritten lost'])
    state.nowMs += HOUR_MS
    state.failure = undefined
    await counts.flush()
    expect(told.slice(2)).toEqual(['lost 3 it is unknown whether they were written', 'written 2'])
    expect(written.map((batch) => batch.counts)).toEqual([[2]])
  })

  it('drops a batch that the database refuses, and writes the others', async () => {
    const { counts, state, told, askOne } = world()
    state.away = new Error('away')
    for (const times of [3, 2]) {
      askOne(times)
      await counts.flush()
    }
    Object.assign(state, { away: undefined })
    const refusal = Object.assign(new Error('invalid byte sequence'), { code: '22021' })
    state.failure = refusal
    const flushed = counts.flush()
    await flushed
    expect(told.slice(1)).toEqual([
      'lost 3 the database refuses them: invalid byte sequence',
      'lost 2 the database refuses them: invalid byte sequence',
    ])
  })

  it('writes directly while the disk is full, and adds up what it can keep nowhere', async () => {
    const { files, counts, state, written, tried, told, askOne } = world()
    files.fault = () => systemError('ENOSPC', 'no space left')
    askOne(3)
    await counts.flush()
    state.failure = new Error('away')
    askOne(2)
    await counts.flush()
    askOne(1)
    await counts.flush()
    state.failure = undefined
    await counts.flush()
    files.fault = () => undefined
    askOne(4)
    await counts.flush()
    expect(written.map((batch) => batch.counts)).toEqual([[3], [2], [5]])
    // The same batch was tried until it was written.
    expect(new Set(tried).size).toBe(3)
    expect(told).toEqual([
      'disk ENOSPC: no space left',
      'written 3',
      'unwritten away',
      'written 2',
      'written 5',
    ])
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

  it('leaves on the disk what it cannot write when it stops, and reports what it cannot keep', async () => {
    const { files, counts, state, written, told, askOne } = world()
    state.away = new Error('away')
    askOne(3)
    await counts.flush()
    state.nowMs += 10_000
    askOne(2)
    await counts.stop()
    expect(told).toEqual(['unwritten away'])
    const next = world(files)
    await next.counts.stop()
    expect([written, next.written.map((batch) => batch.counts)]).toEqual([[], [[3], [2]]])
    const other = world()
    other.state.away = new Error('away')
    other.files.fault = () => systemError('EROFS', 'read-only file system')
    other.askOne(3)
    await other.counts.flush()
    other.askOne(2)
    await other.counts.stop()
    expect(other.told.filter((line) => line.startsWith('lost'))).toEqual([
      'lost 3 the daemon stops',
      'lost 2 the daemon stops',
    ])
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
