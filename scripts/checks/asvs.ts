/**
 * Checks the page that says which requirements of OWASP ASVS 5.0 are met, and where. Every requirement of levels 1 and 2
 * must have a row, every file that a row names must exist, every test that it names must have that title, and a row that
 * is not met must give a reason.
 */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const ASVS_PAGE = 'docs/reference/security.md'

/** The levels of the requirements of each section of ASVS 5.0.0, in order. */
const LEVELS = `
  1.1 22  1.2 1111122223  1.3 112222222223  1.4 222  1.5 123
  2.1 122  2.2 112  2.3 12223  2.4 23
  3.1 3  3.2 113  3.3 12223  3.4 11222233  3.5 11122333  3.6 3  3.7 22333
  4.1 12233  4.2 23333  4.3 22  4.4 1222
  5.1 2  5.2 112333  5.3 113  5.4 222
  6.1 122  6.2 111111112222  6.3 11223333  6.4 112233  6.5 22222333  6.6 2223  6.7 33  6.8 2222
  7.1 222  7.2 1111  7.3 22  7.4 11222  7.5 223  7.6 22
  8.1 1233  8.2 1123  8.3 133  8.4 23
  9.1 111  9.2 1222
  10.1 22  10.2 223  10.3 22223  10.4 1111122222233333  10.5 22222  10.6 22  10.7 222
  11.1 2233  11.2 22233  11.3 11233  11.4 1222  11.5 23  11.6 23  11.7 33
  12.1 12233  12.2 11  12.3 22223
  13.1 2333  13.2 222223  13.3 2233  13.4 1222233
  14.1 22  14.2 12223333  14.3 122
  15.1 12233  15.2 12233  15.3 1222222  15.4 3333
  16.1 2  16.2 22222  16.3 2222  16.4 222  16.5 2223
  17.1 23  17.2 22223333  17.3 22`

/** The level of each requirement, by its number: `6.2.4` → 1. */
export const REQUIREMENTS: ReadonlyMap<string, number> = new Map(
  Array.from(LEVELS.matchAll(/([\d.]+) (\d+)/g)).flatMap(([, section = '', levels = '']) =>
    Array.from(levels, (level, n) => [`${section}.${n + 1}`, Number(level)] as const),
  ),
)

interface Row {
  readonly number: string
  readonly level: number
  readonly where: string
}

const STATES = ['met', 'partly', 'not met', 'does not apply'] as const
/** A shorter text does not count as a reason. */
const REASON_LIMIT = 20

/** `| 6.2.4 | 1 | what is asked for | met: … |` */
function rowsOf(text: string): Row[] {
  const lines = text.matchAll(/^\| (\d+\.\d+\.\d+) \| (\d) \| ([^|]+) \| ([^|]+) \|$/gm)
  return Array.from(lines, ([, number = '', level, , where = '']) => ({
    number,
    level: Number(level),
    where: where.trim(),
  }))
}

function numberFindings(rows: readonly Row[]): string[] {
  const findings: string[] = []
  const given = new Map<string, number>()
  for (const { number, level } of rows) {
    if (given.has(number)) findings.push(`${number} has two rows`)
    given.set(number, level)
    const asked = REQUIREMENTS.get(number)
    if (asked === undefined) findings.push(`${number} is not a requirement`)
    else if (asked !== level) findings.push(`${number} is of level ${asked}, not ${level}`)
  }
  const missing = [...REQUIREMENTS].filter(([number, level]) => level < 3 && !given.has(number))
  return [...findings, ...missing.map(([number]) => `${number} has no row`)]
}

const isTest = (path: string) => /\.test\.tsx?$/.test(path)

/** The files that a row names, each with the titles that are quoted after it. */
function evidenceOf(where: string): { readonly path: string; readonly titles: string[] }[] {
  const parts = where.split(/`([^`]+)`/)
  return Array.from({ length: (parts.length - 1) / 2 }, (_, n) => ({
    path: parts[n * 2 + 1] ?? '',
    titles: Array.from((parts[n * 2 + 2] ?? '').matchAll(/“([^”]+)”/g), ([, title = '']) => title),
  })).filter(({ path }) => /^[\w.-]+(\/[\w.-]+)+$/.test(path) || path.endsWith('.md'))
}

function pathFindings(root: string, path: string, titles: readonly string[]): string[] {
  const file = join(root, path)
  if (!existsSync(file)) return [`${path} does not exist`]
  if (!isTest(path)) return titles.length > 0 ? [`${path} is not a test, but has titles`] : []
  if (titles.length === 0) return [`${path}: the title of the test is missing`]
  const empty = titles.find((title) => !/\p{L}{3}/u.test(title.replaceAll(/[%$]\w+/g, '')))
  if (empty !== undefined) return [`${path}: the title “${empty}” has no words`]
  const text = readFileSync(file, 'utf8')
  if (!text.includes('expect(')) return [`${path} has no expectation`]
  return titles
    .filter((title) => !text.includes(title))
    .map((title) => `${path} has no test “${title}”`)
}

function claimFindings(root: string, { number, where }: Row): string[] {
  const state = STATES.find((name) => where.startsWith(`${name}: `))
  if (state === undefined) return ['must start with met, partly, not met or does not apply']
  const said = where.slice(state.length + 2).replaceAll(/`[^`]*`|“[^”]*”|[;,. ]/g, '')
  const evidence = evidenceOf(where)
  const findings = evidence.flatMap(({ path, titles }) => pathFindings(root, path, titles))
  const isClaim = state === 'met' || state === 'partly'
  if (isClaim && evidence.length === 0) findings.push('names no file')
  if (state !== 'met' && said.length < REASON_LIMIT) findings.push('gives no reason')
  const isOfDocuments = /^\d+\.1\./.test(number)
  const hasCode = evidence.some(({ path }) => !path.endsWith('.md') && existsIn(root, path))
  if (state === 'met' && !isOfDocuments && !hasCode) findings.push('names no code')
  return findings
}

/** An empty file is not evidence. */
const existsIn = (root: string, path: string) =>
  existsSync(join(root, path)) && statSync(join(root, path)).size > 0

/** Findings in the rows of the page: `number: finding`. */
export function asvsFindings(root: string, text: string): string[] {
  const rows = rowsOf(text)
  const claims = rows.flatMap((row) =>
    claimFindings(root, row).map((finding) => `${row.number}: ${finding}`),
  )
  // A row that cannot be parsed would not be checked.
  const unread = Array.from(text.matchAll(/^\| *(\d+\.\d+\.\d+) .*$/gm))
    .filter(([, number]) => !rows.some((row) => row.number === number))
    .map(([, number]) => `${number}: the row cannot be parsed`)
  return [...numberFindings(rows), ...unread, ...claims]
}

/** Findings in the page of the project at `root`. */
export const asvsPageFindings = (root: string): string[] =>
  asvsFindings(root, readFileSync(join(root, ASVS_PAGE), 'utf8'))
