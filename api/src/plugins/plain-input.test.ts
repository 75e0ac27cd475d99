import { expect, test } from 'vitest'
import { requirePlainInput } from './plain-input.ts'

const nested = (depth: number): unknown => (depth === 0 ? 1 : { a: nested(depth - 1) })

test.each([
  [null],
  ['text, ünïcode and 🏠'],
  [{ a: [1, 'b', { c: null }] }],
  [nested(20)],
  [undefined],
])('%j passes', (value) => {
  expect(() => requirePlainInput(value, 'body')).not.toThrow()
})

test.each([
  ['a\0b', 'body'],
  [{ name: 'a\0' }, 'name'],
  [{ list: ['a', '\ud800'] }, 'list.1'],
  [{ deep: nested(20) }, 'deep'],
])('%j is refused, and the field is named', (value, field) => {
  expect(() => requirePlainInput(value, 'body')).toThrow(
    expect.objectContaining({
      code: 'validation-failed',
      faults: [expect.objectContaining({ field })],
    }),
  )
})
