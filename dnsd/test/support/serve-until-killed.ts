/*
 * A program for kill tests: it serves the counting zone from a folder and prints each serial after it was acknowledged,
 * with a snapshot in progress nearly always. It imports as little as possible, because it is started a hundred times.
 */
import { writeSync } from 'node:fs'
import { SILENT_STORE } from '../../src/store/events.ts'
import { SnapshotAndLog } from '../../src/store/snapshot-and-log.ts'
import { ZoneStore } from '../../src/store/zone-store.ts'
import { COUNTING_ID, countingSet, countingZone, wholeSerial } from './counting-zone.ts'

const folder = process.argv[2] ?? ''
const store = new ZoneStore()
const options = { folder, store, events: SILENT_STORE, logLimitBytes: 1_000 }
await SnapshotAndLog.open(options)
if (store.isEmpty) await store.replace(COUNTING_ID, countingZone(1))
for (let serial = wholeSerial(store) + 1; ; serial++) {
  await store.apply(COUNTING_ID, [countingSet(serial)])
  writeSync(1, `${serial}\n`)
}
