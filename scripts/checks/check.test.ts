import { expect, test } from 'vitest'
import { failedBecause, PASSED, runChecks, summary, type TimedOutcome } from './check.ts'
import { commandCheck } from './command.ts'
import { outcomeOf, secondsByWorkspace, type VitestReport } from './tests.ts'

test('every check runs, a thrown error is a failure with its message', async () => {
  const told: TimedOutcome[] = []
  const outcomes = await runChecks(
    [
      { name: 'good', run: async () => PASSED },
      { name: 'bad', run: async () => failedBecause('because') },
      { name: 'thrown', run: () => Promise.reject(new Error('no such program')) },
    ],
    { atOnce: 2, onOutcome: (outcome) => told.push(outcome) },
  )
  expect(told).toEqual(outcomes)
  expect(Object.fromEntries(outcomes.map(({ name, detail }) => [name, detail]))).toEqual({
    good: '',
    bad: 'because',
    thrown: 'no such program',
  })
  expect(summary(outcomes)).toBe('1 passed, 2 failed')
})

test('a command decides by its exit code and shows its output when it fails', async () => {
  expect(await commandCheck('yes', 'sh', '-c', 'echo quiet').run()).toEqual(PASSED)
  const failed = await commandCheck('no', 'sh', '-c', 'echo out; echo err >&2; exit 3').run()
  expect(failed).toMatchObject({ passed: 0, failed: 1 })
  expect(failed.detail).toContain('out')
  expect(failed.detail).toContain('err')
})

function run(assertionResults: object[], message = ''): VitestReport {
  const status = message === '' ? 'passed' : 'failed'
  return {
    success: true,
    testResults: [
      { name: 'a.test.ts', status, message, startTime: 0, endTime: 0, assertionResults },
    ],
  } as VitestReport
}

test('tests are counted one by one', () => {
  const passed = { status: 'passed', fullName: 'a' }
  const failed = { status: 'failed', fullName: 'b' }
  expect(outcomeOf(run([passed, passed, failed]), { strict: false })).toEqual({
    passed: 2,
    failed: 1,
    skipped: 0,
    detail: 'failed: b',
  })
})

test('a file that cannot be loaded has failed', () => {
  expect(outcomeOf(run([], 'SyntaxError'), { strict: false })).toMatchObject({
    failed: 1,
    detail: 'a.test.ts: SyntaxError',
  })
})

test('a missing tool is reported; in CI it is a failure; skipping without a reason always is', () => {
  const needy = run([{ status: 'skipped', fullName: 'c', meta: { needs: 'kdig' } }])
  const lenient = outcomeOf(needy, { strict: false })
  expect(lenient).toEqual({ passed: 0, failed: 0, skipped: 1, detail: 'skipped: needs kdig' })
  expect(summary([lenient])).toBe('0 passed, 0 failed, 1 skipped')
  expect(outcomeOf(needy, { strict: true })).toMatchObject({ failed: 1, skipped: 0 })
  const idle = run([{ status: 'skipped', fullName: 'd' }])
  expect(outcomeOf(idle, { strict: false })).toMatchObject({ failed: 1, skipped: 0 })
})

test('times of files are added up by workspace, the longest first', () => {
  const file = (name: string, startTime: number, endTime: number) => ({ name, startTime, endTime })
  const report = {
    testResults: [
      file('/root/cli/a.test.ts', 0, 1_000),
      file('/root/api/a.test.ts', 0, 2_500),
      file('/root/api/src/b.test.ts', 2_000, 3_000),
    ],
  } as unknown as VitestReport
  expect([...secondsByWorkspace(report, '/root/')]).toEqual([
    ['api', 3.5],
    ['cli', 1],
  ])
})
