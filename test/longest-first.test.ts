import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { LONGEST, longestFirst } from './longest-first.ts'

test('a long file starts before the others of its project, and projects keep their order', () => {
  const [longest = '', second = ''] = LONGEST
  const file = (name: string, path: string) => ({ moduleId: `/tree/${path}`, project: { name } })
  const [short, a, b, other] = [
    file('e2e', 'e2e/short.test.ts'),
    file('e2e', second),
    file('e2e', longest),
    file('cli', 'cli/any.test.ts'),
  ]
  expect(longestFirst([other, short, a, b])).toEqual([other, b, a, short])
})

test('every file that is listed exists', () => {
  const root = new URL('../', import.meta.url)
  expect(LONGEST.filter((path) => !existsSync(new URL(path, root)))).toEqual([])
})
