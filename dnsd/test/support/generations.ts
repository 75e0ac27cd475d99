/* A disk with two generations: snapshot 1, log 1, snapshot 2, log 2; and the state that a restart finds on it. */
import assert from 'node:assert/strict'
import { SnapshotAndLog, ZoneStore } from '../../src/store/index.ts'
import { COUNTING_ID, countingSet, countingZone, wholeSerial } from './counting-zone.ts'
import { MemoryDisk } from './memory-disk.ts'
import { recordEvents } from './store-events.ts'

export const SNAPSHOT_1 = 'snapshot-000000000001'
export const SNAPSHOT_2 = 'snapshot-000000000002'
export const LOG_1 = 'log-000000000001'
export const LOG_2 = 'log-000000000002'
export const LENGTHS = 'known-lengths'

/** Opens the folder of a disk, with a store that it fills. */
export async function openOn(
  files: MemoryDisk,
  options: { retryMs?: number; bootId?: string } = {},
) {
  const store = new ZoneStore()
  const recorded = recordEvents()
  const { events } = recorded
  const disk = await SnapshotAndLog.open({ folder: 'folder', store, events, files, ...options })
  return { store, disk, ...recorded }
}

/** Applies the sets up to this serial to the store, one by one. */
export async function applyUpTo(store: ZoneStore, last: number): Promise<void> {
  if (store.isEmpty) await store.replace(COUNTING_ID, countingZone(1))
  let serial = Number(store.held(COUNTING_ID)?.version.serial)
  while (serial < last) {
    serial += 1
    await store.apply(COUNTING_ID, [countingSet(serial)])
  }
}

/** Snapshot 1 and log 1 lead to serial 10, snapshot 2 has all of it, and log 2 continues to 20. */
export async function twoGenerations(): Promise<MemoryDisk> {
  const files = new MemoryDisk()
  const { store, disk } = await openOn(files)
  await applyUpTo(store, 10)
  await disk.snapshot()
  await applyUpTo(store, 20)
  await disk.close()
  assert.deepEqual(files.names(), [LENGTHS, LOG_1, LOG_2, SNAPSHOT_1, SNAPSHOT_2])
  return files
}

/** The result of a restart: the serial, and the logged lines. */
export async function serialOn(files: MemoryDisk): Promise<{ serial: number; told: string[] }> {
  const { store, disk, told } = await openOn(files)
  const serial = wholeSerial(store)
  await disk.close()
  return { serial, told }
}

/** The SOA parameters of the counting zone. */
export function soa() {
  return countingZone(1).soaParameters
}
