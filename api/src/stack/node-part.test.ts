import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startNodePart } from './node-part.ts'

test('a process that cannot be started is an error of the start, and does not end the supervisor', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'homing-part-'))
  const { execPath } = process
  onTestFinished(() => {
    process.execPath = execPath
    rmSync(dataDir, { recursive: true })
  })
  process.execPath = join(dataDir, 'no-such-program')
  // An unhandled rejection would fail this file.
  await expect(startNodePart('worker', { dataDir, env: {} })).rejects.toThrow('ENOENT')
})

test('a part whose supervisor ended before it listens also ends', async () => {
  const program = new URL('end-with-supervisor.ts', import.meta.url).href
  const part = spawn(process.execPath, ['--import', program, '-e', 'setInterval(() => {}, 1000)'], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const gone = once(part, 'exit')
  await once(part, 'spawn')
  part.disconnect()
  expect(await gone).toEqual([null, 'SIGTERM'])
})
