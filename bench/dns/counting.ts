/**
 * The cost of counting queries: CPU time of two daemons for the same queries, of which one counts.
 *
 * The answering thread is measured in short loads of both in turn, of which the fastest count.
 * The counts are written once in each interval, so the other threads are measured over a whole interval of the same load.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { makeBenchZone } from '../support/dns-bench-zone.ts'
import type { RunningServer } from '../support/dns-contender.ts'
import { type DnsdHome, prepareDnsd } from '../support/dns-dnsd.ts'
import { writeEachOnce } from '../support/dns-mix.ts'
import { ask } from '../support/dnsperf.ts'
import { endedChildrenMs } from '../support/process-time.ts'
import { treeMs } from '../support/process-tree.ts'
import { atMost, print, printComparisons, writeResults } from '../support/report.ts'
import { median } from '../support/rounds.ts'
import { printTable } from '../support/table.ts'
import { threadTimes, usedSince } from '../support/thread-time.ts'
import type { BenchOptions } from './options.ts'
import { NAMES } from './running.ts'

/** How often dnsd writes its counts. */
const INTERVAL_SECONDS = 10
/** Compilers have then seen what the threads do, also on a busy machine. */
const WARM_UP_SECONDS = 5
const SLICES = 12
const SLICE_SECONDS = 1
const OUTSTANDING = 1_000
/** A thread has places for more names than are asked at this rate in an interval, so each query takes one. */
const SLOW_PER_SECOND = 3_000
const LIMIT = 1.03
const POLLING_LIMIT = 0.01

interface Load {
  readonly what: string
  readonly questions: string
  readonly nxdomainShare?: number
  readonly perSecond?: number
}

/** The daemon that counts, and the one that does not. */
interface Pair {
  readonly on: RunningServer
  readonly off: RunningServer
  readonly postgresMs: () => number
}

/** CPU time in µs. */
interface Slice {
  /** Of the answering thread, for each answer. */
  readonly answerUs: number
  /** Of the other threads, in the whole time. */
  readonly restUs: number
  readonly answered: number
}

interface Figures {
  /** The answering thread: with counting ÷ without. */
  readonly answering: number
  /** The whole process: with counting ÷ without. */
  readonly ratio: number
  readonly offUs: number
  /** What the other threads need more to write the counts of an interval. */
  readonly writingMs: number
  readonly postgresMs: number
}

async function slice(server: RunningServer, load: Load, seconds: number): Promise<Slice> {
  const { port, pid } = server
  const before = threadTimes(pid)
  const { answered } = await ask({ port, outstanding: OUTSTANDING, seconds, ...load })
  const { busiestUs, restUs } = usedSince(pid, before)
  return { answerUs: busiestUs / answered, restUs, answered }
}

async function figuresOf({ on, off, postgresMs }: Pair, load: Load): Promise<Figures> {
  await slice(off, load, WARM_UP_SECONDS)
  await slice(on, load, WARM_UP_SECONDS)
  // Other work on the machine makes most slices slower, and none faster.
  let [onUs, offUs] = [Infinity, Infinity]
  for (let count = 0; count < SLICES; count += 1) {
    onUs = Math.min(onUs, (await slice(on, load, SLICE_SECONDS)).answerUs)
    offUs = Math.min(offUs, (await slice(off, load, SLICE_SECONDS)).answerUs)
  }
  const bare = await slice(off, load, INTERVAL_SECONDS)
  // After one interval of load, each write has the counts of a whole one.
  await slice(on, load, INTERVAL_SECONDS)
  const postgresBefore = postgresMs()
  const counted = await slice(on, load, INTERVAL_SECONDS)
  const postgresUsed = postgresMs() - postgresBefore
  const writingUs = counted.restUs - bare.restUs
  // A thread with a core of its own answers at full speed for the whole interval, or at the given rate.
  const answers = load.perSecond === undefined ? undefined : load.perSecond * INTERVAL_SECONDS
  const answeringUs = answers === undefined ? INTERVAL_SECONDS * 1e6 : answers * offUs + bare.restUs
  const answering = onUs / offUs
  return {
    answering,
    ratio: answering + writingUs / answeringUs,
    offUs,
    writingMs: writingUs / 1_000,
    postgresMs: postgresUsed,
  }
}

