import { describe, expect, it } from 'vitest'
import { nameFromText, nameKey, TYPE } from '../names/index.ts'
import { Zone } from './zone.ts'
import { Zones } from './zones.ts'

function zoneAt(text: string): Zone {
  const apex = nameFromText(text)
  const seconds = { refreshSeconds: 1, retrySeconds: 1, expireSeconds: 1, minimumSeconds: 1 }
  const soa = { mname: apex, rname: apex, ...seconds, ttlSeconds: 1 }
  return new Zone(apex, { serial: 1n, feedId: 'feed', token: 't' }, soa)
}

const parent = zoneAt('home.test.')
const child = zoneAt('Child.home.test.')
const other = zoneAt('other.test.')

function servingAll(): Zones {
  const zones = new Zones()
  for (const zone of [parent, child, other]) zones.set(zone)
  return zones
}

describe('Zones', () => {
  it.each([
    ['home.test.', parent],
    ['a.b.HOME.test.', parent],
    ['child.home.test.', child],
    ['a.child.home.test.', child],
    ['grandchild.home.test.', parent],
    ['nothome.test.', undefined],
    ['test.', undefined],
    ['.', undefined],
  ])('RFC 1034 §4.3.2 step 2: the nearest zone of %s', (name, zone) => {
    expect(servingAll().closest(nameKey(nameFromText(name)))).toBe(zone)
  })

  it.each([
    ['child.home.test.', TYPE.DS, parent],
    ['child.home.test.', TYPE.A, child],
    ['a.child.home.test.', TYPE.DS, child],
    ['other.test.', TYPE.DS, other],
  ])('RFC 4035 §3.1.4.1: %s type %i is answered from the correct side of the cut', (...row) => {
    const [name, type, zone] = row
    expect(servingAll().answering(nameKey(nameFromText(name)), type)).toBe(zone)
  })

  it('forgets a deleted zone and replaces one with the same apex', () => {
    const zones = servingAll()
    expect(zones.delete(child.key)).toBe(true)
    expect(zones.delete(child.key)).toBe(false)
    expect(zones.closest(child.key)).toBe(parent)
    const again = zoneAt('home.test.')
    zones.set(again)
    expect(zones.get(parent.key)).toBe(again)
    expect([...zones.all()]).toEqual([again, other])
  })

  it('serves the root if it is a zone', () => {
    const zones = servingAll()
    const root = zoneAt('.')
    zones.set(root)
    expect(zones.closest(nameKey(nameFromText('anything.example.')))).toBe(root)
    expect(zones.closest(nameKey(nameFromText('a.home.test.')))).toBe(parent)
  })
})
