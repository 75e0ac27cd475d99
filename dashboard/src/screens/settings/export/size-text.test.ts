import { expect, test } from 'vitest'
import { sizeText } from './size-text.ts'

test.each([
  [0, '0 B'],
  [812, '812 B'],
  [1_240_000, '1.2 MB'],
  [7_000_000_000_000, '7000.0 GB'],
])('%d octets are %s', (octets, text) => {
  expect(sizeText(octets)).toBe(text)
})
