/* A restart with files that are damaged, lost, or in another format. */
import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { Entry } from '../../src/store/disk/entry.ts'
import { fileHeader, framed, HEADER_BYTES } from '../../src/store/disk/file-format.ts'
import { COUNTING_ID, countingSet, countingZone, wholeSerial } from '../support/counting-zone.ts'
import {
  LENGTHS,
  SNAPSHOT_1,
  SNAPSHOT_2,
  LOG_1,
  LOG_2,
  openOn,
  applyUpTo,
  twoGenerations,
  serialOn,
  soa,
} from '../support/generations.ts'
import { byForm } from '../../../test/test-form.ts'
import type { MemoryDisk } from '../support/memory-disk.ts'

/** Frames have different lengths, so the places of a short run are in each field of some frame. */
const STEP = byForm({ short: 3, long: 1 })

/** A snapshot and a log in the format before entries of the kind `names`. */
async function formatOneUpTo(serial: number): Promise<MemoryDisk> {
  const files = await twoGenerations()
  for (const name of [SNAPSHOT_2, LOG_2, LENGTHS]) await files.rm(name)
  const zone = countingZone(1)
  const { version, apex } = zone
  const begin = framed({ kind: 'zone', zoneId: COUNTING_ID, version, soa: soa(), apex, names: 0 })
  // Without the number of names.
  const payload = begin.subarray(8, -4)
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(payload.length, 0)
  frame.writeUInt32BE(crc32(payload), 4)
  const states = [...zone.owners()]
  const snapshot: Entry[] = [
    { kind: 'states', zoneId: COUNTING_ID, states },
    { kind: 'zone-end', zoneId: COUNTING_ID },
    { kind: 'end', logBytes: HEADER_BYTES },
  ]
  const sets = Array.from({ length: serial - 1 }, (_, index): Entry => {
    const { changes, ...set } = countingSet(index + 2)
    const withBefore = changes.map((change) => ({ ...change, before: null }))
    return { kind: 'change-set', zoneId: COUNTING_ID, set: { ...set, changes: withBefore } }
  })
  files.replace(
    SNAPSHOT_1,
    Buffer.concat([fileHeader('snapshot', 1, 1), frame, payload, ...snapshot.map(framed)]),
  )
  files.replace(LOG_1, Buffer.concat([fileHeader('log', 1, 1), ...sets.map(framed)]))
  return files
}

const INCOMPLETE = expect.stringMatching(
  /^finding Zones are incomplete until they are read .*: home\.test\. /,
)

