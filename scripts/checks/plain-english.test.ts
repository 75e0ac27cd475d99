import { expect, test } from 'vitest'
import { phraseFindings } from './plain-english.ts'

test.each([
  '/** Whoever calls pays. */',
  '// the name ends in nobody’s hands, or nobody’s zone',
  'const message = "Too many credentials that are none."',
  '// A start is no overload.',
  '# What is borne with',
  '// The owner is told of it by mail.',
  '// skipped for want of a tool',
  "'Please enter an e-mail address.'",
])('a phrase to decode is found: %s', (line) => {
  expect(phraseFindings('a.ts', `\n${line}`)[0]).toMatch(/^a\.ts:2: ".+": write /)
})

test.each([
  '// There is no limit, and there are none of these.',
  '// The session is no longer valid; the body is no more than 100 KiB.',
  '// The caller is notified. Nobody is told the address.',
  '// As long as a transaction is open, the row stays locked.',
])('correct English passes: %s', (line) => {
  expect(phraseFindings('a.md', line)).toEqual([])
})
