/**
 * The outage script: it queries a daemon continuously while the database, the disk and the clock fail in every possible
 * way, and prints a table of the results.
 *
 *     node dnsd/test/outages/main.ts [--seconds 10] [--rate 500]
 */
import { parseArgs } from 'node:util'
import { needs } from '../../../test/outside-tool.ts'
import { liveThrough } from './live-through.ts'
import { OUTAGES } from './outages.ts'
import { OutageWorld } from './world.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    rate: { type: 'string', default: '500' },
  },
})
const print = (line: string) => process.stdout.write(`${line}\n`)
const HEADS = [
  'outage',
  'seconds',
  'questions',
  'failed',
  'went back',
  'caught up after',
  'the log said',
]
const WIDTHS = [46, 8, 10, 7, 10, 16, 0] as const

const lineOf = (cells: readonly string[]) =>
  cells
    .map((cell, n) => (n === 0 ? cell.padEnd(WIDTHS[0]) : cell.padStart(WIDTHS[n] ?? 0)))
    .join(' ')

const world = await OutageWorld.open({ perSecond: Number(values.rate), durable: true })
let isGood = true
try {
  await world.databases.clone('standby', 'older')
  print(`${values.rate} questions a second, 20 changes a second`)
  print(lineOf(HEADS))
  for (const outage of OUTAGES) {
    const missing = needs(...(outage.needs ?? [])).meta?.needs
    if (missing !== undefined) {
      print(`${outage.name.padEnd(WIDTHS[0])} skipped: needs ${missing}`)
      continue
    }
    const report = await liveThrough(world, outage, Number(values.seconds) * 1_000)
    isGood &&= report.failed.length === 0 && (report.wentBack === 0 || outage.goesBack === true)
    print(
      lineOf([
        outage.name,
        report.seconds.toFixed(1),
        String(report.asked),
        String(report.failed.length),
        String(report.wentBack),
        `${report.caughtUpMs.toFixed(0)} ms`,
        `  ${report.told}`,
      ]),
    )
    await outage.recovered?.(world)
    for (const failure of report.failed.slice(0, 3)) print(`    ${failure}`)
  }
} finally {
  await world.close()
}
process.exitCode = isGood ? 0 : 1
