import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { Entry } from '../../src/store/disk/entry.ts'
import { fileHeader, framed, HEADER_BYTES } from '../../src/store/disk/file-format.ts'
import { zoneEntries } from '../../src/store/disk/snapshot-file.ts'
import { SnapshotAndLog, ZoneStore } from '../../src/store/index.ts'
import { nameFromText } from '../../src/names/index.ts'
import { Zone } from '../../src/zone/index.ts'
import {
  COUNTING_ID,
  countingSet,
  countingZone,
  pictureOf,
  wholeSerial,
} from '../support/counting-zone.ts'
import { MemoryDisk, systemError } from '../support/memory-disk.ts'
import { recordEvents } from '../support/store-events.ts'

const SNAPSHOT_1 = 'snapshot-000000000001'
const SNAPSHOT_2 = 'snapshot-000000000002'
const LOG_1 = 'log-000000000001'
const LOG_2 = 'log-000000000002'

async function openOn(files: MemoryDisk, options: { retryMs?: number } = {}) {
  const store = new ZoneStore()
  const recorded = recordEvents()
  const { events } = recorded
  const disk = await SnapshotAndLog.open({ folder: 'folder', store, events, files, ...options })
  return { store, disk, ...recorded }
}

async function applyUpTo(store: ZoneStore, last: number): Promise<void> {
  if (store.isEmpty) await store.replace(COUNTING_ID, countingZone(1))
  let serial = Number(store.held(COUNTING_ID)?.version.serial)
  while (serial < last) {
    serial += 1
    await store.apply(COUNTING_ID, [countingSet(serial)])
  }
}

/** Snapshot 1 and log 1 lead to serial 10, snapshot 2 has it whole and log 2 goes on to 20. */
async function twoGenerations(): Promise<MemoryDisk> {
  const files = new MemoryDisk()
  const { store, disk } = await openOn(files)
  await applyUpTo(store, 10)
  await disk.snapshot()
  await applyUpTo(store, 20)
  await disk.close()
  expect(files.names()).toEqual([LOG_1, LOG_2, SNAPSHOT_1, SNAPSHOT_2])
  return files
}

async function serialOn(files: MemoryDisk): Promise<{ serial: number; told: string[] }> {
  const { store, disk, told } = await openOn(files)
  const serial = wholeSerial(store)
  await disk.close()
  return { serial, told }
}

describe('a restart', () => {
  it('finds nothing on a new disk', async () => {
    expect(await serialOn(new MemoryDisk())).toEqual({ serial: 0, told: [expect.any(String)] })
  })

  it('resumes at the newest logged set and says nothing of it', async () => {
    expect(await serialOn(await twoGenerations())).toEqual({ serial: 20, told: [] })
  })

  it('goes on with the log that is there', async () => {
    const files = await twoGenerations()
    const { store, disk } = await openOn(files)
    await applyUpTo(store, 25)
    await disk.close()
    expect(files.names()).toEqual([LOG_1, LOG_2, SNAPSHOT_1, SNAPSHOT_2])
    expect((await serialOn(files)).serial).toBe(25)
  })

  it('knows zones that were replaced, removed and made again under another id', async () => {
    const files = new MemoryDisk()
    const { store, disk } = await openOn(files)
    await applyUpTo(store, 4)
    const other = new Zone(nameFromText('other.test.'), countingZone(1).version, soa())
    await store.replace('8', other)
    await store.replace('9', new Zone(other.origin, other.version, soa()))
    await store.replace(COUNTING_ID, countingZone(30))
    await disk.close()
    const again = await openOn(files)
    expect([...again.store.entries()].map(([id]) => id)).toEqual(['9', COUNTING_ID])
    expect(wholeSerial(again.store)).toBe(30)
    await again.store.remove('9')
    expect(again.store.zones.get(other.key)).toBeUndefined()
    await again.disk.close()
    const last = await openOn(files)
    expect([...last.store.entries()].map(([id]) => id)).toEqual([COUNTING_ID])
    await last.disk.close()
  })

  it('keeps a change of the SOA', async () => {
    const files = new MemoryDisk()
    const { store, disk } = await openOn(files)
    await applyUpTo(store, 2)
    await store.apply(COUNTING_ID, [{ ...countingSet(3), soa: { ...soa(), minimumSeconds: 77 } }])
    await disk.close()
    const again = await openOn(files)
    expect(again.store.held(COUNTING_ID)?.soaParameters.minimumSeconds).toBe(77)
    await again.disk.close()
  })
})

