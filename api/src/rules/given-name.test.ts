import { expect, test } from 'vitest'
import { readGivenName } from './given-name.ts'

const MISSING = 'Please enter a name.'

test.each([
  ['router', 'router'],
  ['  the blue one\n', 'the blue one'],
  ['Ключ', 'Ключ'],
  ['x'.repeat(50), 'x'.repeat(50)],
  ['😀'.repeat(50), '😀'.repeat(50)],
])('%j', (text, name) => {
  expect(readGivenName(text, MISSING)).toBe(name)
})

test.each([
  ['', MISSING],
  [' \t\n', MISSING],
  ['x'.repeat(51), 'The name is too long. It can have at most 50 characters.'],
  ['😀'.repeat(51), 'The name is too long. It can have at most 50 characters.'],
  ['a\tb', 'The name contains a control character. Please remove it.'],
  ['a\u009bb', 'The name contains a control character. Please remove it.'],
])('%j is refused', (text, message) => {
  expect(() => readGivenName(text, MISSING)).toThrow(
    expect.objectContaining({ code: 'validation-failed', faults: [{ field: 'name', message }] }),
  )
})
