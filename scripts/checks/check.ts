/** A check is a name and what decides it; a run of checks is a list of outcomes that can be counted. */

/** What one check, or one run of tests, came to. */
export interface Outcome {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  /** What a person needs to see: why it failed, what was skipped. Empty when all is well. */
  readonly detail: string
}

export interface Check {
  readonly name: string
  run(): Promise<Outcome>
}

export interface TimedOutcome extends Outcome {
  readonly name: string
  readonly seconds: number
}

export const PASSED: Outcome = { passed: 1, failed: 0, skipped: 0, detail: '' }

export function failedBecause(detail: string): Outcome {
  return { passed: 0, failed: 1, skipped: 0, detail }
}

/** Passed when nothing was found, else failed with one finding a line. */
export function fromFindings(findings: readonly string[]): Outcome {
  return findings.length === 0 ? PASSED : failedBecause(findings.join('\n'))
}

async function timed(check: Check): Promise<TimedOutcome> {
  const start = performance.now()
  const outcome = await check
    .run()
    .catch((error: unknown) =>
      failedBecause(error instanceof Error ? error.message : String(error)),
    )
  return { ...outcome, name: check.name, seconds: (performance.now() - start) / 1_000 }
}

/**
 * Runs checks, `atOnce` at a time, and tells each outcome as soon as it is known.
 * A check that throws has failed.
 */
export async function runChecks(
  checks: readonly Check[],
  options: { atOnce: number; onOutcome: (outcome: TimedOutcome) => void },
): Promise<TimedOutcome[]> {
  const outcomes: TimedOutcome[] = []
  const waiting = [...checks]
  async function lane(): Promise<void> {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
      const outcome = await timed(check)
      outcomes.push(outcome)
      options.onOutcome(outcome)
    }
  }
  await Promise.all(Array.from({ length: options.atOnce }, lane))
  return outcomes
}

/** Prints one line, and below it what there is to say. */
export function report(outcome: TimedOutcome): void {
  const verdict = outcome.failed > 0 ? 'FAILED' : 'passed'
  const count = outcome.passed + outcome.failed + outcome.skipped
  const tests = count === 1 ? '' : ` (${count} tests)`
  console.log(`${verdict}  ${outcome.seconds.toFixed(1).padStart(6)} s  ${outcome.name}${tests}`)
  if (outcome.detail !== '') console.log(outcome.detail.trimEnd().replaceAll(/^/gm, '    '))
}

/** The last line: `N passed, N failed`, and how many were skipped when some were. */
export function summary(outcomes: readonly Outcome[]): string {
  const sum = (key: 'passed' | 'failed' | 'skipped') =>
    outcomes.reduce((total, outcome) => total + outcome[key], 0)
  const skipped = sum('skipped')
  const told = `${sum('passed')} passed, ${sum('failed')} failed`
  return skipped === 0 ? told : `${told}, ${skipped} skipped`
}
