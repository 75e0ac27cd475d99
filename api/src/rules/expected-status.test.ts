import { describe, expect, test } from 'vitest'
import { Refusal } from './errors.ts'
import { expectsStatus, parseExpectedStatus } from './expected-status.ts'

test.each([
  ['200-399', '200-399'],
  [' 200 , 401 ', '200,401'],
  ['100-599', '100-599'],
  ['204', '204'],
  ['500-500,200', '500-500,200'],
])('%j is stored as %j', (text, stored) => {
  expect(parseExpectedStatus(text)).toBe(stored)
})

test.each(['', ' ', ',', '200,', '99', '600', '2xx', '399-200', '200–299', '200-', '-200', '0200'])(
  '%j is refused',
  (text) => {
    expect(() => parseExpectedStatus(text)).toThrow(Refusal)
  },
)

describe('200-299,401', () => {
  test.each([
    [199, false],
    [200, true],
    [299, true],
    [300, false],
    [401, true],
    [402, false],
  ])('%i: %s', (status, isExpected) => {
    expect(expectsStatus('200-299,401', status)).toBe(isExpected)
  })
})
