import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { protectedNames, shippedWords } from './protected-words.ts'
import { Variables } from './variables.ts'

const folder = mkdtempSync(join(tmpdir(), 'homing-words-'))
afterAll(() => rmSync(folder, { recursive: true }))

const file = (text: string) => {
  const path = join(folder, 'words.txt')
  writeFileSync(path, text)
  return path
}
const words = (PROTECTED_WORDS?: string) =>
  protectedNames.read(new Variables({ PROTECTED_WORDS })).protectedWords

test('without a file, the included list applies, with words in each section', () => {
  expect(words()).toBe(shippedWords())
  for (const [section, each] of Object.entries(words().words)) {
    expect([section, each.length > 10]).toEqual([section, true])
    expect([section, new Set(each).size]).toEqual([section, each.length])
  }
})

test('a file adds words to it, or replaces it', () => {
  const { words: more, lifted } = words(file('[part] acmebank -apple'))
  expect(more.part).toEqual([...shippedWords().words.part, 'acmebank'])
  expect(more.anywhere).toEqual(shippedWords().words.anywhere)
  expect([...lifted]).toEqual(['apie'])
  expect(words(file('-*\n[part] acmebank')).words).toMatchObject({ part: ['acmebank'], alone: [] })
})

test('an invalid line stops the start, and so does a missing file', () => {
  expect(() => words(file('[part]\nacme\n[brands] x'))).toThrow(
    /^PROTECTED_WORDS is ".*words.txt"; it takes a valid word list: line 3: \[brands\] is not a section/,
  )
  expect(() => words(join(folder, 'none.txt'))).toThrow(
    /PROTECTED_WORDS .*; it takes a readable word list file/,
  )
})
