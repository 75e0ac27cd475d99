import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { components } from '@homing/openapi/client'
import { expect, test } from 'vitest'
import { problem } from './fixtures.ts'
import { useKeyedServer } from './keyed-server.ts'
import { WITH_DOMAIN } from './record-fixtures.ts'
import { type Asked, homing, type Replies, temporaryFolder } from './support.ts'

type Result = components['schemas']['ZoneFileResult']

const t = useKeyedServer()
const NAME = 'home.example.net'
const IMPORT = 'POST /api/domains/42/records/import'
const EXPORT = 'GET /api/domains/42/records/export'
const TEXT = '@ 3600 IN TXT "one"\n'

const result = (changes: Partial<Result> = {}): Result => ({
  applied: false,
  created: 2,
  changed: 1,
  deleted: 0,
  unchanged: 3,
  problems: [],
  problem_count: 0,
  ...changes,
})
const SKIPPED = {
  line: 2,
  owner: NAME,
  type: 'SOA',
  detail: 'The SOA record is left out.',
  is_skipped: true,
}
const WRONG = { ...SKIPPED, line: 4, type: 'A', detail: 'Use the domain.', is_skipped: false }

/** A server that applies what is not a dry run. */
const importing = (changes: Partial<Result> = {}): Replies => ({
  ...WITH_DOMAIN,
  [IMPORT]: ({ body }: Asked) => {
    const isDryRun = (JSON.parse(body) as { dry_run?: boolean }).dry_run === true
    return { body: result({ applied: !isDryRun, ...changes }) }
  },
})

function fileOf(text: string): string {
  const file = join(temporaryFolder(), 'records.zone')
  writeFileSync(file, text)
  return file
}
const run = (replies: Replies, ...args: string[]) => {
  Object.assign(t.server.replies, replies)
  return t.run({}, 'records', ...args)
}
const bodies = () =>
  t.asked.filter(({ body }) => body !== '').map(({ body }) => JSON.parse(body) as unknown)

test('a file is checked first, and then imported', async () => {
  const replies = importing({ problems: [SKIPPED], problem_count: 1 })
  const ended = await run(replies, 'import', NAME, fileOf(TEXT))
  expect(ended).toEqual({
    exitCode: 0,
    stdout: 'created\t2\nchanged\t1\ndeleted\t0\nunchanged\t3\n',
    stderr: `2\tleft out\t${NAME}\tSOA\tThe SOA record is left out.\nImported.\n`,
  })
  expect(bodies()).toEqual([
    { text: TEXT, replace: false, dry_run: true },
    { text: TEXT, replace: false },
  ])
})

test('a dry run only checks, and reads standard input', async () => {
  Object.assign(t.server.replies, importing())
  const env = { HOMING_API_KEY: 'ak_key', HOMING_URL: t.server.url }
  const ended = await homing(['records', 'import', NAME, '-', '--dry-run', '--json'], env, TEXT)
  expect(JSON.parse(ended.stdout)).toMatchObject({ applied: false, created: 2 })
  expect(bodies()).toEqual([{ text: TEXT, replace: false, dry_run: true }])
})

test('wrong lines are listed, and nothing is imported', async () => {
  const replies = importing({ problems: [SKIPPED, WRONG], problem_count: 2 })
  const file = fileOf(TEXT)
  const ended = await run(replies, 'import', NAME, file)
  expect([ended.exitCode, ended.stdout]).toEqual([8, ''])
  expect(ended.stderr).toContain(`4\terror\t${NAME}\tA\tUse the domain.\n`)
  expect(ended.stderr).toContain('Nothing was changed: 1 line cannot be imported.\n')
  expect(bodies()).toHaveLength(1)
  const quiet = await run({}, 'import', NAME, file, '-q')
  expect(quiet.stderr).toContain(`4\terror\t${NAME}\tA\tUse the domain.\n`)
  const json = await run({}, 'import', NAME, file, '--json')
  expect([json.exitCode, json.stdout]).toEqual([8, ''])
  expect(JSON.parse(json.stderr)).toMatchObject({ problems: [SKIPPED, WRONG] })
})

test('--replace asks before records are deleted', async () => {
  const file = fileOf(TEXT)
  const args = ['import', NAME, file, '--replace']
  expect((await run(importing({ deleted: 7 }), ...args)).stderr).toContain(
    `Delete 7 records of ${NAME} that the file does not have?`,
  )
  expect(bodies()).toEqual([{ text: TEXT, replace: true, dry_run: true }])
  expect((await run({}, ...args, '--yes')).exitCode).toBe(0)
  expect(bodies().at(-1)).toEqual({ text: TEXT, replace: true })
})

test('--replace from standard input needs --yes, because nothing can be asked', async () => {
  Object.assign(t.server.replies, importing({ deleted: 7 }))
  const env = { HOMING_API_KEY: 'ak_key', HOMING_URL: t.server.url }
  const args = ['records', 'import', NAME, '-', '--replace']
  expect(await homing(args, env, TEXT)).toEqual({
    exitCode: 64,
    stdout: '',
    stderr: `Standard input is the file, so nothing can be asked. Give --yes to delete 7 records of ${NAME} that the file does not have.\n`,
  })
  expect((await homing([...args, '--yes'], env, TEXT)).exitCode).toBe(0)
})

test('a plan that does not include the records refuses the file', async () => {
  const replies = { ...WITH_DOMAIN, [IMPORT]: problem(403, 'record-limit') }
  expect((await run(replies, 'import', NAME, fileOf(TEXT))).exitCode).toBe(3)
})

test.each(['', '/missing'])(
  'a file that cannot be read is refused before any call: %j',
  async (path) => {
    const ended = await run({}, 'import', NAME, path === '' ? fileOf('') : path)
    expect([8, 1]).toContain(ended.exitCode)
    expect(ended.stderr).toMatch(/The file is empty|The file cannot be read/)
    expect(t.asked).toEqual([])
  },
)

test('the export is printed as it is, or written', async () => {
  const headers = { 'content-type': 'text/plain; charset=utf-8' }
  const replies = { ...WITH_DOMAIN, [EXPORT]: { headers, body: TEXT } }
  expect(await run(replies, 'export', NAME)).toEqual({ exitCode: 0, stdout: TEXT, stderr: '' })
  const file = join(temporaryFolder(), 'out.zone')
  expect((await run({}, 'export', NAME, '-o', file)).stderr).toBe(`Written: ${file}\n`)
  expect(readFileSync(file, 'utf8')).toBe(TEXT)
  const json = await run({}, 'export', NAME, '--json')
  expect(JSON.parse(json.stdout)).toEqual({ name: NAME, text: TEXT })
  const refused = await run({ [EXPORT]: problem(404, 'not-found') }, 'export', NAME, '-o', file)
  expect(refused.exitCode).toBe(5)
  expect(readFileSync(file, 'utf8')).toBe(TEXT)
})
