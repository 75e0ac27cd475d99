import { expect, test } from 'vitest'
import { domain } from '../../../../test/domains.ts'
import type { BulkLine } from './run-batches.ts'
import { undoLines } from './undo-lines.ts'

const before = domain({ record_ipv6: null, tags: ['Office', 'old'], version: 4 })
const line: BulkLine = {
  domain: { id: before.id, fqdn: before.fqdn, is_wildcard: false },
  operation: { op: 'change', id: before.id },
}
const undone = (now: readonly (typeof before)[]) =>
  undoLines([line], new Map([[before.id, before]]), now)

test('what a change replaced comes back, tags in any case', () => {
  const now = {
    ...before,
    record_ipv6: '2001:db8::1',
    paused: true,
    tags: ['OFFICE', 'new'],
    version: 5,
  }
  expect(undone([now]).lines.map(({ operation }) => operation)).toEqual([
    {
      op: 'change',
      id: before.id,
      version: 5,
      record_ipv6: null,
      paused: false,
      add_tags: ['old'],
      remove_tags: ['new'],
    },
  ])
})

test('a monitor, which the version does not count, is turned back', () => {
  const { lines } = undone([{ ...before, monitor_enabled: true }])
  expect(lines.map(({ operation }) => operation)).toEqual([
    { op: 'change', id: before.id, version: 4, monitor: false },
  ])
})

test.each([
  ['unchanged', [before], 0],
  ['changed again', [{ ...before, paused: true, version: 6 }], 1],
  ['deleted', [], 1],
])('%s: it stays as it is', (_, now, moved) => {
  expect(undone(now)).toEqual({ lines: [], moved })
})
