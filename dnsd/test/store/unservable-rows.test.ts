/* Rows of the feed that cannot be served: only these rows are missing. */
import { describe, expect, it } from 'vitest'
import type { Following } from '../support/following.ts'
import { toldOf, useFollowers } from '../support/followers.ts'

const t = useFollowers()

describe('rows that cannot be served', () => {
  const POISON = [
    { owner: 'bad-address.ZONE', rdata: ['192.0.2.999'] },
    { owner: `${'x'.repeat(300)}.ZONE`, rdata: ['192.0.2.1'] },
    { owner: 'bad-type.ZONE', type: 'NONSENSE', rdata: ['1'] },
    { owner: 'outside.example', rdata: ['192.0.2.1'] },
    { owner: 'soa.ZONE', type: 'SOA', rdata: ['a. b. 1 2 3 4 5'] },
    { owner: 'half.ZONE', rdata: ['192.0.2.1', 'nonsense'] },
    { owner: 'half.ZONE', type: 'TXT', rdata: ['"kept"'] },
    { owner: 'meta.ZONE', type: 'AXFR', rdata: ['x'] },
    { owner: 'alias.ZONE', type: 'CNAME', rdata: ['good.test.'] },
    { owner: 'alias.ZONE', rdata: ['192.0.2.8'] },
    { owner: 'alias.ZONE', type: 'TXT', rdata: ['"kept"'] },
    { owner: 'ZONE', type: 'CNAME', rdata: ['good.test.'] },
    { owner: 'twice.ZONE', rdata: ['192.0.2.9', '192.0.2.10', '192.0.2.9'] },
    { owner: 'good.ZONE', rdata: ['192.0.2.7'] },
  ]

  const records = (zone: string) =>
    POISON.map((record) => ({ ...record, owner: record.owner.replace('ZONE', zone) }))

  function expectTheRest(f: Following, zone: string): void {
    expect(f.addresses(`good.${zone}`)).toEqual(['192.0.2.7'])
    expect(f.addresses(`alias.${zone}`)).toEqual(['192.0.2.8'])
    expect(f.addresses(`twice.${zone}`)).toEqual(['192.0.2.9', '192.0.2.10'])
    // The name exists: a wildcard must not answer for it.
    const spoiled = ['bad-address', 'bad-type', 'soa', 'half', 'meta']
    expect(spoiled.map((name) => f.addresses(`${name}.${zone}`))).toEqual(spoiled.map(() => []))
    const skipped = toldOf(f.told, `skipped ${zone}`)
    expect(skipped).toHaveLength(9)
    expect(new Set(skipped).size).toBe(9)
    expect(skipped.join('\n')).toContain(`bad-address.${zone}`)
  }

  it('in a change set affect no other rows, and are reported once', async () => {
    const f = await t.followedZone('poison.test')
    await t.writer.publish(f.zoneId, { records: records('poison.test') })
    await t.writer.publish(f.zoneId, { records: records('poison.test') })
    await f.until(() => f.serial('poison.test') === 103n)
    expectTheRest(f, 'poison.test')
    expect(await f.digest('poison.test')).toBe(await t.freshDigest('poison.test'))
  })

  it('in a whole zone', async () => {
    const zoneId = await t.writer.addZone('poisoned.test')
    await t.writer.publish(zoneId, { records: records('poisoned.test') })
    const f = t.following()
    await f.follower.current
    expectTheRest(f, 'poisoned.test')
    expect(await f.digest('poisoned.test')).toBe(await t.freshDigest('poisoned.test'))
  })

  it('a zone with an invalid name is left out, and the others are served', async () => {
    const zoneId = await t.writer.addZone('bad..name.test')
    const f = await t.followedZone('beside.test', { pollMs: 20 })
    await t.writer.setAddress(f.zoneId, 'a.beside.test', '192.0.2.1')
    await f.untilAddresses('a.beside.test', ['192.0.2.1'])
    expect(toldOf(f.told, 'skipped bad..name.test')).toHaveLength(1)
    await t.writer.removeZone(zoneId)
  })
})

describe('a SOA that cannot be served', () => {
  it('stays unchanged, and everything else continues', async () => {
    const f = await t.followedZone('soa-bad.test')
    await t.writer.client.query('update zones set soa_refresh = -1 where id = $1', [f.zoneId])
    await t.writer.setAddress(f.zoneId, 'a.soa-bad.test', '192.0.2.1')
    await f.untilAddresses('a.soa-bad.test', ['192.0.2.1'])
    expect(f.store.held(f.zoneId)?.soaParameters.refreshSeconds).toBe(3600)
    expect(toldOf(f.told, 'skipped soa-bad.test')).toEqual([
      'skipped soa-bad.test soa-bad.test SOA: a number of the SOA is negative',
    ])
  })
})
