import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { pidFileOf } from './node-part.ts'
import { endOrphans } from './orphans.ts'
import { startEmbeddedPostgres } from './postgres.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'homing-orphans-'))
afterAll(() => rmSync(dataDir, { recursive: true }))
const log = pino({ level: 'silent' })
const clusterDir = join(dataDir, 'postgres')
const postmasterFile = join(clusterDir, 'postmaster.pid')

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url })
  client.on('error', () => undefined) // The server goes away on purpose.
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows
  } finally {
    await client.end().catch(() => undefined)
  }
}

test('an orphaned PostgreSQL is stopped and the next one starts with the same data', async () => {
  const orphan = await startEmbeddedPostgres({ clusterDir, durable: true })
  await query(orphan.url, 'create table kept as select 42 as answer')
  const gone = once(orphan.process, 'exit')
  await endOrphans(dataDir, log)
  await gone
  const next = await startEmbeddedPostgres({ clusterDir, durable: true })
  expect(await query(next.url, 'select answer from kept')).toEqual([{ answer: 42 }])
  await next.stop()
})

test('after kill -9 PostgreSQL restarts on the same port, with all committed data', async () => {
  const first = await startEmbeddedPostgres({ clusterDir, durable: true })
  await query(first.url, 'create table survives as select 1 as one')
  const gone = once(first.process, 'exit')
  first.process.kill('SIGKILL')
  await gone
  // Its sessions notice its death a moment later; until then, they use its shared memory.
  let second: Awaited<ReturnType<typeof startEmbeddedPostgres>> | undefined
  while (second === undefined) {
    second = await startEmbeddedPostgres({ clusterDir, durable: true, port: first.port }).catch(
      () => undefined,
    )
  }
  expect(second.url).toBe(first.url)
  expect(await query(second.url, 'select one from survives')).toEqual([{ one: 1 }])
  await second.stop()
})

test('another process with the id of a dead PostgreSQL is not affected', async () => {
  mkdirSync(clusterDir, { recursive: true })
  writeFileSync(postmasterFile, `${process.pid}\n${clusterDir}\n`)
  await endOrphans(dataDir, log)
  expect(existsSync(postmasterFile)).toBe(false)
})

test('an orphaned part is stopped; a process of another folder with its id is not', async () => {
  const start = (folder: string) => {
    const child = spawn('sleep', ['60'], { env: { ...process.env, DATA_DIR: folder } })
    return once(child, 'spawn').then(() => child)
  }
  const [ours, other] = [await start(dataDir), await start('/somewhere/else')]
  mkdirSync(join(dataDir, 'run'), { recursive: true })
  writeFileSync(pidFileOf(dataDir, 'api'), `${ours.pid}\n`)
  writeFileSync(pidFileOf(dataDir, 'dnsd'), `${other.pid}\n`)
  const gone = once(ours, 'exit')
  await endOrphans(dataDir, log)
  expect((await gone)[1]).toBe('SIGTERM')
  expect(other.exitCode).toBeNull()
  other.kill()
})
