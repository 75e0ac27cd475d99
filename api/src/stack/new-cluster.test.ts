import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { ensureCluster } from './new-cluster.ts'
import { startEmbeddedPostgres } from './postgres.ts'

const MODULE = new URL('new-cluster.ts', import.meta.url).href
const root = mkdtempSync(join(tmpdir(), 'homing-new-cluster-'))
afterAll(() => rmSync(root, { recursive: true }))

let folder: string
let clusterDir: string
beforeEach(() => {
  folder = mkdtempSync(join(root, 'case-'))
  clusterDir = join(folder, 'postgres')
})

/** A process that creates the cluster, in its own process group, like a supervisor. */
function maker(): ChildProcess {
  const options = JSON.stringify({ clusterDir, password: 'secret', durable: true })
  const code = `const { ensureCluster } = await import('${MODULE}'); ensureCluster(${options})`
  return spawn(process.execPath, ['--input-type=module', '-e', code], {
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

const workplaces = () => readdirSync(folder).filter((name) => name.startsWith('postgres.new-'))

/**
 * Waits until initdb has created `file` in a workplace that did not exist before.
 *
 * @returns false if the process ended first: on a busy machine, the file can come and go between two looks
 */
async function untilMade(
  file: string,
  before: readonly string[],
  child: ChildProcess,
): Promise<boolean> {
  const isMade = () =>
    workplaces().some((name) => !before.includes(name) && existsSync(join(folder, name, file)))
  while (!isMade()) {
    if (child.exitCode !== null) return false
    await delay(1)
  }
  return true
}

const ATTEMPTS = 10

/** Kills the process when it has created `file`. @throws Error when it ended first each time */
async function killAt(file: string, whom: 'it alone' | 'it and initdb'): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const before = workplaces()
    const child = maker()
    const gone = once(child, 'exit')
    await once(child, 'spawn')
    const pid = child.pid ?? 0
    const isMade = await untilMade(file, before, child)
    if (isMade && process.kill(whom === 'it alone' ? pid : -pid, 'SIGKILL')) {
      await gone
      return
    }
    // The next one begins anew.
    for (const made of ['postgres', 'postgres.password'])
      rmSync(join(folder, made), { recursive: true, force: true })
  }
  throw new Error(`it ended before ${file} was seen`)
}

async function answerOf(): Promise<unknown> {
  const postgres = await startEmbeddedPostgres({ clusterDir, durable: true })
  const client = new Client({ connectionString: postgres.url })
  try {
    await client.connect()
    return (await client.query<{ answer: number }>('select 42 as answer')).rows
  } finally {
    await client.end()
    await postgres.stop()
  }
}

describe('killed during the first initdb', () => {
  test.each(['password', 'cluster/PG_VERSION', 'cluster/global/pg_control', 'cluster/base/4'])(
    'after it created %s, the next start works and leaves nothing behind',
    async (file) => {
      await killAt(file, 'it and initdb')
      expect(await answerOf()).toEqual([{ answer: 42 }])
      expect(readdirSync(folder).toSorted()).toEqual([
        'postgres',
        'postgres.password',
        'postgres.port',
      ])
    },
  )

  test('an initdb that outlives its supervisor does not affect the next one', async () => {
    await killAt('cluster/PG_VERSION', 'it alone')
    expect(await answerOf()).toEqual([{ answer: 42 }])
  })
})

test('a folder that is not a cluster is kept', () => {
  mkdirSync(clusterDir)
  writeFileSync(join(clusterDir, 'photos'), 'mine')
  const make = () => ensureCluster({ clusterDir, password: 'secret', durable: false })
  expect(make).toThrow(`${clusterDir} is not a PostgreSQL cluster`)
  expect(readdirSync(folder)).toEqual(['postgres'])
  expect(readdirSync(clusterDir)).toEqual(['photos'])
})

test('an existing cluster is not changed', () => {
  const make = () => ensureCluster({ clusterDir, password: 'secret', durable: false })
  make()
  const made = statSync(join(clusterDir, 'PG_VERSION'))
  make()
  expect(statSync(join(clusterDir, 'PG_VERSION')).ino).toBe(made.ino)
})
