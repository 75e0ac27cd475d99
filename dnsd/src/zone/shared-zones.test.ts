import { MessageChannel } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { nameFromText, nameKey, TYPE } from '../names/index.ts'
import { TableReader, ZoneTable } from '../table/index.ts'
import { SharedZones } from './shared-zones.ts'
import { Zone } from './zone.ts'
import { Zones } from './zones.ts'

const table = new ZoneTable()
const seconds = { refreshSeconds: 1, retrySeconds: 1, expireSeconds: 1, minimumSeconds: 30 }
const nameOf = (text: string) => nameFromText(text)
const keyOf = (text: string) => nameKey(nameOf(text))

function zoneAt(text: string, serial = 1n): Zone {
  const apex = nameOf(text)
  const soa = { mname: apex, rname: apex, ...seconds, ttlSeconds: 60 }
  return new Zone(apex, { serial, feedId: 'feed', token: 't' }, soa, table)
}

/** The writing side, and the view of another thread. */
function servingTwo() {
  const zones = new Zones(table)
  const [above, below] = [zoneAt('Home.test.'), zoneAt('sub.home.test.')]
  for (const zone of [above, below]) zones.set(zone)
  return { zones, above, below, shared: new SharedZones(new TableReader(table.handles)) }
}

describe('SharedZones', () => {
  it('answers from the same zones as the writing thread', () => {
    const { above, below, shared } = servingTwo()
    const numberFor = (text: string, type: number) => shared.answering(keyOf(text), type)?.number
    expect(numberFor('a.home.test.', TYPE.A)).toBe(above.number)
    expect(numberFor('a.sub.home.test.', TYPE.DS)).toBe(below.number)
    expect(numberFor('sub.home.test.', TYPE.A)).toBe(below.number)
    expect(numberFor('sub.home.test.', TYPE.DS)).toBe(above.number)
    expect(numberFor('home.test.', TYPE.DS)).toBe(above.number)
    expect(numberFor('test.', TYPE.A)).toBeUndefined()
    expect(numberFor('a.SUB.home.test.', TYPE.A)).toBe(below.number)
  })

  it('shows the names and the SOA of a zone, and their changes', () => {
    const { above, shared } = servingTwo()
    const twin = shared.answering(above.key, TYPE.SOA)
    expect(twin?.soa).toEqual(above.soa)
    expect(twin?.negativeSoa).toEqual(above.negativeSoa)
    const rrsets = [{ type: TYPE.A, ttlSeconds: 5, rdata: [Buffer.of(192, 0, 2, 1)] }]
    above.apply([{ owner: nameOf('a.b.Home.test.'), rrsets }], { ...above.version, serial: 2n })
    expect(twin?.node(keyOf('a.b.home.test.'))?.rrsets).toEqual(rrsets)
    expect(twin?.closestEncloser(keyOf('x.b.home.test.')).key).toBe(keyOf('b.home.test.'))
    expect(shared.answering(above.key, TYPE.SOA)?.soa).toEqual(above.soa)
    // A part of a label is not the apex.
    expect(twin?.node(keyOf('ahome.test.'))).toBeUndefined()
  })

  it('shows the serial from before the look-up of names, during any changes', () => {
    const { port1: port } = new MessageChannel()
    const reader = new TableReader(table.handles, { worker: 0, port })
    const { above } = servingTwo()
    reader.enter()
    const twin = new SharedZones(reader).answering(keyOf('new.home.test.'), TYPE.A)
    const before = above.soa
    expect(twin?.node(keyOf('new.home.test.'))).toBeUndefined()
    above.apply([{ owner: nameOf('new.home.test.'), rrsets: [] }], { ...above.version, serial: 2n })
    expect(twin?.soa).toEqual(before)
    reader.leave()
    port.close()
  })

  it('waits once for a change that does not end, and not again', () => {
    const { shared } = servingTwo()
    const { control } = table
    expect(shared.isQuiet(shared.changes)).toBe(true)
    const before = shared.changes
    control.beginChange()
    expect([shared.isQuiet(before), shared.isQuiet(before)]).toEqual([false, true])
    control.endChange()
    expect(shared.isQuiet(before)).toBe(false)
    expect(shared.isQuiet(shared.changes)).toBe(true)
    control.beginChange()
    expect(shared.isQuiet(shared.changes)).toBe(false)
    control.endChange()
  })

  it('returns one object for a zone while it is served, and another for its replacement', () => {
    const { zones, above, shared } = servingTwo()
    const twin = shared.answering(above.key, TYPE.A)
    expect(shared.answering(keyOf('a.home.test.'), TYPE.A)).toBe(twin)
    const again = zoneAt('home.test.', 9n)
    zones.set(again)
    expect(shared.answering(above.key, TYPE.A)?.soa).toEqual(again.soa)
    zones.delete(above.key)
    expect(shared.answering(above.key, TYPE.A)).toBeUndefined()
  })
})