function soa() {
  return countingZone(1).soaParameters
}

/** A snapshot and a log as they were before there were entries of the kind `names`. */
async function formatOneUpTo(serial: number): Promise<MemoryDisk> {
  const files = await twoGenerations()
  for (const name of [SNAPSHOT_2, LOG_2]) await files.rm(name)
  const zone = countingZone(1)
  const { version, origin } = zone
  const begin = framed({ kind: 'zone', zoneId: COUNTING_ID, version, soa: soa(), origin, names: 0 })
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

describe('damage', () => {
  it.each([
    // It loses nothing: the older one and both logs lead to the same.
    [SNAPSHOT_2, 20],
    [LOG_2, 10],
  ])('%s: a flipped bit in any octet leaves a whole version', async (name, least) => {
    const whole = await twoGenerations()
    const { length } = whole.contents(name)
    for (let at = 0; at < length; at++) {
      const files = whole.after('kill')
      const octets = Buffer.from(files.contents(name))
      octets.writeUInt8(octets.readUInt8(at) ^ (1 << (at % 8)), at)
      files.replace(name, octets)
      const { serial, told } = await serialOn(files)
      expect(told.join('\n'), `octet ${at}`).toMatch(/finding .*(snapshot|log)-0000/)
      expect(serial, `octet ${at}`).toBeGreaterThanOrEqual(least)
    }
  })

  it.each([
    [SNAPSHOT_2, 20],
    [LOG_2, 10],
  ])('%s cut off at every length', async (name, least) => {
    const whole = await twoGenerations()
    const octets = Buffer.from(whole.contents(name))
    for (let length = 0; length < octets.length; length++) {
      const files = whole.after('kill')
      files.replace(name, octets.subarray(0, length))
      const { store, disk } = await openOn(files)
      expect(wholeSerial(store), `${length} octets`).toBeGreaterThanOrEqual(least)
      // One is due after damage, and with it nothing is told again.
      await disk.snapshot()
      await disk.close()
      expect((await serialOn(files)).told).toEqual([])
    }
  })

  it('a torn tail is cut off, told of, and written over', async () => {
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

  it('a snapshot of a newer format is refused by name, and the older one used', async () => {
    const files = await twoGenerations()
    const octets = Buffer.from(files.contents(SNAPSHOT_2))
    octets.writeUInt16BE(3, 8)
    files.replace(SNAPSHOT_2, octets)
    const { serial, told } = await serialOn(files)
    expect(serial).toBe(20)
    expect(told[0]).toMatch(
      /snapshot-000000000002 is refused: it is of format 3, from a newer version; this one reads format 2/,
    )
  })

  it('a folder of a newer format alone is left as it is: the older program does not start', async () => {
    const files = await twoGenerations()
    for (const name of [SNAPSHOT_1, SNAPSHOT_2]) {
      const octets = Buffer.from(files.contents(name))
      octets.writeUInt16BE(3, 8)
      files.replace(name, octets)
    }
    const names = files.names()
    await expect(openOn(files)).rejects.toMatchObject({
      code: 'ENOTSUP',
      message: expect.stringMatching(/snapshot-000000000002: it is of format 3.*run the newer one/),
    })
    expect(files.names()).toEqual(names)
  })

  it('files of format 1 are read, and no entry of format 2 gets into them', async () => {
    const files = await formatOneUpTo(12)
    const first = await openOn(files)
    expect(wholeSerial(first.store)).toBe(12)
    await applyUpTo(first.store, 14)
    await first.disk.close()
    expect(files.names()).toEqual([LOG_1, LOG_2, SNAPSHOT_1, SNAPSHOT_2])
    expect(files.contents(LOG_1)).toEqual((await formatOneUpTo(12)).contents(LOG_1))
    expect(await serialOn(files)).toEqual({ serial: 14, told: [] })
  })

  it('a file under another name is refused', async () => {
    const files = await twoGenerations()
    files.replace('snapshot-000000000003', files.contents(SNAPSHOT_2))
    files.replace('log-000000000003', files.contents(LOG_2))
    const { serial, told } = await serialOn(files)
    expect(serial).toBe(20)
    expect(told[0]).toMatch(/snapshot-000000000003 is refused: its header is damaged/)
  })

  it('with both snapshots gone there is nothing, and a new pair begins behind the old names', async () => {
    const files = await twoGenerations()
    for (const name of [SNAPSHOT_1, SNAPSHOT_2]) files.replace(name, Buffer.alloc(0))
    const { store, disk, told } = await openOn(files)
    expect(store.isEmpty).toBe(true)
    expect(told.filter((line) => line.startsWith('finding'))).toHaveLength(2)
    await applyUpTo(store, 3)
    await disk.close()
    expect(await serialOn(files)).toEqual({ serial: 3, told: [] })
  })

  it('a log in the middle that is lost stops the zone at its last whole version', async () => {
    const files = await twoGenerations()
    files.replace(SNAPSHOT_2, Buffer.alloc(0))
    files.replace(LOG_1, files.contents(LOG_1).subarray(0, -1))
    const { serial, told } = await serialOn(files)
    expect(serial).toBe(9)
    expect(told.join('\n')).toMatch(
      /home\.test stays at serial 9: the log has no way from there to 11/,
    )
  })

  it('behind such a gap the log goes on with what the feed gives to the zone that stopped', async () => {
    const files = await twoGenerations()
    files.replace(SNAPSHOT_2, Buffer.alloc(0))
    files.replace(LOG_1, files.contents(LOG_1).subarray(0, -1))
    // The process ends before the snapshot that is due is whole.
    files.beforeWrite = (name) =>
      name.endsWith('.unfinished') ? new Promise(() => undefined) : Promise.resolve()
    const { store } = await openOn(files)
    expect(wholeSerial(store)).toBe(9)
    await applyUpTo(store, 12)
    expect((await serialOn(files.after('kill'))).serial).toBe(12)
  })
})

describe('snapshots', () => {
  it('are taken while changes go on, and lead to the same', async () => {
    const files = new MemoryDisk()
    const { store, disk } = await openOn(files)
    await store.replace(COUNTING_ID, largeZone())
    expect(await changesDuringSnapshot(files, store, disk)).toBeGreaterThan(2)
    const live = store.held(COUNTING_ID)
    const again = await openOn(files.after('kill'))
    const back = again.store.held(COUNTING_ID)
    expect(back && pictureOf(back)).toEqual(live && pictureOf(live))
    expect(files.names()).toContain(SNAPSHOT_2)
    await again.disk.close()
    await disk.close()
  })

  it('are refused without the part of the log that completes them', async () => {
    const files = new MemoryDisk()
    const { store, disk } = await openOn(files)
    await store.replace(COUNTING_ID, largeZone())
    await changesDuringSnapshot(files, store, disk)
    await disk.close()
    files.replace(LOG_2, files.contents(LOG_2).subarray(0, HEADER_BYTES))
    const again = await openOn(files)
    const back = again.store.held(COUNTING_ID)
    // Log 1 has what came before log 2 began.
    const whole = largeZone()
    for (let serial = 2; serial <= Number(back?.version.serial); serial++) {
      const { changes, version } = largeSet(serial)
      whole.apply(changes, version)
    }
    expect(back && pictureOf(back)).toEqual(pictureOf(whole))
    expect(again.told.join('\n')).toMatch(/snapshot-000000000002 is refused: its log is damaged/)
    await again.disk.close()
  })

  it('leave two generations, whatever was there before', async () => {
    const files = new MemoryDisk()
    const { store, disk } = await openOn(files)
    for (let serial = 2; serial < 40; serial += 5) {
      await applyUpTo(store, serial)
      await disk.snapshot()
    }
    await disk.close()
    const names = files.names()
    expect(names.filter((name) => name.startsWith('snapshot'))).toHaveLength(2)
    expect(names.filter((name) => name.startsWith('log'))).toHaveLength(2)
    expect((await serialOn(files)).serial).toBe(37)
  })

  it('are written in small pieces, however large the records are', () => {
    const zone = countingZone(1)
    const rrsets = [{ type: 16, ttlSeconds: 60, rdata: [Buffer.alloc(60_000)] }]
    const states = Array.from({ length: 40 }, (_, index) => ({ owner: largeOwner(index), rrsets }))
    zone.apply(states, zone.version)
    const { version, soaParameters } = zone
    const entries = [...zoneEntries({ zoneId: '7', zone, version, soa: soaParameters })]
    const read = new Zone(zone.origin, version, soaParameters)
    for (const entry of entries) if (entry.kind === 'names') read.adopt(entry.octets)
    expect(pictureOf(read)).toEqual(pictureOf(zone))
    for (const entry of entries) expect(framed(entry).length).toBeLessThan(400_000)
  })

  it('an interrupted one is removed', async () => {
    const files = await twoGenerations()
    files.replace(`${SNAPSHOT_2}.unfinished`, Buffer.from('half'))
    await serialOn(files)
    expect(files.names()).not.toContain(`${SNAPSHOT_2}.unfinished`)
  })
})

/** Applies a set before each write of a snapshot; gives their number. */
async function changesDuringSnapshot(
  files: MemoryDisk,
  store: ZoneStore,
  disk: SnapshotAndLog,
): Promise<number> {
  let sets = 0
  files.beforeWrite = async (name) => {
    if (!name.endsWith('.unfinished')) return
    sets += 1
    await store.apply(COUNTING_ID, [largeSet(sets + 1)])
  }
  await disk.snapshot()
  return sets
}

// As many as take several writes.
const MANY = 16_000

function largeOwner(index: number): Buffer {
  return nameFromText(`host-${index % MANY}.home.test.`)
}

function largeZone(): Zone {
  const { origin, version, soaParameters } = countingZone(1)
  const zone = new Zone(origin, version, soaParameters)
  const rrsets = [{ type: 1, ttlSeconds: 60, rdata: [Buffer.alloc(4)] }]
  const states = Array.from({ length: MANY }, (_, index) => ({ owner: largeOwner(index), rrsets }))
  zone.apply(states, version)
  return zone
}

// Changes, deletes and makes names all over the zone.
function largeSet(serial: number) {
  const rdata = [Buffer.from([serial >> 24, serial >> 16, serial >> 8, serial])]
  const rrsets = [{ type: 1, ttlSeconds: 60, rdata }]
  const at = serial * 611
  const changes = [
    { owner: largeOwner(at), rrsets },
    { owner: largeOwner(at + 2_000), rrsets: null },
    { owner: largeOwner(at + 2_000 - 611 * 3), rrsets },
  ]
  return { ...countingSet(serial), changes }
}

describe('a disk that fails', () => {
  it('full: serving goes on, and the snapshot that follows has everything', async () => {
    const files = new MemoryDisk()
    const { store, disk, told, until } = await openOn(files, { retryMs: 1 })
    await applyUpTo(store, 5)
    files.fault = () => systemError('ENOSPC', 'no space left')
    await applyUpTo(store, 9)
    expect(wholeSerial(store)).toBe(9)
    await until(() => told.some((line) => line.startsWith('diskError snapshot')))
    expect(told).toContain('diskError log ENOSPC: no space left')
    const during = told.length
    files.fault = () => undefined
    await until(() => told.slice(during).some((line) => line.startsWith('snapshot')))
    await applyUpTo(store, 12)
    await disk.close()
    expect((await serialOn(files)).serial).toBe(12)
  })

  it('full in the middle of a write: what was written before it stands', async () => {
    const files = new MemoryDisk()
    const { store, disk } = await openOn(files)
    await applyUpTo(store, 5)
    files.fault = () => systemError('ENOSPC', 'no space left')
    await applyUpTo(store, 9)
    await disk.close()
    expect((await serialOn(files.after('kill'))).serial).toBe(5)
  })

  it('that cannot make the log last has no snapshot that needs it, and no more is written to that log', async () => {
    const files = new MemoryDisk()
    const { store, disk, told, until } = await openOn(files, { retryMs: 1 })
    await applyUpTo(store, 5)
    // Once: Linux forgets what it could not write, and the next sync succeeds.
    let failures = 0
    files.syncFault = (name) => {
      if (name !== LOG_2 || failures > 0) return undefined
      // Not the sync of the new log's header.
      return files.contents(name).length > HEADER_BYTES && (failures += 1)
        ? systemError('EIO', name)
        : undefined
    }
    files.beforeWrite = async (name) => {
      const serial = wholeSerial(store)
      if (name.endsWith('.unfinished') && serial < 9) await applyUpTo(store, serial + 1)
    }
    await disk.snapshot()
    expect(failures).toBe(1)
    expect(told).toContain(`diskError snapshot EIO: ${LOG_2}`)
    expect(files.names()).not.toContain(SNAPSHOT_2)
    const { length } = files.contents(LOG_2)
    const during = told.length
    await applyUpTo(store, 12)
    expect(files.contents(LOG_2)).toHaveLength(length)
    await until(() => told.slice(during).some((line) => line.startsWith('snapshot')))
    await disk.close()
    expect((await serialOn(files.after('power-failure'))).serial).toBe(12)
  })

  it('silent: a change is served all the same', async () => {
    const files = new MemoryDisk()
    const { store } = await openOn(files)
    await applyUpTo(store, 5)
    files.diesAt = files.operations + 1
    await applyUpTo(store, 6)
    expect(wholeSerial(store)).toBe(6)
  })
})