/** The CPU time per second of a daemon without queries, as a share of a core. */
async function idleShare({ pid }: RunningServer): Promise<number> {
  const before = threadTimes(pid)
  await delay(INTERVAL_SECONDS * 1_000)
  const { busiestUs, restUs } = usedSince(pid, before)
  return (busiestUs + restUs) / (INTERVAL_SECONDS * 1e6)
}

interface Round {
  readonly loads: readonly Figures[]
  readonly polling: number
}

/** New processes for each round, so that rounds differ in the layout of memory. */
async function round(home: DnsdHome, loads: readonly Load[]): Promise<Round> {
  const folder = join(home.service.env['DATA_DIR'] ?? '', 'without-counts')
  const settings = { DNS_UDP_TRANSPORT: 'batch' }
  // Both read the zone from PostgreSQL, so that their tables are alike.
  home.forget()
  rmSync(folder, { recursive: true, force: true })
  await using ends = new AsyncDisposableStack()
  const on = await home.start(settings)
  ends.defer(() => on.stop())
  const off = await home.start({ ...settings, DATA_DIR: folder, QUERY_COUNTS: 'off' })
  ends.defer(() => off.stop())
  const postgres = home.service.postgres.process.pid ?? 0
  // Each write of counts has a connection of its own, whose process ends.
  const pair = { on, off, postgresMs: () => treeMs(postgres) + endedChildrenMs(postgres) }
  const figures: Figures[] = []
  for (const load of loads) figures.push(await figuresOf(pair, load))
  await delay(INTERVAL_SECONDS * 1_000)
  return { loads: figures, polling: (await idleShare(on)) - (await idleShare(off)) }
}

const HEADS = [
  'queries',
  'answer µs, off',
  'answering',
  'writing ms',
  'PostgreSQL ms',
  'on ÷ off',
  'rounds',
]

function summary({ what }: Load, rounds: readonly Figures[]) {
  const of = (key: keyof Figures) => median(rounds.map((each) => each[key]))
  const cells = [
    what,
    of('offUs').toFixed(2),
    of('answering').toFixed(3),
    of('writingMs').toFixed(0),
    of('postgresMs').toFixed(0),
    of('ratio').toFixed(3),
    rounds.map(({ ratio }) => ratio.toFixed(3)).join(' '),
  ]
  return { what, rounds, ratio: of('ratio'), cells }
}

/** The mix of the table, its names in turn, and so slowly that each query takes a place. */
function loadsOf(mix: string, each: string): readonly Load[] {
  const turn = { questions: each, nxdomainShare: 0 }
  return [
    { what: 'the mix of the table', questions: mix },
    { what: 'each name in turn', ...turn },
    { what: `each name in turn, ${SLOW_PER_SECOND}/s`, ...turn, perSecond: SLOW_PER_SECOND },
  ]
}

export async function counting({ names = NAMES, rounds }: BenchOptions): Promise<void> {
  print(`\ndns counting: ${names} names; ${rounds} rounds, one worker`)
  using zone = await makeBenchZone(names)
  const each = join(zone.folder, 'each')
  writeEachOnce(each, names)
  const loads = loadsOf(zone.questions, each)
  const home = await prepareDnsd(zone)
  try {
    const taken: Round[] = []
    for (let count = 0; count < rounds; count += 1) taken.push(await round(home, loads))
    const table = loads.map((load, index) =>
      summary(
        load,
        taken.flatMap((one) => one.loads[index] ?? []),
      ),
    )
    printTable(
      HEADS,
      table.map(({ cells }) => cells),
    )
    const polling = median(taken.map((one) => one.polling))
    print(`  asking who watches, while nobody does: ${(polling * 100).toFixed(3)} % of a core`)
    const comparisons = [
      ...table.map(({ what, ratio }) =>
        atMost(`dnsd that counts ÷ that does not, CPU: ${what}`, ratio, LIMIT),
      ),
      atMost('share of a core to ask who watches, while nobody does', polling, POLLING_LIMIT),
    ]
    printComparisons(comparisons)
    writeResults('dns-counting', { names, rounds, loads: table, polling, comparisons })
  } finally {
    await home.close()
  }
}
