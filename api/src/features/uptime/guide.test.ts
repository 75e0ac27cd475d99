/** The tables of the guide to monitoring have a row for each state and each cause. */
import { MONITOR_CAUSES, MONITOR_KINDS, MONITOR_STATES } from '@homing/openapi/vocabulary'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { uptimeOf } from '../../rules/uptime.ts'

const GUIDE = readFileSync(
  join(import.meta.dirname, '../../../../docs/guides/monitoring.md'),
  'utf8',
)

/** The words in the first column of the table with this head. */
function wordsBelow(head: string): string[] {
  const [, after = ''] = GUIDE.split(`| ${head} |`)
  const [table = ''] = after.split('\n\n')
  return table
    .split('\n')
    .slice(2)
    .flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)])
    .map(([, word = '']) => word)
}

test.each([
  ['kind', 'kind | up means | settings', MONITOR_KINDS],
  ['state', 'state | meaning', MONITOR_STATES],
  ['cause', 'cause | meaning and remedy', MONITOR_CAUSES],
])('each %s', (_what, head, words) => {
  expect(wordsBelow(head).toSorted()).toEqual([...words].toSorted())
})

test('the example of the formula', () => {
  const downMs = (4 * 60 + 30) * 1_000
  expect(GUIDE).toContain(`is ${uptimeOf({ upMs: 86_400_000 - downMs, downMs })} %`)
})
