/**
 * `make test` and `make check`: print each check with its time, then how many
 * passed. `--checks` leaves out the tests.
 */
import './memory-folder.ts'
import './system-path.ts'
import { houseChecks } from './checks/house.ts'
import { report, runChecks, summary } from './checks/check.ts'
import { testChecks } from './checks/tests.ts'

const checksOnly = process.argv.includes('--checks')
// Most house checks are one process, so two at a time use two cores. A test run alone uses both.
const outcomes = await runChecks(houseChecks(), { atOnce: 2, onOutcome: report })
if (!checksOnly) {
  outcomes.push(...(await runChecks(testChecks(), { atOnce: 1, onOutcome: report })))
}
console.log(summary(outcomes))
process.exitCode = outcomes.every((outcome) => outcome.failed === 0) ? 0 : 1
