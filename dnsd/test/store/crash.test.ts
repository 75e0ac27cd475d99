/*
 * Kills dnsd, or cuts the power of its machine, at every single disk operation. A restart must find one whole version,
 * never older than the acknowledged one.
 */
import { describe, expect, it } from 'vitest'
import { SILENT_STORE, SnapshotAndLog, ZoneStore } from '../../src/store/index.ts'
import { COUNTING_ID, countingSet, countingZone, wholeSerial } from '../support/counting-zone.ts'
import { type Crash, MemoryDisk } from '../support/memory-disk.ts'

const SETS = 60
const LOG_LIMIT_BYTES = 1_500

interface Progress {
  /** The newest serial that the log was asked to keep. */
  begun: number
  /** The newest serial that may have been answered. */
  acknowledged: number
  /** The newest serial that was acknowledged before the last completed sync of a log began. */
  synced: number
}

async function openOn(
  files: MemoryDisk,
  crash: Crash = 'kill',
): Promise<{ store: ZoneStore; disk: SnapshotAndLog }> {
  const store = new ZoneStore()
  const options = { folder: 'folder', store, events: SILENT_STORE, logLimitBytes: LOG_LIMIT_BYTES }
  // A machine that lost its power has booted since.
  const bootId = crash === 'kill' ? 'first' : 'second'
  const disk = await SnapshotAndLog.open({ ...options, files, bootId })
  return { store, disk }
}

/** Serves sets up to `last`, starting where the disk ends, with snapshots every few sets. */
async function serve(files: MemoryDisk, last: number, progress: Progress): Promise<void> {
  const { store, disk } = await openOn(files)
  if (store.isEmpty) await store.replace(COUNTING_ID, countingZone(1))
  let serial = Number(store.held(COUNTING_ID)?.version.serial)
  progress.acknowledged = Math.max(progress.acknowledged, serial)
  while (serial < last) {
    const sets = [countingSet(serial + 1), countingSet(serial + 2)]
    progress.begun = serial + 2
    await store.apply(COUNTING_ID, sets)
    serial += 2
    progress.acknowledged = serial
    if (serial % 14 === 1) void disk.snapshot()
  }
  await disk.close()
  progress.synced = serial
}

async function serveUntilDeath(files: MemoryDisk, diesAt: number): Promise<Progress> {
  const progress = { begun: 1, acknowledged: 0, synced: 0 }
  files.diesAt = diesAt
  let durable = 0
  files.onSynced = (name) => {
    if (name.startsWith('log')) progress.synced = Math.max(progress.synced, durable)
    durable = progress.acknowledged
  }
  await Promise.race([serve(files, SETS, progress), files.died.promise])
  // The state at that time: a disk that does not answer is not waited for, and the process here serves changes that the
  // disk lost.
  return { ...progress }
}

async function operationsOfAWholeRun(): Promise<number> {
  const files = new MemoryDisk()
  await serve(files, SETS, { begun: 1, acknowledged: 0, synced: 0 })
  return files.operations
}

describe.each<Crash>(['kill', 'power-failure'])('after a %s in every operation', (crash) => {
  it('one complete version exists, and continues from there', async () => {
    const operations = await operationsOfAWholeRun()
    expect(operations).toBeGreaterThan(100)
    for (let diesAt = 1; diesAt <= operations; diesAt++) {
      const files = new MemoryDisk()
      const progress = await serveUntilDeath(files, diesAt)
      const left = files.after(crash)
      const { store, disk } = await openOn(left, crash)
      const serial = wholeSerial(store)
      // A torn end is not lost content.
      expect(store.isIncomplete, `killed in operation ${diesAt}`).toBe(false)
      const least = crash === 'kill' ? progress.acknowledged : progress.synced
      expect(serial, `killed in operation ${diesAt}`).toBeGreaterThanOrEqual(least)
      expect(serial).toBeLessThanOrEqual(progress.begun)
      await disk.close()
      const rest = { begun: 1, acknowledged: 0, synced: 0 }
      await serve(left, SETS + 20, rest)
      const again = await openOn(left.after('power-failure'), 'power-failure')
      expect(wholeSerial(again.store)).toBe(rest.acknowledged)
      expect(again.store.isIncomplete).toBe(false)
      await again.disk.close()
    }
  })

  it('a second crash during recovery changes nothing', async () => {
    const operations = await operationsOfAWholeRun()
    for (let diesAt = 5; diesAt <= operations; diesAt += 7) {
      const first = new MemoryDisk()
      const progress = await serveUntilDeath(first, diesAt)
      const before = first.after(crash)
      for (let second = 1; second <= 12; second++) {
        const files = before.after('kill')
        await serveUntilDeath(files, second)
        const { store, disk } = await openOn(files.after('kill'))
        const least = crash === 'kill' ? progress.acknowledged : progress.synced
        expect(wholeSerial(store)).toBeGreaterThanOrEqual(least)
        expect(store.isIncomplete).toBe(false)
        await disk.close()
      }
    }
  })
})