describe('damage', () => {
  it.each([
    // Nothing is lost: the older snapshot and both logs lead to the same state.
    [SNAPSHOT_2, 20],
    [LOG_2, 10],
  ])('%s: a flipped bit leaves a complete version', async (name, least) => {
    const whole = await twoGenerations()
    const { length } = whole.contents(name)
    for (let at = 0; at < length; at += STEP) {
      const files = whole.after('kill')
      const octets = Buffer.from(files.contents(name))
      octets.writeUInt8(octets.readUInt8(at) ^ (1 << (at % 8)), at)
      files.replace(name, octets)
      const { serial, told } = await serialOn(files)
      expect(told.join('\n'), `octet ${at}`).toMatch(/finding .*(snapshot|log)-0000/)
      expect(serial, `octet ${at}`).toBeGreaterThanOrEqual(least)
      expect(told.join('\n').includes('incomplete until'), `octet ${at}`).toBe(name === LOG_2)
    }
  })

  it.each([
    [SNAPSHOT_2, 20],
    [LOG_2, 10],
  ])('%s cut off at any length', async (name, least) => {
    const whole = await twoGenerations()
    const octets = Buffer.from(whole.contents(name))
    for (let length = 0; length < octets.length; length += STEP) {
      const files = whole.after('kill')
      files.replace(name, octets.subarray(0, length))
      const { store, disk } = await openOn(files)
      const serial = wholeSerial(store)
      expect(serial, `${length} octets`).toBeGreaterThanOrEqual(least)
      expect(store.isIncomplete, `${length} octets`).toBe(name === LOG_2)
      // Damage triggers a snapshot. After it, the damage is not reported again, but the lost changes are.
      await disk.snapshot()
      await disk.close()
      const again = await serialOn(files)
      expect(again.serial).toBe(serial)
      expect(again.told).toEqual(name === LOG_2 ? [INCOMPLETE] : [])
    }
  })

  it('a torn tail is cut off, reported, and overwritten', async () => {
    const files = await twoGenerations()
    const torn = Buffer.concat([files.contents(LOG_2), Buffer.alloc(100)])
    files.replace(LOG_2, torn)
    const { store, disk, told } = await openOn(files)
    expect(told).toEqual([
      expect.stringMatching(/log-000000000002: a length is wrong at octet \d+; the 100 octets/),
    ])
    await applyUpTo(store, 22)
    await disk.close()
    expect(await serialOn(files)).toEqual({ serial: 22, told: [] })
  })

  it('a snapshot of a newer format is reported by name, and the older one used', async () => {
    const files = await twoGenerations()
    const octets = Buffer.from(files.contents(SNAPSHOT_2))
    octets.writeUInt16BE(4, 8)
    files.replace(SNAPSHOT_2, octets)
    const { serial, told } = await serialOn(files)
    expect(serial).toBe(20)
    expect(told[0]).toMatch(
      /snapshot-000000000002 cannot be used: it is of format 4, from a newer version; this one reads format 3/,
    )
  })

  it('a folder with only a newer format is not changed: the older program does not start', async () => {
    const files = await twoGenerations()
    for (const name of [SNAPSHOT_1, SNAPSHOT_2]) {
      const octets = Buffer.from(files.contents(name))
      octets.writeUInt16BE(4, 8)
      files.replace(name, octets)
    }
    const names = files.names()
    await expect(openOn(files)).rejects.toMatchObject({
      code: 'ENOTSUP',
      message: expect.stringMatching(/snapshot-000000000002: it is of format 4.*run the newer one/),
    })
    expect(files.names()).toEqual(names)
  })

  it('files of format 1 are read, and no entry of format 2 gets into them', async () => {
    const files = await formatOneUpTo(12)
    const first = await openOn(files)
    expect(wholeSerial(first.store)).toBe(12)
    await applyUpTo(first.store, 14)
    await first.disk.close()
    expect(files.names()).toEqual([LENGTHS, LOG_1, LOG_2, SNAPSHOT_1, SNAPSHOT_2])
    expect(files.contents(LOG_1)).toEqual((await formatOneUpTo(12)).contents(LOG_1))
    expect(await serialOn(files)).toEqual({ serial: 14, told: [] })
  })

  it('a file under another name is refused', async () => {
    const files = await twoGenerations()
    files.replace('snapshot-000000000003', files.contents(SNAPSHOT_2))
    files.replace('log-000000000003', files.contents(LOG_2))
    const { serial, told } = await serialOn(files)
    expect(serial).toBe(20)
    expect(told[0]).toMatch(/snapshot-000000000003 cannot be used: its header is damaged/)
  })

  it('without both snapshots nothing is loaded, and a new pair gets later names', async () => {
    const files = await twoGenerations()
    for (const name of [SNAPSHOT_1, SNAPSHOT_2]) files.replace(name, Buffer.alloc(0))
    const { store, disk, told } = await openOn(files)
    expect(store.isEmpty).toBe(true)
    expect(told.filter((line) => line.startsWith('finding'))).toHaveLength(2)
    await applyUpTo(store, 3)
    await disk.close()
    expect(await serialOn(files)).toEqual({ serial: 3, told: [] })
  })

  it('a lost log in the middle stops the zone at its last complete version', async () => {
    const files = await twoGenerations()
    files.replace(SNAPSHOT_2, Buffer.alloc(0))
    files.replace(LOG_1, files.contents(LOG_1).subarray(0, -1))
    const { serial, told } = await serialOn(files)
    expect(serial).toBe(9)
    expect(told.join('\n')).toMatch(
      /home\.test stays at serial 9: the log has no changes from there to 11/,
    )
    expect(told).toContainEqual(INCOMPLETE)
  })

  it('after such a gap the log continues with the changes from the feed', async () => {
    const files = await twoGenerations()
    files.replace(SNAPSHOT_2, Buffer.alloc(0))
    files.replace(LOG_1, files.contents(LOG_1).subarray(0, -1))
    // The process ends before that snapshot is complete.
    files.beforeWrite = (name) =>
      name.endsWith('.unfinished') ? new Promise(() => undefined) : Promise.resolve()
    const { store } = await openOn(files)
    expect(wholeSerial(store)).toBe(9)
    await applyUpTo(store, 12)
    expect((await serialOn(files.after('kill'))).serial).toBe(12)
  })
})
