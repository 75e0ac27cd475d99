import { expect, test } from 'vitest'
import { amount } from './money.ts'

test.each([
  [11_000, 'USD', '$110.00'],
  [5, 'USD', '$0.05'],
  [-305, 'EUR', '-€3.05'],
  [123_456_789, 'USD', '$1,234,567.89'],
  // More than a binary fraction could hold.
  [9_007_199_254_740_991, 'USD', '$90,071,992,547,409.91'],
  [100, 'no currency', '1.00 no currency'],
])('%i cents of %s are %s', (cents, currency, text) => {
  expect(amount(cents, currency)).toBe(text)
})
