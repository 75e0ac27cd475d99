import { expect, test } from 'vitest'
import { expectedVersion, isExpectedVersion } from './if-match.ts'

test.each([
  [undefined, undefined],
  ['*', undefined],
  ['"3"', 3],
  [' "3" ', 3],
  ['"1", "3"', 3],
  ['"2"', 0],
  ['3', 0],
  ['W/"3"', 0],
  ['', 0],
  ['"3', 0],
  ['"99999999999999999999"', 0],
])('If-Match: %j on version 3 expects version %j', (header, expected) => {
  expect(expectedVersion(header, 3)).toBe(expected)
  expect(isExpectedVersion(header, '3')).toBe(expected !== 0)
})
