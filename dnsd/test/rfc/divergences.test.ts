import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const TABLE = new URL('../../DIVERGENCES.md', import.meta.url)

/** The rows of both tables, without their headers. */
const rows = readFileSync(TABLE, 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| RFC '))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )

describe('DIVERGENCES.md', () => {
  it('has rows, and each of them all four cells', () => {
    expect(rows.length).toBeGreaterThan(20)
    expect(rows.filter((cells) => cells.length !== 4 || cells.includes(''))).toEqual([])
  })

  it.each(rows.map(([section = '', , , test = '']) => ({ section, test })))(
    '$section: the test "$test" exists',
    ({ section, test }) => {
      expect(section).toMatch(/^RFC \d+ §\d/)
      const [file, title] = /^(rfc\d+): (.+)$/.exec(test)?.slice(1) ?? []
      const path = fileURLToPath(new URL(`${file}.test.ts`, import.meta.url))
      expect(readFileSync(path, 'utf8')).toContain(`'${title}',`)
    },
  )
})
