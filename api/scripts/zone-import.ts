/**
 * `npm run zone:import -- ZONE FILE`: imports an RFC 1035 master file into a provider zone. FILE `-` is standard
 * input.
 */
import { open } from 'node:fs/promises'
import { databaseLoader } from '../src/config/scripts.ts'
import { importZone } from '../src/feed/zone-file/import-zone.ts'
import { ZoneFileRefused } from '../src/feed/zone-file/problems.ts'
import { databaseUrlOf } from '../src/config/database-url.ts'
import { runScript, UsageError } from './run-script.ts'

const PROBLEMS_SHOWN = 100
const PROGRESS_EVERY_MS = 2_000

/** Messages quote the file: control characters are escaped as in a master file (RFC 1035 §5.1). */
const harmless = (text: string) =>
  text.replaceAll(/\p{Cc}/gu, (control) => `\\${String(control.charCodeAt(0)).padStart(3, '0')}`)

function showProblems(file: string, refused: ZoneFileRefused): void {
  for (const { line, message } of refused.problems.slice(0, PROBLEMS_SHOWN)) {
    const place = line === 0 ? file : `${file}:${line}`
    process.stderr.write(`${place}: ${harmless(message)}\n`)
  }
  const more = refused.count - PROBLEMS_SHOWN
  if (more > 0) process.stderr.write(`and ${more} more\n`)
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

/** Reports the import's progress from time to time. */
function progressTeller(): (done: number, batches: number) => void {
  let toldAt = performance.now()
  return (done, batches) => {
    if (performance.now() - toldAt < PROGRESS_EVERY_MS) return
    toldAt = performance.now()
    process.stderr.write(`${Math.floor((100 * done) / batches)} %\n`)
  }
}

await runScript(async () => {
  const [zone, file, ...rest] = process.argv.slice(2)
  if (zone === undefined || file === undefined || rest.length > 0) {
    throw new UsageError('usage: npm run zone:import -- ZONE FILE')
  }
  const databaseUrl = databaseUrlOf(databaseLoader.loadOrExit())
  const source = file === '-' ? process.stdin : (await open(file)).createReadStream()
  try {
    const report = await importZone({ databaseUrl, zone, source, onBatch: progressTeller() })
    const made = report.created ? ' (a new zone, not offered to users)' : ''
    const twice = report.duplicates > 0 ? `, ${report.duplicates} stated more than once` : ''
    process.stdout.write(
      `${report.zone}${made}: ${counted(report.records, 'record')}${twice}; ${counted(report.changedNames, 'name')} changed\n`,
    )
  } catch (error) {
    if (error instanceof ZoneFileRefused) showProblems(file, error)
    throw error
  }
})
