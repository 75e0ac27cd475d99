import { describe, expect, it } from 'vitest'
import { nameFromText, nameKey, TYPE } from '../names/index.ts'
import { ZoneTable } from '../table/index.ts'
import type { OwnerState, RRset } from './rrset.ts'
import { Zone } from './zone.ts'

const apex = nameFromText('home.test.')
const seconds = { refreshSeconds: 1, retrySeconds: 2, expireSeconds: 3, minimumSeconds: 4 }
const soa = { mname: apex, rname: apex, ttlSeconds: 5, ...seconds }
const version = (serial: bigint) => ({ serial, feedId: 'feed', token: `t${serial}` })
const address = (last: number): RRset => ({
  type: TYPE.A,
  ttlSeconds: 60,
  rdata: [Buffer.of(192, 0, 2, last)],
})
const state = (owner: string, rrsets: OwnerState['rrsets']): OwnerState => ({
  owner: nameFromText(owner, apex),
  rrsets,
})

describe('Zone.capture', () => {
  it('has one version with its SOA, while the zone changes', async () => {
    const zone = new Zone(apex, version(1n), soa)
    const names = Array.from({ length: 3_000 }, (_, index) => state(`n${index}.b`, [address(1)]))
    zone.apply([state('@', [address(9)]), ...names], version(2n))
    const [then, soaThen] = [[...zone.owners()], zone.soa]
    using frozen = await zone.capture()
    zone.apply([state('n9.b', [address(3)]), state('n10.b', null), state('@', null)], version(3n))
    expect([...frozen.owners()]).toEqual(then)
    expect(frozen.version).toEqual(version(2n))
    expect(frozen.soa).toEqual(soaThen)
    expect(zone.soa).not.toEqual(soaThen)
    expect(then[0]).toEqual(state('@', [address(9)]))
    expect(zone.nameCount).toBe(3_001)
  })

  it('of a discarded zone stays readable, and the memory is freed afterwards', async () => {
    const table = new ZoneTable()
    const zone = new Zone(apex, version(1n), soa, table)
    zone.apply([state('a', [address(1)]), state('b', [address(2)])], version(2n))
    zone.serve()
    const frozen = await zone.capture()
    zone.unserve()
    await zone.discard()
    expect([...frozen.owners()]).toEqual([state('a', [address(1)]), state('b', [address(2)])])
    expect(zone.node(nameKey(nameFromText('a', apex)))).toBeUndefined()
    frozen.release()
    table.reclaim()
    expect(table.statistics).toMatchObject({ names: 0, liveBytes: 0, retiredBytes: 0 })
    expect(() => [...frozen.owners()]).toThrow('too much')
  })
})
