/**
 * The cost of an answer: CPU time of the server per answer at saturation and with 100 outstanding queries,
 * latency at a fixed rate, memory, and the time from start to the first answer.
 */
import { makeBenchZone } from '../support/dns-bench-zone.ts'
import type { BenchZone, RunningServer } from '../support/dns-contender.ts'
import { costOf, latencyOf } from '../support/dns-measure.ts'
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
import { NAMES, startAll } from './running.ts'

/** Queries per second of the fixed rate: a small part of the capacity of servers that answer from memory. */
const PACED_PER_SECOND = 5_000

interface Answers {
  readonly name: string
  readonly cpuUs: number
  readonly databaseUs: number
  readonly busy: number
  readonly perSecond: number
  readonly cpuUsWith100: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly memoryMiB: number
  readonly startMs: number
}

type Measured = Omit<Answers, 'name' | 'memoryMiB' | 'startMs'>

async function measured(
  server: RunningServer,
  zone: BenchZone,
  seconds: number,
): Promise<Measured> {
  const saturated = await costOf(server, zone, { seconds })
  const with100 = await costOf(server, zone, { seconds, outstanding: 100, isWarm: true })
  const { p50Ms, p99Ms } = await latencyOf(server, zone, { seconds, perSecond: PACED_PER_SECOND })
  const { cpuUs, databaseUs, busy, perSecond } = saturated
  return { cpuUs, databaseUs, busy, perSecond, cpuUsWith100: with100.cpuUs, p50Ms, p99Ms }
}

const KEYS = ['cpuUs', 'databaseUs', 'busy', 'perSecond', 'cpuUsWith100', 'p50Ms', 'p99Ms'] as const

function medians(rounds: readonly Measured[]): Measured {
  const middle = KEYS.map((key) => [key, median(rounds.map((round) => round[key]))] as const)
  return Object.fromEntries(middle) as unknown as Measured
}

/** The target figures, for the installed servers. */
function comparisonsOf(answers: readonly Answers[]): Comparison[] {
  const cost = (name: string) => answers.find((each) => each.name === name)?.cpuUs
  const rivals = [cost('nsd'), cost('knot')].filter((each) => each !== undefined)
  const compared: Comparison[] = []
  for (const { name, cpuUs } of answers.filter((each) => each.name.startsWith('dnsd'))) {
    const compare = (what: string, other: number | undefined, limit: number) => {
      if (other !== undefined)
        compared.push(atMost(`${name} ÷ ${what}, CPU per answer`, cpuUs / other, limit))
    }
    if (rivals.length > 0) compare('the better of NSD and Knot', Math.min(...rivals), 0.75)
    compare('BIND', cost('bind'), 0.45)
    // Batches save most of the per-packet cost of node:dgram. Without batches, that is most of the total cost.
    compare('bare node:dgram echo', cost('echo'), name === 'dnsd-batch' ? 0.55 : 1.3)
  }
  return compared
}

const HEADS = [
  'server',
  'CPU µs',
  'database µs',
  'busy',
  'answers/s',
  'CPU µs, 100',
  'p50 ms',
  'p99 ms',
  'MiB',
  'start s',
]

const cellsOf = (each: Answers) => [
  each.name,
  figure(each.cpuUs),
  each.databaseUs > 0.005 ? figure(each.databaseUs) : '',
  figure(each.busy),
  figure(each.perSecond),
  figure(each.cpuUsWith100),
  each.p50Ms.toFixed(3),
  each.p99Ms.toFixed(3),
  figure(each.memoryMiB),
  figure(each.startMs / 1_000),
]

export async function answers(options: BenchOptions): Promise<void> {
  const { names = NAMES, contenders, rounds, seconds } = options
  print(
    `\ndns answers: ${names} names; medians of ${rounds} rounds of ${seconds} s, one worker each`,
  )
  using zone = await makeBenchZone(names)
  await using ends = new AsyncDisposableStack()
  const servers = await startAll(contenders, zone, ends)
  const taken = await interleave<string, Measured>(
    rounds,
    Object.fromEntries(
      servers.map((server) => [server.name, () => measured(server, zone, seconds)]),
    ),
  )
  const table = servers.map((server) => ({
    name: server.name,
    ...medians(taken[server.name] ?? []),
    memoryMiB: server.memoryMiB(),
    startMs: server.startMs,
  }))
  printTable(HEADS, table.map(cellsOf))
  const comparisons = comparisonsOf(table)
  printComparisons(comparisons)
  writeResults('dns-answers', {
    names,
    rounds,
    seconds,
    pacedPerSecond: PACED_PER_SECOND,
    servers: table,
    comparisons,
  })
}
