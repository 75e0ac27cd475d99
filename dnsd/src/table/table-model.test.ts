/*
 * Compares the table with a model that is a Map: after any sequence of changes, in several zones, it contains what the
 * Map contains, and its figures add up.
 */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { folded, put, rrset } from './test-support.ts'
import {
  TXT,
  contents,
  listed,
  find,
  expectSound,
  steps,
  newTable,
  type Captured,
  take,
} from './test-model.ts'
import { ZoneTable } from './zone-table.ts'

describe('ZoneTable beside a Map', () => {
  it('contains the same after any changes, and leaks nothing', () => {
    fc.assert(
      fc.property(steps, (taken) => {
        const { table, zones } = newTable()
        const captured: Captured[] = []
        for (const step of taken) take(step, table, zones, captured)
        expectSound(table, zones)
        for (const { capture, contents: then } of captured) {
          expect(contents(table, capture.refs())).toEqual(then)
          capture.release()
        }
        for (const { zone, names } of zones) {
          for (const ref of listed(zone)) table.remove(zone, ref)
          names.clear()
        }
        table.control.leave(0)
        table.reclaim()
        expectSound(table, zones)
        // The two entries of the directory remain.
        expect(table.statistics).toMatchObject({ names: 2, retiredBytes: 0 })
      }),
      { seed: 9499, numRuns: 300 },
    )
  })

  it('moves to larger indexes and back to a clean one while names are added and removed', () => {
    const { table, zones } = newTable()
    const [modelled] = zones
    if (modelled === undefined) throw new Error('no zone')
    const { zone, names } = modelled
    const slots = new Set<number>()
    const change = (text: string, content: string | undefined) => {
      if (content === undefined) {
        table.remove(zone, find(table, zone, text))
        names.delete(text)
      } else {
        put(table, zone, text, rrset(TXT, Buffer.from(content)))
        names.set(text, content)
      }
      slots.add(table.statistics.indexSlots)
    }
    const ownerAt = (index: number) => `n${index}.home.test.`
    for (let index = 0; index < 3_000; index++) {
      change(ownerAt(index), `first ${index}`)
      // Also during a move, older names change and are removed.
      if (index % 3 === 0) change(ownerAt(index >> 1), `changed ${index}`)
      if (index % 7 === 6) change(ownerAt(index), undefined)
    }
    expect([...slots]).toEqual([...slots].sort((one, other) => one - other))
    expect(slots.size).toBeGreaterThan(2)
    expectSound(table, zones)
    // Names that are added and removed leave slots behind. A move to the same number of slots clears them.
    for (let index = 0; index < 12_000; index++) {
      change(`t${index}.home.test.`, 'short')
      change(`t${index}.home.test.`, undefined)
    }
    const { indexSlots, tombstones } = table.statistics
    expect(tombstones).toBeLessThan(indexSlots / 2)
    expectSound(table, zones)
  })
})

describe('ZoneTable.capture', () => {
  it('shows the state at its last slice, after any changes during the collection', () => {
    const { table, zones } = newTable()
    const zone = zones[1]?.zone
    if (zone === undefined) throw new Error('no zone')
    const ownerAt = (index: number) => `n${index}.sub.home.test.`
    const set = (index: number, content: string) =>
      put(table, zone, ownerAt(index), rrset(TXT, Buffer.from(content)))
    for (let index = 0; index < 2_000; index++) set(index, `${index}`)
    const capture = table.capture(zone)
    // The time is over after the first step.
    expect(capture.collect(0)).toBe(false)
    set(3, 'changed early')
    set(3, 'changed again')
    set(1_999, 'changed late')
    table.remove(zone, find(table, zone, ownerAt(5)))
    table.remove(zone, find(table, zone, ownerAt(1_998)))
    set(5, 'came back')
    set(2_000, 'new')
    expect(capture.collect(Infinity)).toBe(true)
    const expected = contents(table, listed(zone))
    set(7, 'after')
    table.remove(zone, find(table, zone, ownerAt(8)))
    set(2_001, 'after')
    expect(contents(table, capture.refs())).toEqual(expected)
    capture.release()
  })

  it('is lost when it holds back too much, and reports it', () => {
    const table = new ZoneTable({ retiredLimitBytes: 10_000 })
    const zone = table.addZone(folded(table.reader, 'home.test.'))
    put(table, zone, 'a.home.test.')
    const capture = table.capture(zone)
    capture.collect(Infinity)
    const refs = capture.refs()
    for (let round = 0; round < 1_000; round++) put(table, zone, 'a.home.test.')
    expect(() => refs.next()).toThrow('too much has changed')
    expect(table.statistics.retiredBytes).toBeLessThan(11_000)
    capture.release()
    table.reclaim()
    expect(table.statistics.retiredBytes).toBe(0)
  })

  it('is not lost because of what an older one holds back', () => {
    const table = new ZoneTable({ retiredLimitBytes: 10_000 })
    const zone = table.addZone(folded(table.reader, 'home.test.'))
    put(table, zone, 'a.home.test.')
    put(table, zone, 'large.home.test.', new Uint8Array(6_000))
    const captureNow = () => {
      const capture = table.capture(zone)
      capture.collect(Infinity)
      return capture
    }
    const older = captureNow()
    while (table.statistics.retiredBytes < 8_000) put(table, zone, 'a.home.test.')
    const younger = captureNow()
    put(table, zone, 'large.home.test.')
    for (let round = 0; round < 50; round++) put(table, zone, 'a.home.test.')
    expect(() => [...older.refs()]).toThrow('too much has changed')
    expect([...younger.refs()]).toHaveLength(2)
    older.release()
    younger.release()
  })
})

describe('ZoneTable.discard', () => {
  it('keeps a replaced entry of an unserved zone until readers of the shared index are done', () => {
    const table = new ZoneTable()
    const zone = table.addZone(folded(table.reader, 'home.test.'))
    const before = put(table, zone, 'a.home.test.')
    table.control.admit(0)
    table.control.enter(0)
    put(table, zone, 'a.home.test.')
    expect(put(table, zone, 'b.home.test.')).not.toBe(before)
    expect(table.statistics.freeBytes).toBe(0)
    table.control.leave(0)
    table.reclaim()
    expect(put(table, zone, 'c.home.test.')).toBe(before)
  })

  it('frees all memory when readers and captures are done', async () => {
    const { table, zones } = newTable()
    const zone = zones[1]?.zone
    if (zone === undefined) throw new Error('no zone')
    for (let index = 0; index < 5_000; index++) put(table, zone, `n${index}.sub.home.test.`)
    const before = table.statistics
    table.control.enter(0)
    table.unserve(folded(table.reader, 'sub.home.test.'))
    let isDone = false
    const discarded = table.discard(zone).then(() => {
      isDone = true
    })
    await new Promise((resolve) => setImmediate(resolve))
    expect(isDone).toBe(false)
    expect(find(table, zone, 'n7.sub.home.test.')).toBeGreaterThan(0)
    table.control.leave(0)
    await discarded
    table.reclaim()
    expect(table.statistics).toMatchObject({ names: 1, retiredBytes: 0 })
    // The entry of the directory remains.
    expect(table.statistics.liveBytes).toBeLessThan(100)
    expect(table.statistics.freeBytes).toBe(before.usedBytes - table.statistics.liveBytes)
    // Another zone of that size reuses its memory.
    const again = table.addZone(folded(table.reader, 'sub.home.test.'))
    for (let index = 0; index < 5_000; index++) put(table, again, `n${index}.sub.home.test.`)
    expect(table.statistics.usedBytes).toBe(before.usedBytes)
  })
})
