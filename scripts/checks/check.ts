/** A check has a name and a function that decides it. A run of checks gives a list of outcomes. */

/** The outcome of a check, or of a run of tests. */
export interface Outcome {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  /** Why it failed, and what was skipped. Empty if everything passed. */
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

/** Passed without findings, otherwise failed with one finding per line. */
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
 * Runs checks, `atOnce` at a time, and reports each outcome as soon as it is known.
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

/** Prints one line, and the details below it. */
export function report(outcome: TimedOutcome): void {
  const verdict = outcome.failed > 0 ? 'FAILED' : 'passed'
  const count = outcome.passed + outcome.failed + outcome.skipped
  const tests = count === 1 ? '' : ` (${count} tests)`
  console.log(`${verdict}  ${outcome.seconds.toFixed(1).padStart(6)} s  ${outcome.name}${tests}`)
  if (outcome.detail !== '') console.log(outcome.detail.trimEnd().replaceAll(/^/gm, '    '))
}

/** The last line: `N passed, N failed`, and how many were skipped, if any. */
export function summary(outcomes: readonly Outcome[]): string {
  const sum = (key: 'passed' | 'failed' | 'skipped') =>
    outcomes.reduce((total, outcome) => total + outcome[key], 0)
  const skipped = sum('skipped')
  const told = `${sum('passed')} passed, ${sum('failed')} failed`
  return skipped === 0 ? told : `${told}, ${skipped} skipped`
}
