import { describe, expect, it } from 'vitest'
import { nameKey } from '../../src/names/index.ts'
import type { Difference } from '../../src/store/history.ts'
import { STRIDE_BYTES } from '../../src/store/history-index.ts'
import { SnapshotAndLog, ZoneStore } from '../../src/store/index.ts'
import { Zone, type OwnerState } from '../../src/zone/index.ts'
import { COUNTING_ID, countingSet, countingZone, pictureOf } from '../support/counting-zone.ts'
import { MemoryDisk } from '../support/memory-disk.ts'
import { recordEvents } from '../support/store-events.ts'

async function openOn(files: MemoryDisk) {
  const store = new ZoneStore()
  const { events } = recordEvents()
  const disk = await SnapshotAndLog.open({ folder: 'folder', store, events, files })
  return { store, disk, files }
}

type Opened = Awaited<ReturnType<typeof openOn>>

async function countTo(store: ZoneStore, last: number): Promise<void> {
  for (let serial = Number(held(store).version.serial) + 1; serial <= last; serial++) {
    await store.apply(COUNTING_ID, [countingSet(serial)])
  }
}

function held(store: ZoneStore): Zone {
  const zone = store.held(COUNTING_ID)
  if (zone === undefined) throw new Error('the zone is not held')
  return zone
}

/** A disk with the zone at serial 1 in its log. */
async function opened(): Promise<Opened> {
  const all = await openOn(new MemoryDisk())
  await all.store.replace(COUNTING_ID, countingZone(1))
  return all
}

/** The differences from a serial to the present; undefined when the logs do not contain them. */
async function since({ store, disk }: Opened, serial: number, limitBytes = Infinity) {
  const { version, soaParameters: soa } = held(store)
  const found = await disk.history.since(COUNTING_ID, serial, { version, soa }, limitBytes)
  if (found === undefined) return undefined
  const all: Difference[] = []
  for await (const one of found) all.push(one)
  return all
}

/** The zone at `serial` with the differences applied, after checking their removals. */
function patched(serial: number, differences: readonly Difference[]): object {
  const zone = countingZone(serial)
  for (const { from, to, changes } of differences) {
    expect(zone.soa.rdata).toEqual(from.rdata)
    for (const { owner, before } of changes) {
      expect(zone.node(nameKey(owner))?.rrsets ?? null).toEqual(before)
    }
    const states: OwnerState[] = changes.map(({ owner, rrsets }) => ({ owner, rrsets }))
    const next = (to.rdata[0] ?? Buffer.alloc(4)).readUInt32BE(
      to.rdata[0] ? to.rdata[0].length - 20 : 0,
    )
    zone.apply(states, countingSet(next).version)
    expect(zone.soa.rdata).toEqual(to.rdata)
  }
  return pictureOf(zone)
}

/** For each of the serials, the zone after the differences were applied. */
async function ends(all: Opened, serials: readonly number[]): Promise<object[]> {
  const pictures: object[] = []
  for (const serial of serials) pictures.push(patched(serial, (await since(all, serial)) ?? []))
  return pictures
}

/** The present state, for each of the serials. */
const presents = ({ store }: Opened, serials: readonly number[]) =>
  serials.map(() => pictureOf(held(store)))

