import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import * as files from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { queriesIn } from '../../src/count-writing/batch-file.ts'
import { CountSpool } from '../../src/count-writing/count-spool.ts'
import { lockFolder, SILENT_STORE, SnapshotAndLog, ZoneStore } from '../../src/store/index.ts'
import { byForm } from '../../../test/test-form.ts'
import { wholeSerial } from '../support/counting-zone.ts'

const SERVE = fileURLToPath(new URL('../support/serve-until-killed.ts', import.meta.url))
const COUNT = fileURLToPath(new URL('../support/count-until-killed.ts', import.meta.url))
/** In 20 rounds, the process is killed after each count of acknowledged sets from 1 to 20; the exact moment differs. */
const ROUNDS = byForm({ short: 12, long: 100 })
const KILLS = byForm({ short: 3, long: 100 })

const folder = mkdtempSync(join(tmpdir(), 'homing-kill-'))
const cache = mkdtempSync(join(tmpdir(), 'homing-kill-cache-'))
afterAll(() => {
  for (const each of [folder, cache]) rmSync(each, { recursive: true, force: true })
})

/** Runs a program until it has printed this many lines, kills it, and returns the number in the last one. */
async function runAndKill(program: string, folder: string, lines: number): Promise<number> {
  const child = spawn(process.execPath, [program, folder], {
    env: { ...process.env, NODE_COMPILE_CACHE: cache },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let last = 0
  let count = 0
  for await (const line of createInterface({ input: child.stdout })) {
    last = Number(line)
    count += 1
    if (count === lines) child.kill('SIGKILL')
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return last
}

it(`killed ${ROUNDS} times while writing snapshot and log, it never goes back`, async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const acknowledged = await runAndKill(SERVE, folder, 1 + ((round * 7) % 20))
    const store = new ZoneStore()
    const disk = await SnapshotAndLog.open({ folder, store, events: SILENT_STORE })
    await disk.close()
    expect(wholeSerial(store)).toBeGreaterThanOrEqual(acknowledged)
    // A torn end is not lost content.
    expect(store.isIncomplete).toBe(false)
  }
})

it(`killed ${KILLS} times while counting queries, it loses at most the counts that were not on the disk yet`, async () => {
  const counts = join(folder, 'counts')
  mkdirSync(counts)
  let total = 0
  for (let round = 0; round < KILLS; round++) {
    const kept = await runAndKill(COUNT, counts, 1 + ((round * 7) % 20))
    const lost: string[] = []
    const spool = new CountSpool({
      files,
      folder: counts,
      events: {
        batchesReduced: () => undefined,
        countsLost: (_, why) => lost.push(why),
        spoolFailed: (why) => lost.push(why.message),
      },
    })
    await spool.open()
    let found = 0
    for (const { path } of spool.batches) found += await queriesIn(files, path)
    // The batch that it was about to report may be there.
    expect([total + kept, total + kept + 100]).toContain(found)
    expect(lost).toEqual([])
    total = found
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
