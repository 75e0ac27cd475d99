/*
 * A program for kill tests: it counts queries, keeps each hundred of them as a batch on the disk, and prints after each
 * batch how many queries it has kept. There is no database.
 */
import { writeSync } from 'node:fs'
import * as files from 'node:fs/promises'
import { CountSpool } from '../../src/count-writing/count-spool.ts'
import { QueryCounts } from '../../src/count-writing/query-counts.ts'
import { HotPath, OUTCOME } from '../../src/hot-path/index.ts'
import { TYPE } from '../../src/names/index.ts'
import { createCountTable, QueryCounter } from '../../src/query-counts/index.ts'
import { requestOctets } from './request-octets.ts'
import { zoneFromText, zonesOf } from './zone-text.ts'

const folder = process.argv[2] ?? ''
const zone = zoneFromText('home.test.', 'a 60 A 192.0.2.1')
zonesOf(zone)
const hot = new HotPath(zone.table)
const table = createCountTable('udp')
const counter = new QueryCounter({ table, reader: zone.table, hot, seed: 1 })
const silent = () => undefined
const events = {
  countsWritten: silent,
  countsUnwritten: silent,
  countsLost: silent,
  batchesReduced: silent,
  spoolFailed: silent,
}
const counts = new QueryCounts({
  tables: [table],
  control: zone.table.control,
  spool: new CountSpool({ files, folder, events, limits: { batches: 5, bytes: 1_000_000 } }),
  connect: async () => {
    throw new Error('there is no database')
  },
  events,
})
const packet = requestOctets('a.home.test', 'A')
for (let counted = 0; ;) {
  for (let time = 0; time < 100; time++, counted++) {
    hot.locate(packet, packet.length)
    counter.count({ family: 4, words: Int32Array.of(1, 0, 0, 0) }, TYPE.A, OUTCOME.DATA)
  }
  await counts.flush()
  writeSync(1, `${counted}\n`)
}
