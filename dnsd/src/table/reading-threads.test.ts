/* One thread writes while others read. The readers must always find complete entries. */
import { once } from 'node:events'
import { MessageChannel, Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { PUBLISHED } from './layout.ts'
import type { ReadingThread } from './test-reading-thread.ts'
import { folded, put, rrset } from './test-support.ts'
import { ZoneTable } from './zone-table.ts'

const THREADS = 2
const NAMES = 60
const STABLE = 40
const ENOUGH_LOOKS = 3_000
const ENOUGH_CHANGES = 20_000

/** Two RRsets that encode a number, with a length that depends on it. */
function spelling(number: number): Uint8Array {
  const rdata = Buffer.alloc(((number % 50) + 1) * 4)
  for (let at = 0; at < rdata.length; at += 4) rdata.writeUInt32BE(number, at)
  return Buffer.concat([rrset(16, rdata), rrset(99, rdata)])
}

describe('a ZoneTable and reading threads', () => {
  it('show only complete states, in order, through growth and reuse', async () => {
    const table = new ZoneTable()
    const apex = folded(table.reader, 'test.')
    const zone = table.addZone(apex)
    table.serve(zone, apex)
    const owners = Array.from({ length: NAMES }, (_, index) => `name-${index}.test.`)
    for (const owner of owners) put(table, zone, owner, spelling(1), PUBLISHED)

    const looks = new SharedArrayBuffer((THREADS + 1) * 4)
    const counts = new Int32Array(looks, 0, THREADS)
    const channels = Array.from({ length: THREADS }, () => new MessageChannel())
    table.onGrow((handles) => {
      for (const { port1 } of channels) port1.postMessage(handles)
    })
    const workers = channels.map(({ port2 }, worker) => {
      const input: ReadingThread = {
        handles: table.handles,
        worker,
        port: port2,
        owners,
        stable: STABLE,
        zone: zone.number,
        looks,
      }
      const entry = new URL('./test-reading-thread.ts', import.meta.url)
      return new Worker(entry, { workerData: input, transferList: [port2] })
    })
    const ended: (string | undefined)[] = []
    const ends = workers.map(async (worker) => {
      const [{ failure }] = (await once(worker, 'message')) as [{ failure?: string }]
      ended.push(failure)
    })

    let changes = 0
    let filler = 0
    const isEnough = () =>
      changes >= ENOUGH_CHANGES && counts.every((count) => count >= ENOUGH_LOOKS)
    while (!isEnough() && ended.length === 0) {
      for (let turn = 0; turn < 200; turn++) {
        changes += 1
        const index = (changes * 13) % NAMES
        const owner = owners[index] ?? ''
        const name = folded(table.reader, owner)
        const ref = table.reader.find(zone.number, name, 0, 1)
        if (index >= STABLE && ref !== 0 && changes % 3 === 0) table.remove(zone, ref)
        else put(table, zone, owner, spelling(changes + 1), PUBLISHED)
        // More names, so that the index moves and segments are added.
        if (filler < 10_000) put(table, zone, `filler-${filler++}.test.`, spelling(7))
      }
      // Only now do messages of threads arrive, such as a failure to start.
      await new Promise((resolve) => setImmediate(resolve))
    }
    Atomics.store(new Int32Array(looks), THREADS, 1)
    await Promise.all(ends)
    expect(ended).toEqual(workers.map(() => undefined))
    table.reclaim()
    const { liveBytes, freeBytes, retiredBytes, usedBytes, indexSlots } = table.statistics
    expect(retiredBytes).toBe(0)
    expect(liveBytes + freeBytes).toBe(usedBytes)
    expect(indexSlots).toBeGreaterThan(10_000)
    await Promise.all(workers.map((worker) => worker.terminate()))
  })
})
