import { expect, test } from 'vitest'
import { noWords, parseWordList } from './word-list.ts'

test('a list is read by its sections, with any form of lines', () => {
  const { words, lifted, isWhole } = parseWordList(
    '# mine\n[part] acme\r\n  umbrella # evil\n\n[alone]\nfoo-bar bücher\n-apple',
  )
  expect(words).toEqual({ ...noWords(), part: ['acme', 'umbrella'], alone: ['foo-bar', 'bücher'] })
  expect([...lifted]).toEqual(['apie'])
  expect(isWhole).toBe(false)
  expect(parseWordList('-*').isWhole).toBe(true)
  expect(parseWordList('').words).toEqual(noWords())
})

test.each([
  ['acme', 'line 1: a word comes before the first section'],
  [
    '\n[brands] acme',
    'line 2: [brands] is not a section; the sections are anywhere, part, alone, joined, lure, filler',
  ],
  ['[anywhere]\nabcc', 'line 2: "abcc" must have 5 to 63 characters in the section anywhere'],
  [
    '[anywhere] aaaaaaaa',
    'line 1: "aaaaaaaa" must have 5 to 63 characters in the section anywhere',
  ],
  ['[part] ac', 'line 1: "ac" must have 3 to 63 characters in the section part'],
  ['[lure]\n\n☃', 'line 3: "☃" must have 3 to 63 characters in the section lure'],
  [`[part] ${'ab'.repeat(32)}`, /must have 3 to 63 characters in the section part/],
])('%j is refused: %s', (text, message) => {
  expect(() => parseWordList(text)).toThrow(message)
})
