/**
 * `make test` and `make check`: every check by name with its time, then how
 * many passed. With `--checks` the test runs are left out.
 */
import './system-path.ts'
import { houseChecks } from './checks/house.ts'
import { report, runChecks, summary } from './checks/check.ts'
import { installOutsideTools } from './checks/outside-tools.ts'
import { testChecks } from './checks/tests.ts'

const checksOnly = process.argv.includes('--checks')
// House checks are mostly one process each, so two at a time fill two cores; a test run fills them alone.
const outcomes = await runChecks(houseChecks(), { atOnce: 2, onOutcome: report })
if (!checksOnly) {
  await installOutsideTools()
  outcomes.push(...(await runChecks(testChecks(), { atOnce: 1, onOutcome: report })))
}
console.log(summary(outcomes))
process.exitCode = outcomes.every((outcome) => outcome.failed === 0) ? 0 : 1
