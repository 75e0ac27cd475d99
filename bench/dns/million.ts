/**
 * A million names: memory of the whole process, the time to the first correct answer (from PostgreSQL, from the
 * snapshot, and NSD and Knot from their master file), and the cost of an answer, compared with a zone of a tenth.
 */
import { makeBenchZone } from '../support/dns-bench-zone.ts'
import type { BenchZone, Contender, RunningServer } from '../support/dns-contender.ts'
import { type DnsdHome, prepareDnsd } from '../support/dns-dnsd.ts'
import { knot, nsd } from '../support/dns-file-servers.ts'
import { costOf } from '../support/dns-measure.ts'
import {
  atMost,
  type Comparison,
  print,
  printComparisons,
  writeResults,
} from '../support/report.ts'
import { interleave, median } from '../support/rounds.ts'
import { figure, printTable } from '../support/table.ts'
import type { BenchOptions } from './options.ts'
import { NAMES } from './running.ts'

const MANY = 1_000_000
const MIB = 1_024 * 1_024

/** Stops a server at once and returns the duration of its start in seconds. */
async function startSeconds(starting: Promise<RunningServer>): Promise<number> {
  const server = await starting
  await server.stop()
  return server.startMs / 1_000
}

async function fromPostgres(home: DnsdHome): Promise<number> {
  home.forget()
  const server = await home.start()
  // The next start reads the snapshot.
  await home.snapshot()
  await server.stop()
  return server.startMs / 1_000
}

/** Seconds until the first correct answer, by source of the zone. */
async function starts(
  zone: BenchZone,
  home: DnsdHome,
  rivals: readonly Contender[],
  rounds: number,
) {
  const ways: Record<string, () => Promise<number>> = {
    'dnsd from PostgreSQL': () => fromPostgres(home),
    'dnsd from its snapshot': () => startSeconds(home.start()),
  }
  for (const rival of rivals) ways[rival.name] = () => startSeconds(rival.start(zone))
  const taken = await interleave(rounds, ways)
  return new Map(Object.entries(taken).map(([way, seconds]) => [way, median(seconds)]))
}

interface Loaded {
  readonly name: string
  readonly cpuUs: number
  readonly memoryMiB: number
}

/** The cost of answers, and the memory after the load. */
async function loaded(
  servers: ReadonlyMap<string, readonly [RunningServer, BenchZone]>,
  { rounds, seconds }: BenchOptions,
): Promise<Map<string, Loaded>> {
  const costs = await interleave(
    rounds,
    Object.fromEntries(
      [...servers].map(([name, [server, zone]]) => [name, () => costOf(server, zone, { seconds })]),
    ),
  )
  return new Map(
    [...servers].map(([name, [server]]) => {
      const cpuUs = median((costs[name] ?? []).map((cost) => cost.cpuUs))
      return [name, { name, cpuUs, memoryMiB: server.memoryMiB() }]
    }),
  )
}

function comparisonsOf(
  first: ReadonlyMap<string, number>,
  loads: ReadonlyMap<string, Loaded>,
  bytesAName: number,
): Comparison[] {
  const [many, few] = [loads.get('dnsd'), loads.get('dnsd, small zone')]
  const rivals = ['nsd', 'knot'].map((name) => loads.get(name)).filter((each) => each !== undefined)
  const compared: Comparison[] = []
  if (many === undefined || few === undefined) return compared
  if (rivals.length > 0) {
    const least = Math.min(...rivals.map(({ memoryMiB }) => memoryMiB))
    compared.push(atMost('memory ÷ the smaller of NSD and Knot', many.memoryMiB / least, 0.4))
  }
  compared.push(atMost('octets of memory per additional name', bytesAName, 64))
  const file = first.get('nsd')
  if (file !== undefined) {
    const ratio = (way: string) => (first.get(way) ?? Number.NaN) / file
    compared.push(
      atMost('start from PostgreSQL ÷ NSD from its file', ratio('dnsd from PostgreSQL'), 3),
      atMost('start from the snapshot ÷ NSD from its file', ratio('dnsd from its snapshot'), 0.5),
    )
  }
  compared.push(atMost('CPU per answer ÷ that in the small zone', many.cpuUs / few.cpuUs, 1.1))
  return compared
}

export async function million(options: BenchOptions): Promise<void> {
  const { names = MANY, contenders, rounds } = options
  print(`\ndns million: ${names} names beside ${NAMES}; medians of ${rounds} rounds`)
  const rivals = [nsd, knot].filter(
    (rival) => contenders.includes(rival) && rival.missing() === undefined,
  )
  using zone = await makeBenchZone(names)
  using small = await makeBenchZone(NAMES)
  await using ends = new AsyncDisposableStack()
  const opened = async (of: BenchZone) => {
    const home = await prepareDnsd(of, 'dnsd')
    ends.defer(() => home.close())
    return home
  }
  const [home, smallHome] = [await opened(zone), await opened(small)]
  const first = await starts(zone, home, rivals, rounds)

  const servers = new Map<string, readonly [RunningServer, BenchZone]>()
  const keep = async (name: string, starting: Promise<RunningServer>, of: BenchZone) => {
    const server = await starting
    ends.defer(() => server.stop())
    servers.set(name, [server, of])
  }
  await fromPostgres(smallHome)
  await keep('dnsd', home.start(), zone)
  await keep('dnsd, small zone', smallHome.start(), small)
  for (const rival of rivals) await keep(rival.name, rival.start(zone), zone)
  const loads = await loaded(servers, options)

  const memory = (name: string) => loads.get(name)?.memoryMiB ?? Number.NaN
  const bytesAName = ((memory('dnsd') - memory('dnsd, small zone')) * MIB) / (names - NAMES)
  print(`  zone:import took ${figure(home.importSeconds)} s`)
  printTable(
    ['first right answer', 's'],
    [...first].map(([way, seconds]) => [way, figure(seconds)]),
  )
  printTable(
    ['server', 'MiB', 'CPU µs'],
    [...loads.values()].map((each) => [each.name, figure(each.memoryMiB), figure(each.cpuUs)]),
  )
  const comparisons = comparisonsOf(first, loads, bytesAName)
  printComparisons(comparisons)
  const { importSeconds } = home
  const start = Object.fromEntries(first)
  writeResults('dns-million', {
    names,
    importSeconds,
    start,
    servers: [...loads.values()],
    bytesAName,
    comparisons,
  })
}
