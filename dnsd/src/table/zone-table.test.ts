import { describe, expect, it, vi } from 'vitest'
import { CUTS_BELOW, HAS_WILDCARD, PUBLISHED } from './layout.ts'
import { TableReader } from './table-reader.ts'
import { folded, put, rdataAt, rrset } from './test-support.ts'
import { NameCursor, type ZoneNames } from './zone-names.ts'
import { ZoneTable } from './zone-table.ts'

const A = 1
const TXT = 16
const address = (last: number) => rrset(A, Uint8Array.of(192, 0, 2, last))

function tableWith(apex: string): { table: ZoneTable; zone: ZoneNames } {
  const table = new ZoneTable()
  const zone = table.addZone(folded(table.reader, apex))
  return { table, zone }
}

/** Finds a name in a zone as a query does: by its text, in any letter case. */
function find(table: ZoneTable, zone: ZoneNames, text: string): number {
  const name = folded(table.reader, text)
  return table.reader.find(zone.number, name, 0, name.labels - zone.apexLabels)
}

const refs = (names: ZoneNames): number[] => {
  const cursor = new NameCursor(names)
  const all: number[] = []
  for (let ref = cursor.next(); ref !== 0; ref = cursor.next()) all.push(ref)
  cursor.close()
  return all
}

describe('ZoneTable', () => {
  it('finds the names that were written, in any letter case', () => {
    const { table, zone } = tableWith('home.test.')
    const ref = put(table, zone, 'Router.Home.test.', address(1), PUBLISHED)
    expect(find(table, zone, 'rOUTER.home.TEST.')).toBe(ref)
    expect(rdataAt(table.reader, ref, A)).toEqual(Buffer.from([192, 0, 2, 1]))
    expect(table.reader.findRRset(ref, TXT)).toBe(0)
    expect(table.reader.flagsOf(ref)).toBe(PUBLISHED)
    expect(find(table, zone, 'other.home.test.')).toBe(0)
    expect(find(table, zone, 'home.test.')).toBe(0)
  })

  it('holds several RRsets at a name, and the apex', () => {
    const { table, zone } = tableWith('home.test.')
    const both = Buffer.concat([rrset(TXT, Uint8Array.of(1, 0x61)), address(7)])
    const ref = put(table, zone, 'home.test.', both)
    expect(find(table, zone, 'home.test.')).toBe(ref)
    expect(rdataAt(table.reader, ref, A)?.at(-1)).toBe(7)
    expect(rdataAt(table.reader, ref, TXT)).toEqual(Buffer.from([1, 0x61]))
  })

  it('distinguishes equal names of two zones', () => {
    const { table, zone } = tableWith('home.test.')
    const again = table.addZone(folded(table.reader, 'home.test.'))
    const [one, two] = [put(table, zone, 'a.home.test.'), put(table, again, 'a.home.test.')]
    expect(one).not.toBe(two)
    expect(find(table, zone, 'a.home.test.')).toBe(one)
    expect(find(table, again, 'a.home.test.')).toBe(two)
  })

  it('replaces a state, and keeps the old one until readers are done', () => {
    const { table, zone } = tableWith('home.test.')
    table.serve(zone, folded(table.reader, 'home.test.'))
    table.control.admit(0)
    table.control.enter(0)
    const before = put(table, zone, 'a.home.test.', address(1))
    const after = put(table, zone, 'a.home.test.', address(2))
    expect(find(table, zone, 'a.home.test.')).toBe(after)
    table.reclaim()
    expect(rdataAt(table.reader, before, A)?.at(-1)).toBe(1)
    expect(table.statistics.retiredBytes).toBe(40)
    table.control.leave(0)
    table.reclaim()
    expect(table.statistics.retiredBytes).toBe(0)
    expect(put(table, zone, 'b.home.test.', address(3))).toBe(before)
  })

  it('removes names and reuses their memory', () => {
    const { table, zone } = tableWith('home.test.')
    const ref = put(table, zone, 'a.home.test.', address(1))
    table.remove(zone, ref)
    expect(find(table, zone, 'a.home.test.')).toBe(0)
    expect(zone.count).toBe(0)
    expect(table.statistics).toMatchObject({ names: 0, liveBytes: 0, freeBytes: 40 })
    expect(put(table, zone, 'b.home.test.', address(1))).toBe(ref)
  })

  it('copies the number of children to a new state, and sets flags in place', () => {
    const { table, zone } = tableWith('home.test.')
    const ref = put(table, zone, 'a.home.test.')
    table.addToChildren(ref, 2)
    table.setFlags(ref, HAS_WILDCARD | CUTS_BELOW, true)
    table.setFlags(ref, CUTS_BELOW, false)
    expect(table.reader.flagsOf(ref)).toBe(HAS_WILDCARD)
    expect(table.childrenOf(put(table, zone, 'a.home.test.', address(1)))).toBe(2)
  })

  it('finds a wildcard by the name above it', () => {
    const { table, zone } = tableWith('home.test.')
    const wild = put(table, zone, '*.a.home.test.')
    const name = folded(table.reader, 'x.a.home.test.')
    const { reader } = table
    expect(reader.findWildcard(zone.number, name, 1, 2)).toBe(wild)
    expect(reader.findWildcard(zone.number, name, 2, 2)).toBe(0)
    const top = put(table, zone, '*.home.test.')
    expect(reader.findWildcard(zone.number, name, 2, 2)).toBe(top)
  })

  it('RFC 1034 §4.3.2 step 2: finds the zone of the longest apex', () => {
    const { table, zone } = tableWith('home.test.')
    const below = table.addZone(folded(table.reader, 'sub.home.test.'))
    const { reader } = table
    const zoneOf = (text: string) => reader.findZone(folded(reader, text))
    expect(zoneOf('a.home.test.')).toBe(0)
    table.serve(zone, folded(reader, 'home.test.'))
    table.serve(below, folded(reader, 'SUB.home.test.'))
    expect(zoneOf('a.b.HOME.test.')).toBe(zone.number)
    expect(reader.apexLabel).toBe(2)
    expect(zoneOf('sub.home.test.')).toBe(below.number)
    expect(reader.apexLabel).toBe(0)
    expect(zoneOf('test.')).toBe(0)
    table.unserve(folded(reader, 'sub.home.test.'))
    expect(zoneOf('sub.home.test.')).toBe(zone.number)
    table.unserve(folded(reader, 'home.test.'))
    expect(zoneOf('sub.home.test.')).toBe(0)
    expect(table.control.longestApex).toBe(0)
  })

  it('serves the root', () => {
    const { table, zone } = tableWith('.')
    table.serve(zone, folded(table.reader, '.'))
    expect(table.reader.findZone(folded(table.reader, 'a.b.'))).toBe(zone.number)
    const ref = put(table, zone, 'a.b.')
    expect(find(table, zone, 'a.b.')).toBe(ref)
  })

  it('lists names in the order in which they were added, a new state in the place of the old', () => {
    const { table, zone } = tableWith('home.test.')
    const [a, b, c] = ['a', 'b', 'c'].map((label) => put(table, zone, `${label}.home.test.`))
    expect(refs(zone)).toEqual([a, b, c])
    const again = put(table, zone, 'b.home.test.', address(1))
    expect(refs(zone)).toEqual([a, again, c])
    table.remove(zone, find(table, zone, 'a.home.test.'))
    expect(refs(zone)).toEqual([again, c])
  })

  it('refuses a name with too much', () => {
    const { table, zone } = tableWith('home.test.')
    const full = new Uint8Array(1024 * 1024)
    expect(() => put(table, zone, 'a.home.test.', full)).toThrow(RangeError)
    expect(table.statistics.names).toBe(0)
  })
})

