/* Snapshots and logs on a working disk: how they are written, and what a restart finds. */
import { describe, expect, it } from 'vitest'
import { framed, HEADER_BYTES } from '../../src/store/disk/file-format.ts'
import { zoneEntries } from '../../src/store/disk/snapshot-file.ts'
import type { SnapshotAndLog, ZoneStore } from '../../src/store/index.ts'
import { nameFromText } from '../../src/names/index.ts'
import { Zone } from '../../src/zone/index.ts'
import {
  COUNTING_ID,
  countingSet,
  countingZone,
  pictureOf,
  wholeSerial,
} from '../support/counting-zone.ts'
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
import { MemoryDisk } from '../support/memory-disk.ts'

describe('a restart', () => {
  it('finds nothing on a new disk', async () => {
    expect(await serialOn(new MemoryDisk())).toEqual({ serial: 0, told: [expect.any(String)] })
  })

  it('resumes at the newest logged set without a report', async () => {
    expect(await serialOn(await twoGenerations())).toEqual({ serial: 20, told: [] })
  })

  it('continues the existing log', async () => {
    const files = await twoGenerations()
    const { store, disk } = await openOn(files)
    await applyUpTo(store, 25)
    await disk.close()
    expect(files.names()).toEqual([LENGTHS, LOG_1, LOG_2, SNAPSHOT_1, SNAPSHOT_2])
    expect((await serialOn(files)).serial).toBe(25)
  })

  it('knows zones that were replaced, removed and recreated under another id', async () => {
    const files = new MemoryDisk()
    const { store, disk } = await openOn(files)
    await applyUpTo(store, 4)
    const other = new Zone(nameFromText('other.test.'), countingZone(1).version, soa())
    await store.replace('8', other)
    await store.replace('9', new Zone(other.apex, other.version, soa()))
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

describe('snapshots', () => {
  it('are written while changes continue, and lead to the same state', async () => {
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

  it('are rejected without the part of the log that completes them', async () => {
    const files = new MemoryDisk()
    const { store, disk } = await openOn(files)
    await store.replace(COUNTING_ID, largeZone())
    await changesDuringSnapshot(files, store, disk)
    await disk.close()
    files.replace(LOG_2, files.contents(LOG_2).subarray(0, HEADER_BYTES))
    const again = await openOn(files)
    const back = again.store.held(COUNTING_ID)
    // Log 1 has the changes before log 2 began.
    const whole = largeZone()
    for (let serial = 2; serial <= Number(back?.version.serial); serial++) {
      const { changes, version } = largeSet(serial)
      whole.apply(changes, version)
    }
    expect(back && pictureOf(back)).toEqual(pictureOf(whole))
    expect(again.told.join('\n')).toMatch(
      /snapshot-000000000002 cannot be used: its log is damaged/,
    )
    await again.disk.close()
  })

  it('leave two generations, for any earlier files', async () => {
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

  it('are written in small pieces, for records of any size', () => {
    const zone = countingZone(1)
    const rrsets = [{ type: 16, ttlSeconds: 60, rdata: [Buffer.alloc(60_000)] }]
    const states = Array.from({ length: 40 }, (_, index) => ({ owner: largeOwner(index), rrsets }))
    zone.apply(states, zone.version)
    const { version, soaParameters } = zone
    const entries = [...zoneEntries({ zoneId: '7', zone, version, soa: soaParameters })]
    const read = new Zone(zone.apex, version, soaParameters)
    for (const entry of entries) if (entry.kind === 'names') read.adopt(entry.octets)
    expect(pictureOf(read)).toEqual(pictureOf(zone))
    for (const entry of entries) expect(framed(entry).length).toBeLessThan(400_000)
  })

  it('that are interrupted are removed', async () => {
    const files = await twoGenerations()
    files.replace(`${SNAPSHOT_2}.unfinished`, Buffer.from('half'))
    await serialOn(files)
    expect(files.names()).not.toContain(`${SNAPSHOT_2}.unfinished`)
  })
})

/** Applies a set before each write of a snapshot; returns the number of sets. */
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

// Enough names for several writes.
const MANY = 16_000

function largeOwner(index: number): Buffer {
  return nameFromText(`host-${index % MANY}.home.test.`)
}

function largeZone(): Zone {
  const { apex, version, soaParameters } = countingZone(1)
  const zone = new Zone(apex, version, soaParameters)
  const rrsets = [{ type: 1, ttlSeconds: 60, rdata: [Buffer.alloc(4)] }]
  const states = Array.from({ length: MANY }, (_, index) => ({ owner: largeOwner(index), rrsets }))
  zone.apply(states, version)
  return zone
}

// Changes, deletes and creates names all over the zone.
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
