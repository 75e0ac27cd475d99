/**
 * The cost of counting queries: CPU time of dnsd and PostgreSQL per answer with counting on and off, of the same queries.
 *
 * Counts are written once in each interval, so a window of whole intervals is measured, with the same load before it.
 */
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { makeBenchZone } from '../support/dns-bench-zone.ts'
import type { RunningServer } from '../support/dns-contender.ts'
import { type DnsdHome, prepareDnsd } from '../support/dns-dnsd.ts'
import { writeEachOnce } from '../support/dns-mix.ts'
import { ask } from '../support/dnsperf.ts'
import { treeMs } from '../support/process-tree.ts'
import { atMost, print, printComparisons, writeResults } from '../support/report.ts'
import { median } from '../support/rounds.ts'
import { printTable } from '../support/table.ts'
import type { BenchOptions } from './options.ts'
import { NAMES } from './running.ts'

/** How often dnsd writes its counts. */
const INTERVAL_SECONDS = 10
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

interface Cost {
  readonly dnsdUs: number
  readonly postgresUs: number
  readonly answered: number
}

async function costOf(home: DnsdHome, server: RunningServer, load: Load): Promise<Cost> {
  const options = { port: server.port, outstanding: OUTSTANDING, seconds: INTERVAL_SECONDS, ...load }
  await ask(options)
  const postgresMs = () => treeMs(home.service.postgres.process.pid ?? 0)
  const [before, postgresBefore] = [server.cpuMs(), postgresMs()]
  const { answered } = await ask(options)
  const perAnswer = (ms: number) => (ms * 1_000) / answered
  return {
    dnsdUs: perAnswer(server.cpuMs() - before),
    postgresUs: perAnswer(postgresMs() - postgresBefore),
    answered,
  }
}

interface Measured {
  readonly costs: readonly Cost[]
  /** CPU time per second without queries, in ms: what the question costs who watches. */
  readonly idleMs: number
}

/** All loads on a new process, so that rounds differ in the layout of its memory. */
async function measured(
  home: DnsdHome,
  loads: readonly Load[],
  state: 'on' | 'off',
): Promise<Measured> {
  const server = await home.start({ DNS_UDP_TRANSPORT: 'batch', QUERY_COUNTS: state })
  try {
    const costs: Cost[] = []
    for (const load of loads) costs.push(await costOf(home, server, load))
    // The counts of the last load are written first.
    await delay(INTERVAL_SECONDS * 1_000)
    const before = server.cpuMs()
    await delay(INTERVAL_SECONDS * 1_000)
    return { costs, idleMs: (server.cpuMs() - before) / INTERVAL_SECONDS }
  } finally {
    await server.stop()
  }
}

const HEADS = ['queries', 'dnsd µs, on', 'off', 'PostgreSQL µs, on', 'off', 'on ÷ off', 'rounds']

/** Counting is measured as the median of the ratios of the rounds. */
function compared(what: string, on: readonly Cost[], off: readonly Cost[]) {
  const ratios = on.map(({ dnsdUs }, round) => dnsdUs / (off[round]?.dnsdUs ?? Number.NaN))
  const of = (costs: readonly Cost[], key: keyof Cost) => median(costs.map((cost) => cost[key]))
  const cells = [
    what,
    of(on, 'dnsdUs').toFixed(2),
    of(off, 'dnsdUs').toFixed(2),
    of(on, 'postgresUs').toFixed(2),
    of(off, 'postgresUs').toFixed(2),
    median(ratios).toFixed(3),
    ratios.map((ratio) => ratio.toFixed(3)).join(' '),
  ]
  return { what, on, off, ratio: median(ratios), cells }
}

export async function counting({ names = NAMES, rounds }: BenchOptions): Promise<void> {
  print(`\ndns counting: ${names} names; rounds of ${INTERVAL_SECONDS} s, one worker`)
  using zone = await makeBenchZone(names)
  const distinct = join(zone.folder, 'distinct')
  writeEachOnce(distinct, names)
  const loads: readonly Load[] = [
    { what: 'the mix of the table', questions: zone.questions },
    { what: 'each name in turn', questions: distinct, nxdomainShare: 0 },
    {
      what: `each name in turn, ${SLOW_PER_SECOND}/s`,
      questions: distinct,
      nxdomainShare: 0,
      perSecond: SLOW_PER_SECOND,
    },
  ]
  const home = await prepareDnsd(zone)
  try {
    const first = await home.start()
    await home.snapshot()
    await first.stop()
    const taken = { on: [] as Measured[], off: [] as Measured[] }
    for (let round = 0; round < rounds; round += 1) {
      taken.on.push(await measured(home, loads, 'on'))
      taken.off.push(await measured(home, loads, 'off'))
    }
    const table = loads.map(({ what }, index) => {
      const of = (state: 'on' | 'off') => taken[state].flatMap(({ costs }) => costs[index] ?? [])
      return compared(what, of('on'), of('off'))
    })
    printTable(
      HEADS,
      table.map(({ cells }) => cells),
    )
    const idleMs = (state: 'on' | 'off') => median(taken[state].map((each) => each.idleMs))
    const polling = (idleMs('on') - idleMs('off')) / 1_000
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
