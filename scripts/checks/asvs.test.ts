import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asvsFindings, REQUIREMENTS } from './asvs.ts'

const root = mkdtempSync(join(tmpdir(), 'homing-asvs-'))
afterAll(() => rmSync(root, { recursive: true }))
beforeAll(() => {
  mkdirSync(join(root, 'api'))
  writeFileSync(join(root, 'api/limits.ts'), 'export const LIMIT = 8\n')
  writeFileSync(join(root, 'api/nothing.ts'), '')
  writeFileSync(join(root, 'api/page.md'), '# Limits\n')
  writeFileSync(join(root, 'api/limits.test.ts'), `test('it holds', () => expect(1).toBe(1))\n`)
  writeFileSync(join(root, 'api/empty.test.ts'), `test('it holds', () => {})\n`)
})

const LEVEL_2 = [...REQUIREMENTS].filter(([, level]) => level < 3)

/** A page on which every requirement has a valid row, except for one. */
function page(number: string, row: string): string {
  const lines = LEVEL_2.map(([each, level]) =>
    each === number ? row : `| ${each} | ${level} | it | met: \`api/limits.ts\` |`,
  )
  return lines.filter((line) => line !== '').join('\n')
}
const findings = (row: string) => asvsFindings(root, page('6.2.4', row))
const claim = (where: string) => findings(`| 6.2.4 | 1 | no common password | ${where} |`)

test('ASVS 5.0.0 has 345 requirements: 70 of level 1, 183 of level 2', () => {
  const count = (asked: number) =>
    [...REQUIREMENTS.values()].filter((level) => level === asked).length
  expect([REQUIREMENTS.size, count(1), count(2), count(3)]).toEqual([345, 70, 183, 92])
})

test.each([
  'met: `api/limits.ts`',
  'met: `api/limits.test.ts` “it holds”',
  'met: `api/limits.ts`; `api/limits.test.ts` “it holds”, “holds”',
  'partly: `api/limits.ts`; but nobody looks at the list of last year',
  'not met: there is no list that anybody could look at',
  'does not apply: nobody has a password in this service',
])('%s', (where) => {
  expect(claim(where)).toEqual([])
})

test.each([
  ['met: yes, certainly, everywhere', '6.2.4: names no file'],
  ['met: `api/gone.ts`', '6.2.4: api/gone.ts does not exist'],
  ['met: `api/nothing.ts`', '6.2.4: names no code'],
  ['met: `api/page.md`', '6.2.4: names no code'],
  ['met: `api/limits.test.ts`', '6.2.4: api/limits.test.ts: the title of the test is missing'],
  ['met: `api/limits.test.ts` “it breaks”', '6.2.4: api/limits.test.ts has no test “it breaks”'],
  ['met: `api/empty.test.ts` “it holds”', '6.2.4: api/empty.test.ts has no expectation'],
  ['met: `api/limits.test.ts` “%s”', '6.2.4: api/limits.test.ts: the title “%s” has no words'],
  ['not met: no', '6.2.4: gives no reason'],
  ['partly: `api/limits.ts`', '6.2.4: gives no reason'],
  ['perhaps', '6.2.4: must start with met, partly, not met or does not apply'],
])('%s is not a claim', (where, finding) => {
  expect(claim(where)).toContain(finding)
})

test.each([
  ['', '6.2.4 has no row'],
  ['| 6.2.4 | 2 | it | met: `api/limits.ts` |', '6.2.4 is of level 1, not 2'],
  ['| 6.2.44 | 1 | it | met: `api/limits.ts` |', '6.2.44 is not a requirement'],
  ['| 6.2.3 | 1 | it | met: `api/limits.ts` |', '6.2.3 has two rows'],
  ['| 6.2.4 | 1 | it, met |', '6.2.4: the row cannot be parsed'],
])('%j', (row, finding) => {
  expect(findings(row)).toContain(finding)
})