describe('differences between a version and the present', () => {
  it('lead from each serial since the zone was read to the current one', async () => {
    const all = await opened()
    await countTo(all.store, 60)
    const serials = Array.from({ length: 59 }, (_, n) => n + 1)
    expect(await ends(all, serials)).toEqual(presents(all, serials))
  })

  it('have each name once, from its first state to its last', async () => {
    const all = await opened()
    await countTo(all.store, 60)
    const [difference, another] = (await since(all, 20)) ?? []
    expect(another).toBeUndefined()
    const names = difference?.changes.map(({ owner }) => nameKey(owner)) ?? []
    expect(names).toHaveLength(10)
    expect(new Set(names).size).toBe(10)
  })

  it('are available after a snapshot, and after a restart', async () => {
    const all = await opened()
    await countTo(all.store, 20)
    await all.disk.snapshot()
    await countTo(all.store, 40)
    expect(await ends(all, [1, 19, 20, 21, 39])).toEqual(presents(all, [1, 19, 20, 21, 39]))
    await all.disk.close()
    const again = await openOn(all.files.after('kill'))
    expect(await ends(again, [1, 19, 20, 21, 39])).toEqual(presents(again, [1, 19, 20, 21, 39]))
    await countTo(again.store, 50)
    expect(await ends(again, [1, 20, 39, 40, 49])).toEqual(presents(again, [1, 20, 39, 40, 49]))
  })

  it('are unavailable after logs were removed', async () => {
    const all = await opened()
    for (const last of [20, 40, 60]) {
      await countTo(all.store, last)
      await all.disk.snapshot()
    }
    await countTo(all.store, 70)
    expect(await since(all, 19)).toBeUndefined()
    expect(await ends(all, [40, 50, 60, 69])).toEqual(presents(all, [40, 50, 60, 69]))
    await all.disk.close()
    const again = await openOn(all.files.after('kill'))
    expect(await since(again, 19)).toBeUndefined()
    expect(await ends(again, [40, 50, 60, 69])).toEqual(presents(again, [40, 50, 60, 69]))
  })

  it('are unavailable for the current serial, a later one, and an unknown one', async () => {
    const all = await opened()
    await countTo(all.store, 10)
    for (const serial of [10, 11, 2 ** 31, 0]) expect(await since(all, serial)).toBeUndefined()
  })

  it('do not span a complete read of the zone', async () => {
    const all = await opened()
    await countTo(all.store, 10)
    await all.store.replace(COUNTING_ID, countingZone(15))
    await countTo(all.store, 20)
    expect(await since(all, 9)).toBeUndefined()
    expect(await since(all, 14)).toBeUndefined()
    expect(await ends(all, [15, 19])).toEqual(presents(all, [15, 19]))
  })

  it('are read from a few places only, for any number of changes in other zones', async () => {
    const all = await opened()
    const [set] = [countingSet(2)]
    await all.store.apply(COUNTING_ID, [set])
    const many = Array.from({ length: 2_000 }, (_, n) => countingSet(n + 2))
    const other = new Zone(
      Buffer.from('\u0005other\0'),
      countingZone(1).version,
      countingZone(1).soaParameters,
    )
    await all.store.replace('8', other)
    for (const { changes, ...rest } of many) {
      const owners = changes.map((each: OwnerState) => ({
        ...each,
        owner: Buffer.from('\u0001a\u0005other\0'),
      }))
      await all.store.apply('8', [{ ...rest, changes: owners.slice(0, 1) }])
    }
    await countTo(all.store, 4)
    expect(await ends(all, [1, 2, 3])).toEqual(presents(all, [1, 2, 3]))
    expect(all.files.contents('log-000000000001').length).toBeGreaterThan(2 * STRIDE_BYTES)
  })

  it('longer than the limit are not returned', async () => {
    const all = await opened()
    await countTo(all.store, 1_500)
    expect(all.files.contents('log-000000000001').length).toBeGreaterThan(2 * STRIDE_BYTES)
    expect(await since(all, 1, STRIDE_BYTES)).toBeUndefined()
    expect(await since(all, 1_490, STRIDE_BYTES)).toBeDefined()
  })

  it('have the SOA of each version', async () => {
    const all = await opened()
    const soa = { ...countingZone(1).soaParameters, refreshSeconds: 77 }
    await countTo(all.store, 3)
    await all.store.apply(COUNTING_ID, [{ ...countingSet(4), soa }])
    await countTo(all.store, 5)
    const [difference] = (await since(all, 3)) ?? []
    const refresh = (set: Difference['from'] | undefined) =>
      set?.rdata[0]?.readUInt32BE(set.rdata[0].length - 16)
    expect([refresh(difference?.from), refresh(difference?.to)]).toEqual([1, 77])
  })

  it('are unavailable if the log was damaged after it was read', async () => {
    const all = await opened()
    await countTo(all.store, 20)
    const log = all.files.contents('log-000000000001')
    log[log.length - 3] = (log[log.length - 3] ?? 0) ^ 1
    await expect(since(all, 10)).rejects.toThrow('the logs end at serial 19 and not at 20')
    expect(await since(all, 10)).toBeUndefined()
  })

  it('are unavailable after a failed write', async () => {
    const all = await opened()
    await countTo(all.store, 10)
    all.files.fault = () => new Error('the disk is full')
    await countTo(all.store, 12)
    expect(await since(all, 9)).toBeUndefined()
  })
})
