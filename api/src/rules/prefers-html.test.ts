import { expect, test } from 'vitest'
import { prefersHtml } from './prefers-html.ts'

test.each([
  ['text/html,application/xhtml+xml,*/*;q=0.8', true],
  ['TEXT/HTML; q=0.9', true],
  ['application/xhtml+xml', true],
  ['application/json, text/html', false],
  ['*/*', false],
  [undefined, false],
])('%s', (accept, expected) => {
  expect(prefersHtml(accept)).toBe(expected)
})
