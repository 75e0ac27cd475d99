/*
 * Logs that lost content in ways that a crash cannot cause: emptied, zeroed, cut, unreadable. The rest is served and
 * marked as incomplete until the zone is read whole again.
 */
import { describe, expect, it } from 'vitest'
import { framed, HEADER_BYTES } from '../../src/store/disk/file-format.ts'
import { COUNTING_ID, countingZone, wholeSerial } from '../support/counting-zone.ts'
import {
  applyUpTo,
  LENGTHS,
  LOG_1,
  LOG_2,
  openOn,
  SNAPSHOT_1,
  SNAPSHOT_2,
  twoGenerations,
} from '../support/generations.ts'
import { MemoryDisk, systemError } from '../support/memory-disk.ts'

const SNAPSHOT_3 = 'snapshot-000000000003'
const LOG_3 = 'log-000000000003'
const FORMAT_AT = 8

type Damage = (files: MemoryDisk, name: string) => unknown

const rewritten =
  (change: (octets: Buffer) => Buffer): Damage =>
  (files, name) =>
    files.replace(name, change(Buffer.from(files.contents(name))))
const cutTo = (length: number) => rewritten((octets) => octets.subarray(0, length))
const unreadable =
  (code: string): Damage =>
  (files, name) => {
    files.accessFault = (asked) => (asked === name ? systemError(code, name) : undefined)
  }

const DAMAGES: [string, Damage][] = [
  ['emptied', cutTo(0)],
  ['zeroed', rewritten((octets) => octets.fill(0))],
  ['zeroed behind its header', rewritten((octets) => octets.fill(0, HEADER_BYTES))],
  ['cut within its header', cutTo(HEADER_BYTES - 1)],
  ['cut before its first record', cutTo(HEADER_BYTES)],
  ['cut within its first record', cutTo(HEADER_BYTES + 20)],
  ['cut before the end of its last record', rewritten((octets) => octets.subarray(0, -1))],
  ['with another header', rewritten((octets) => Buffer.from(octets.fill(0x41, 12, 20)))],
  ['deleted', (files, name) => files.rm(name)],
  ['without permission to read it', unreadable('EACCES')],
  ['replaced by a directory', unreadable('EISDIR')],
  ['on a broken disk', unreadable('EIO')],
]

/** Opens the folder again, without a database. */
async function restarted(files: MemoryDisk) {
  const { store, disk, told } = await openOn(files)
  const found = { serial: wholeSerial(store), isIncomplete: store.isIncomplete }
  return { store, disk, told, found }
}

const formatOf = (files: MemoryDisk, name: string) => files.contents(name).readUInt16BE(FORMAT_AT)

describe.each(DAMAGES)('a log %s', (_what, damage) => {
  it('leaves the zone incomplete, across restarts, until it is read whole', async () => {
    const files = await twoGenerations()
    await damage(files, LOG_2)
    const first = await restarted(files)
    expect(first.found.isIncomplete).toBe(true)
    expect(first.found.serial).toBeGreaterThanOrEqual(10)
    expect(first.told.join('\n')).toMatch(
      /finding \S*log-0{11}2: the changes after octet \d+ are lost/,
    )
    expect(first.told.join('\n')).toMatch(/finding Zones are incomplete until they are read/)
    await first.disk.close()
    expect(formatOf(files, SNAPSHOT_3)).toBe(3)
    for (let times = 2; times <= 3; times++) {
      const next = await restarted(files)
      expect(next.found).toEqual(first.found)
      await next.disk.close()
    }

    const last = await restarted(files)
    await last.store.replace(COUNTING_ID, countingZone(20))
    expect(last.store.isIncomplete).toBe(false)
    await last.disk.close()
    const whole = await restarted(files)
    expect(whole.found).toEqual({ serial: 20, isIncomplete: false })
    expect(whole.told).toEqual([])
    await whole.disk.snapshot()
    await whole.disk.close()
    expect(formatOf(files, 'snapshot-000000000004')).toBe(2)
  })

  it('is detected again after a kill before the next snapshot', async () => {
    const files = await twoGenerations()
    await damage(files, LOG_2)
    const inaccessible = files.accessFault
    files.beforeWrite = (name) =>
      name.endsWith('.unfinished') ? new Promise(() => undefined) : Promise.resolve()
    void openOn(files)
    // The next log has begun, and its snapshot never ends.
    while (!files.names().includes(LOG_3)) await new Promise(setImmediate)
    const left = files.after('kill')
    left.accessFault = inaccessible
    const again = await restarted(left)
    expect(again.found.isIncomplete).toBe(true)
    await again.disk.close()
  })
})

