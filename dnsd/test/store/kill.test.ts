import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { lockFolder, SILENT_STORE, SnapshotAndLog, ZoneStore } from '../../src/store/index.ts'
import { byForm } from '../../../test/test-form.ts'
import { wholeSerial } from '../support/counting-zone.ts'

const PROGRAM = fileURLToPath(new URL('../support/serve-until-killed.ts', import.meta.url))
/** In 20 rounds, the process is killed after each count of acknowledged sets from 1 to 20; the exact moment differs. */
const ROUNDS = byForm({ short: 20, long: 100 })

const folder = mkdtempSync(join(tmpdir(), 'homing-kill-'))
const cache = mkdtempSync(join(tmpdir(), 'homing-kill-cache-'))
afterAll(() => {
  for (const each of [folder, cache]) rmSync(each, { recursive: true, force: true })
})

/** Runs the program until it has acknowledged this many sets, kills it, and returns the last acknowledged serial. */
async function serveAndKill(sets: number): Promise<number> {
  const child = spawn(process.execPath, [PROGRAM, folder], {
    env: { ...process.env, NODE_COMPILE_CACHE: cache },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let last = 0
  let count = 0
  for await (const line of createInterface({ input: child.stdout })) {
    last = Number(line)
    count += 1
    if (count === sets) child.kill('SIGKILL')
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return last
}

it(`killed ${ROUNDS} times while writing snapshot and log, it never goes back`, async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const acknowledged = await serveAndKill(1 + ((round * 7) % 20))
    const store = new ZoneStore()
    const disk = await SnapshotAndLog.open({ folder, store, events: SILENT_STORE })
    await disk.close()
    expect(wholeSerial(store)).toBeGreaterThanOrEqual(acknowledged)
    // A torn end is not lost content.
    expect(store.isIncomplete).toBe(false)
  }
})

it('the lock of a folder is released when its holder ends', () => {
  const lock = lockFolder(folder)
  expect(() => lockFolder(folder)).toThrow(/is in use by another dnsd/)
  lock.release()
  lockFolder(folder).release()
})

it('a folder that cannot be locked is reported by name', () => {
  mkdirSync(join(folder, 'blocked', 'lock'), { recursive: true })
  expect(() => lockFolder(join(folder, 'blocked'))).toThrow(
    /blocked cannot be locked: unable to open/,
  )
  lockFolder(join(folder, 'free')).release()
})
