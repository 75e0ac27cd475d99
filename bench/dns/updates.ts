/** The cost of an answer during a thousand updates per second, compared with no updates; and whether queries are lost. */
import { makeBenchZone } from '../support/dns-bench-zone.ts'
import { prepareDnsd } from '../support/dns-dnsd.ts'
import { type Cost, costOf, latencyOf } from '../support/dns-measure.ts'
import { insertUpdatedNames } from '../support/dns-updates.ts'
import type { PacedLoad } from '../support/dnsperf.ts'
import { atMost, print, printComparisons, writeResults } from '../support/report.ts'
import { median } from '../support/rounds.ts'
import { figure, printTable } from '../support/table.ts'
import type { BenchOptions } from './options.ts'
import { NAMES } from './running.ts'

const UPDATES_PER_SECOND = 1_000
const UPDATED_NAMES = 10_000
/** Queries per second of the fixed rate, at which no query may be lost. */
const PACED_PER_SECOND = 10_000

interface Round {
  readonly cost: Cost
  readonly paced: PacedLoad
  /** Updates per second that became durable during the load. */
  readonly updates: number
}

const medianOf = (rounds: readonly Round[], of: (round: Round) => number) => median(rounds.map(of))

const cellsOf = (name: string, rounds: readonly Round[]) => [
  name,
  figure(medianOf(rounds, ({ updates }) => updates)),
  figure(medianOf(rounds, ({ cost }) => cost.cpuUs)),
  figure(medianOf(rounds, ({ cost }) => cost.perSecond)),
  medianOf(rounds, ({ paced }) => paced.p50Ms).toFixed(3),
  medianOf(rounds, ({ paced }) => paced.p99Ms).toFixed(3),
  String(rounds.reduce((sum, { paced }) => sum + paced.lost, 0)),
]

export async function updates({ names = NAMES, rounds, seconds }: BenchOptions): Promise<void> {
  print(`\ndns updates: ${names} names, ${UPDATES_PER_SECOND} updates a second; ${rounds} rounds`)
  using zone = await makeBenchZone(names)
  await using ends = new AsyncDisposableStack()
  const home = await prepareDnsd(zone)
  ends.defer(() => home.close())
  const server = await home.start()
  ends.defer(() => server.stop())
  await home.snapshot()
  const updated = await insertUpdatedNames(home.service.postgres.url, UPDATED_NAMES)

  const measured = async (changed: () => Promise<number>): Promise<Round> => {
    const [begun, before] = [performance.now(), await changed()]
    const cost = await costOf(server, zone, { seconds })
    const paced = await latencyOf(server, zone, { seconds, perSecond: PACED_PER_SECOND })
    const made = (await changed()) - before
    return { cost, paced, updates: made / ((performance.now() - begun) / 1_000) }
  }
  const [idle, busy]: [Round[], Round[]] = [[], []]
  for (let round = 0; round <= rounds; round += 1) {
    const still = await measured(async () => 0)
    await using running = new AsyncDisposableStack()
    const stream = updated.start(UPDATES_PER_SECOND)
    running.defer(() => stream.stop())
    const changed = async () => {
      const count = await stream.count()
      if (count.failed.length > 0) throw new Error(`an update failed: ${count.failed[0]}`)
      return count.changed
    }
    const moving = await measured(changed)
    // The first round warms up.
    if (round > 0) {
      idle.push(still)
      busy.push(moving)
    }
  }
  const heads = ['updates', 'a second', 'CPU µs', 'answers/s', 'p50 ms', 'p99 ms', 'lost']
  printTable(heads, [cellsOf('none', idle), cellsOf('arriving', busy)])
  const cost = (of: readonly Round[]) => medianOf(of, (round) => round.cost.cpuUs)
  const comparisons = [
    atMost('CPU per answer while updates arrive ÷ without', cost(busy) / cost(idle), 1.1),
    atMost(
      'questions lost while updates arrive',
      busy.reduce((sum, { paced }) => sum + paced.lost, 0),
      0,
    ),
  ]
  printComparisons(comparisons)
  writeResults('dns-updates', {
    names,
    updatesPerSecond: UPDATES_PER_SECOND,
    idle,
    busy,
    comparisons,
  })
}