describe('TableReader', () => {
  it('finds later names through older handles, as long as no segment is added', () => {
    const { table, zone } = tableWith('home.test.')
    put(table, zone, 'a.home.test.')
    const reader = new TableReader(table.handles)
    const ref = put(table, zone, 'b.home.test.', address(1))
    const name = folded(reader, 'b.home.test.')
    expect(reader.find(zone.number, name, 0, 1)).toBe(ref)
  })
})

describe('NameCursor', () => {
  it('iterates correctly while names around it are added, changed and removed', () => {
    const { table, zone } = tableWith('home.test.')
    const [, b, c] = ['a', 'b', 'c'].map((label) => put(table, zone, `${label}.home.test.`))
    const unobserved = vi.spyOn(zone, 'unobserve')
    const cursor = new NameCursor(zone)
    cursor.next()
    expect(cursor.next()).toBe(b)
    put(table, zone, 'b.home.test.', address(1))
    table.remove(zone, find(table, zone, 'b.home.test.'))
    table.remove(zone, find(table, zone, 'a.home.test.'))
    expect(cursor.next()).toBe(c)
    expect(cursor.next()).toBe(0)
    const d = put(table, zone, 'd.home.test.')
    expect(cursor.next()).toBe(d)
    cursor.close()
    expect(unobserved).toHaveBeenCalledOnce()
  })
})
