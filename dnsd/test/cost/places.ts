/*
 * Shows what one thread has places for, when clients of many networks ask for many names at random:
 *
 *   node dnsd/test/cost/places.ts [--names 100000] [--networks 10000]
 *
 * For each rate, it counts the queries of ten seconds, writes their batch to the disk and reads it back. It prints the
 * shares of the queries by recorded detail, the size of the batch, and the CPU time of the main thread for each name.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import * as files from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readBatchFile, writeBatchFile } from '../../src/count-writing/batch-file.ts'
import { HotPath, OUTCOME } from '../../src/hot-path/index.ts'
import { TYPE } from '../../src/names/index.ts'
import {
  activeHalf,
  countedBy,
  createCountTable,
  emptyHalf,
  linesOfHalves,
  QueryCounter,
} from '../../src/query-counts/index.ts'
import { Zones } from '../../src/zone/index.ts'
import { ZoneTable } from '../../src/table/index.ts'
import { randomFrom } from '../support/random.ts'
import { requestOctets } from '../support/request-octets.ts'
import { hostName, zoneOf } from './hosts.ts'

const { values } = parseArgs({
  options: {
    names: { type: 'string', default: '100000' },
    networks: { type: 'string', default: '10000' },
  },
})
const [names, networks] = [Number(values.names), Number(values.networks)]
const RATES = [1_000, 2_000, 3_000, 5_000, 10_000, 100_000]
const INTERVAL_SECONDS = 10

const zones = new Zones(new ZoneTable({ expectedNames: names }))
zones.set(zoneOf(names, zones.table))
const { reader } = zones.table
const hot = new HotPath(reader)
const packets = Array.from({ length: names }, (_, n) => requestOctets(hostName(n), TYPE.A))
const folder = mkdtempSync(join(tmpdir(), 'homing-places-'))
const file = join(folder, 'batch')

const cpuUs = (from: NodeJS.CpuUsage) => {
  const { user, system } = process.cpuUsage(from)
  return user + system
}

/** Counts the queries of an interval. @returns cells of the table */
async function counted(perSecond: number): Promise<readonly (string | number)[]> {
  const table = createCountTable('udp')
  const counter = new QueryCounter({ table, reader, hot, seed: 7 })
  const random = randomFrom(perSecond)
  const queries = perSecond * INTERVAL_SECONDS
  const client = { family: 4, words: Int32Array.of(0, 0, 0, 0) } as const
  for (let query = 0; query < queries; query++) {
    const packet = packets[random(names)] as Buffer
    client.words[0] = random(networks) << 8
    hot.locate(packet, packet.length)
    counter.count(client, TYPE.A, OUTCOME.DATA)
  }
  const begun = process.cpuUsage()
  const half = activeHalf(table)
  const { bytes } = await writeBatchFile(
    files,
    file,
    linesOfHalves([table], () => half),
  )
  emptyHalf(table, half)
  let lines = 0
  for await (const piece of readBatchFile(files, file))
    lines += piece.toString().split('\n').length - 1
  const { network, name, zone, none } = countedBy(table)
  const share = (part: number) => `${((100 * part) / queries).toFixed(0)} %`
  return [
    perSecond,
    share(network),
    share(name),
    share(zone),
    share(none),
    lines,
    (bytes / 2 ** 20).toFixed(1),
    (cpuUs(begun) / lines).toFixed(1),
  ]
}

try {
  process.stdout.write(`${names} names, ${networks} networks, one thread\n`)
  const heads = [
    'queries/s',
    'network',
    'name only',
    'zone only',
    'lost',
    'names',
    'MiB',
    'µs a name',
  ]
  const print = (cells: readonly (string | number)[]) =>
    process.stdout.write(`${cells.map((cell) => String(cell).padStart(11)).join('')}\n`)
  print(heads)
  for (const rate of RATES) print(await counted(rate))
} finally {
  rmSync(folder, { recursive: true })
}
process.exit()
