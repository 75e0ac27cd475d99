/** Answers per second with PostgreSQL stopped, compared with those with PostgreSQL, in turn. */
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@homing/api/postgres'
import { makeBenchZone } from '../support/dns-bench-zone.ts'
import { prepareDnsd } from '../support/dns-dnsd.ts'
import { type Cost, costOf } from '../support/dns-measure.ts'
import { LOAD_CORES, pinTree } from '../support/pinned-process.ts'
import { atLeast, print, printComparisons, writeResults } from '../support/report.ts'
import { median } from '../support/rounds.ts'
import { figure, printTable } from '../support/table.ts'
import type { BenchOptions } from './options.ts'
import { NAMES } from './running.ts'

/** Gives the daemon time to notice the outage and to reach a stable state. */
const NOTICED_MS = 2_000

const row = (name: string, costs: readonly Cost[]) => [
  name,
  figure(median(costs.map((cost) => cost.perSecond))),
  figure(median(costs.map((cost) => cost.cpuUs))),
  figure(median(costs.map((cost) => cost.lost))),
]

export async function outage({ names = NAMES, rounds, seconds }: BenchOptions): Promise<void> {
  print(`\ndns outage: ${names} names, with and without PostgreSQL; medians of ${rounds} rounds`)
  using zone = await makeBenchZone(names)
  await using ends = new AsyncDisposableStack()
  const home = await prepareDnsd(zone)
  ends.defer(() => home.close())
  let postgres: EmbeddedPostgres = home.service.postgres
  ends.defer(() => postgres.stop())
  const clusterDir = join(home.service.env['DATA_DIR'] ?? '', 'postgres')
  const server = await home.start()
  ends.defer(() => server.stop())
  await home.snapshot()

  const [there, gone]: [Cost[], Cost[]] = [[], []]
  for (let round = 0; round <= rounds; round += 1) {
    const withIt = await costOf(server, zone, { seconds })
    const { port } = postgres
    await postgres.stop()
    await delay(NOTICED_MS)
    const without = await costOf(server, zone, { seconds })
    postgres = await startEmbeddedPostgres({ clusterDir, durable: true, port })
    pinTree(postgres.process.pid ?? 0, LOAD_CORES)
    await delay(NOTICED_MS)
    // The first round warms up.
    if (round === 0) continue
    there.push(withIt)
    gone.push(without)
  }
  printTable(
    ['PostgreSQL', 'answers/s', 'CPU µs', 'lost'],
    [row('there', there), row('stopped', gone)],
  )
  const perSecond = (costs: readonly Cost[]) => median(costs.map((cost) => cost.perSecond))
  const comparisons = [
    atLeast(
      'answers a second without PostgreSQL ÷ with it',
      perSecond(gone) / perSecond(there),
      0.95,
    ),
  ]
  printComparisons(comparisons)
  writeResults('dns-outage', { names, rounds, seconds, there, gone, comparisons })
}
