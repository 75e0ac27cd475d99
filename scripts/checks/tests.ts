/** Runs of vitest as checks, with a count of their tests. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Check, failedBecause, type Outcome } from './check.ts'
import { ROOT } from './command.ts'

interface Assertion {
  readonly status: 'passed' | 'failed' | 'skipped' | 'pending' | 'todo' | 'disabled'
  readonly fullName: string
  /** `needs` is set by `test/outside-tool.ts`. */
  readonly meta?: { readonly needs?: string }
}

/** The fields of vitest's JSON report that are used here. */
export interface VitestReport {
  readonly success: boolean
  readonly testResults: readonly {
    readonly name: string
    readonly status: 'passed' | 'failed'
    readonly message: string
    /** When the file began and ended, in milliseconds of the epoch. */
    readonly startTime: number
    readonly endTime: number
    readonly assertionResults: readonly Assertion[]
  }[]
}

/**
 * Counts a run. A test that was skipped because an outside tool is missing is
 * reported with the tool's name, and counts as failed when `strict`. A test that
 * was skipped without a reason is a defect, and always counts as failed.
 */
export function outcomeOf(run: VitestReport, options: { strict: boolean }): Outcome {
  const outcome = { passed: 0, failed: 0, skipped: 0 }
  const lines = new Set<string>()
  for (const file of run.testResults) {
    const assertions = file.assertionResults
    if (file.status === 'failed' && !assertions.some((each) => each.status === 'failed')) {
      outcome.failed += 1
      lines.add(`${file.name}: ${file.message}`)
    }
    for (const { status, fullName, meta } of assertions) {
      if (status === 'passed') outcome.passed += 1
      else if (status === 'failed') {
        outcome.failed += 1
        lines.add(`failed: ${fullName}`)
      } else if (meta?.needs === undefined) {
        outcome.failed += 1
        lines.add(`skipped without a named tool: ${fullName}`)
      } else {
        outcome[options.strict ? 'failed' : 'skipped'] += 1
        lines.add(`skipped: needs ${meta.needs}`)
      }
    }
  }
  return { ...outcome, detail: [...lines].join('\n') }
}

/**
 * How long the files of each workspace took, added up, in seconds; the longest
 * first. Several files run at a time, so a run takes less than the sum.
 */
export function secondsByWorkspace(run: VitestReport, root: string = ROOT): Map<string, number> {
  const seconds = new Map<string, number>()
  for (const { name, startTime, endTime } of run.testResults) {
    const [workspace = name] = name.replace(root, '').split('/')
    seconds.set(workspace, (seconds.get(workspace) ?? 0) + (endTime - startTime) / 1_000)
  }
  return new Map([...seconds].sort(([, a], [, b]) => b - a))
}

function printTimes(run: VitestReport): void {
  const times = [...secondsByWorkspace(run)].map(([name, s]) => `${name} ${s.toFixed(0)} s`)
  console.log(`time in test files: ${times.join(', ')}`)
}

async function runVitest(projects: readonly string[], ...flags: string[]): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'homing-tests-'))
  const file = join(folder, 'report.json')
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
    const rooms = projects.map((p) => `--project=${p}`)
    const child = spawn('vitest', ['run', ...rooms, ...flags, ...reporters], {
      cwd: ROOT,
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    const [exitCode] = (await once(child, 'close')) as [number | null]
    if (!existsSync(file)) return failedBecause(`vitest ended with ${exitCode} and wrote no report`)
    const run = JSON.parse(readFileSync(file, 'utf8')) as VitestReport
    printTimes(run)
    const outcome = outcomeOf(run, { strict: process.env['CI'] === 'true' })
    // An error outside every test fails the run, but not a test.
    if (exitCode !== 0 && outcome.failed === 0) return { ...outcome, failed: 1 }
    return outcome
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Tests of the parts first. Journeys through the whole service then run alone on the machine, with fewer workers: each
 * journey has its service and its browser.
 */
export function testChecks(): Check[] {
  const workers = Math.min(availableParallelism() + 2, 4)
  return [
    { name: 'tests', run: () => runVitest(['!e2e'], `--maxWorkers=${workers}`) },
    { name: 'journeys', run: () => runVitest(['e2e']) },
  ]
}