describe('a log of a killed process', () => {
  async function killed(): Promise<MemoryDisk> {
    const files = await twoGenerations()
    const { store, disk } = await openOn(files, { bootId: 'first' })
    // However slow this machine is, the following changes are written and never synced.
    files.syncFault = (name) => (name === LOG_2 ? systemError('EIO', name) : undefined)
    await applyUpTo(store, 24)
    // Lengths are written after the changes, some times a second.
    const octets = files.contents(LENGTHS)
    while (files.contents(LENGTHS) === octets) await new Promise(setImmediate)
    const left = files.after('kill')
    await disk.close()
    return left
  }

  it('lost its content, if the machine was not rebooted', async () => {
    const files = await killed()
    await cutTo(HEADER_BYTES)(files, LOG_2)
    const { store, disk } = await openOn(files, { bootId: 'first' })
    expect([wholeSerial(store), store.isIncomplete]).toEqual([10, true])
    await disk.close()
  })

  it('lost only unsynced content, if the power failed too', async () => {
    const files = await killed()
    const { length } = (await twoGenerations()).contents(LOG_2)
    await cutTo(length)(files, LOG_2)
    const { store, disk } = await openOn(files, { bootId: 'second' })
    expect([wholeSerial(store), store.isIncomplete]).toEqual([20, false])
    await disk.close()
  })
})

describe('a log before the newest', () => {
  it('is not needed with the later snapshot', async () => {
    const files = await twoGenerations()
    await cutTo(0)(files, LOG_1)
    const { found, disk } = await restarted(files)
    expect(found).toEqual({ serial: 20, isIncomplete: false })
    await disk.close()
  })

  it('also marks zones without changes in later logs', async () => {
    const files = new MemoryDisk()
    const { store, disk } = await openOn(files)
    await applyUpTo(store, 5)
    await disk.snapshot()
    await disk.close()
    files.replace(SNAPSHOT_2, Buffer.alloc(0))
    const log = files.contents(LOG_1)
    files.replace(LOG_1, log.subarray(0, -1))
    const again = await restarted(files)
    expect(again.found).toEqual({ serial: 4, isIncomplete: true })
    await again.disk.close()
  })
})

describe('both generations', () => {
  it('without their logs: the newer snapshot is served, incomplete', async () => {
    const files = await twoGenerations()
    for (const name of [LOG_1, LOG_2]) await cutTo(0)(files, name)
    const { found, disk } = await restarted(files)
    expect(found).toEqual({ serial: 10, isIncomplete: true })
    await disk.close()
  })

  it('damaged: a snapshot that was written while the zone changed is better than no zone', async () => {
    const files = await twoGenerations()
    // As if it had been written until serial 14: it is complete only with its log up to there.
    const end = framed({ kind: 'end', logBytes: HEADER_BYTES })
    const needing = framed({ kind: 'end', logBytes: HEADER_BYTES + 400 })
    const snapshot = files.contents(SNAPSHOT_2).subarray(0, -end.length)
    files.replace(SNAPSHOT_2, Buffer.concat([snapshot, needing]))
    await cutTo(0)(files, LOG_2)
    const older = await restarted(files.after('kill'))
    // The older one leads to a whole version, if it exists.
    expect(older.found).toEqual({ serial: 10, isIncomplete: true })
    expect(older.told.join('\n')).toMatch(/snapshot-0{11}2 cannot be used: its log is damaged/)
    await older.disk.close()

    await cutTo(0)(files, SNAPSHOT_1)
    const last = await restarted(files)
    expect(last.found).toEqual({ serial: 10, isIncomplete: true })
    await last.disk.close()
  })

  it('and their lengths damaged: a log without its header has lost content', async () => {
    const files = await twoGenerations()
    files.replace(LENGTHS, Buffer.from('damage'))
    await cutTo(0)(files, LOG_2)
    const { found, told, disk } = await restarted(files)
    expect(found).toEqual({ serial: 10, isIncomplete: true })
    expect(told[0]).toMatch(/known-lengths: it is damaged or has another format/)
    await disk.close()
  })
})

describe('files that cannot be opened', () => {
  it.each([SNAPSHOT_1, SNAPSHOT_2, LENGTHS])(
    '%s: nothing is lost, and the report names it',
    async (name) => {
      const files = await twoGenerations()
      unreadable('EACCES')(files, name)
      const { found, told, disk } = await restarted(files)
      expect(found).toEqual({ serial: 20, isIncomplete: false })
      expect(told.some((line) => line.includes(name)) || name === SNAPSHOT_1).toBe(true)
      await disk.close()
    },
  )

  it('an unfinished snapshot that cannot be removed does not end the start', async () => {
    const files = await twoGenerations()
    const name = `${SNAPSHOT_2}.unfinished`
    files.replace(name, Buffer.from('half'))
    unreadable('EISDIR')(files, name)
    const { found, told, disk } = await restarted(files)
    expect(found.serial).toBe(20)
    expect(told.join()).toMatch(/unfinished cannot be removed: .*EISDIR/)
    await disk.close()
  })
})
