import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { DataDirInUse, lockDataDir } from './data-dir-lock.ts'

const folder = mkdtempSync(join(tmpdir(), 'homing-lock-'))
afterAll(() => rmSync(folder, { recursive: true }))

const HOLDER = `
  import { lockDataDir } from ${JSON.stringify(new URL('data-dir-lock.ts', import.meta.url).href)}
  await lockDataDir(process.argv[1])
  console.log('held')
  setInterval(() => {}, 1000)
`

test('one process at a time locks a folder, under any of its paths, until it ends', async () => {
  const dataDir = join(folder, 'data')
  const holder = spawn(process.execPath, ['--input-type=module', '-e', HOLDER, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(holder.stdout, 'data')

  await expect(lockDataDir(dataDir)).rejects.toThrow(DataDirInUse)
  symlinkSync(dataDir, join(folder, 'other-name'))
  await expect(lockDataDir(join(folder, 'other-name'))).rejects.toThrow(/in use by another Homing/)

  const gone = once(holder, 'exit')
  holder.kill('SIGKILL')
  await gone
  await lockDataDir(dataDir)
})

test('different folders do not block each other', async () => {
  await lockDataDir(join(folder, 'one'))
  await expect(lockDataDir(join(folder, 'two'))).resolves.toBeUndefined()
})
