/* The state of a follower of the feed: each change, whole and in order, and new and deleted zones. */
import { describe, expect, it } from 'vitest'
import { toldOf, useFollowers } from '../support/followers.ts'

const t = useFollowers()

describe('change sets', () => {
  it('arrive by notification, with deletions and other types', async () => {
    const f = await t.followedZone('notified.test')
    await t.writer.setAddress(f.zoneId, 'a.notified.test', '192.0.2.1', '192.0.2.2')
    await f.untilAddresses('a.notified.test', ['192.0.2.1', '192.0.2.2'])
    const records = [
      { owner: 'a.notified.test' },
      { owner: 'b.notified.test', rdata: ['192.0.2.3'] },
      { owner: 'b.notified.test', type: 'TXT', rdata: ['"a \\"b\\" c"', '"d"'] },
    ]
    await t.writer.publish(f.zoneId, { records })
    await f.untilAddresses('b.notified.test', ['192.0.2.3'])
    expect(f.addresses('a.notified.test')).toBeUndefined()
    expect(await f.digest('notified.test')).toBe(await t.freshDigest('notified.test'))
    expect(f.serial('notified.test')).toBe(103n)
  })

  it('are visible completely or not at all, in order, at any speed', async () => {
    const f = await t.followedZone('whole.test')
    const pairs = new Set<string>()
    const sample = setInterval(() => {
      pairs.add([f.addresses('left.whole.test'), f.addresses('right.whole.test')].join(' '))
    }, 0)
    for (let n = 1; n <= 150; n++) {
      const rdata = [`192.0.2.${n}`]
      const records = ['left', 'right'].map((label) => ({ owner: `${label}.whole.test`, rdata }))
      await t.writer.publish(f.zoneId, { records })
    }
    await f.untilAddresses('right.whole.test', ['192.0.2.150'])
    clearInterval(sample)
    for (const pair of pairs) expect(pair).toMatch(/^(\S*) \1$/)
    expect(f.serial('whole.test')).toBe(251n)
    expect(toldOf(f.told, 'resync')).toEqual(
      expect.not.arrayContaining([expect.stringMatching(/whole\.test (?!new-zone)/)]),
    )
  })

  it('that were rolled back leave no trace and no gap', async () => {
    const f = await t.followedZone('undone.test')
    const records = [{ owner: 'a.undone.test', rdata: ['192.0.2.66'] }]
    await t.writer.publish(f.zoneId, { records, end: 'rollback' })
    await t.writer.setAddress(f.zoneId, 'b.undone.test', '192.0.2.1')
    await f.untilAddresses('b.undone.test', ['192.0.2.1'])
    expect(f.addresses('a.undone.test')).toBeUndefined()
    expect(toldOf(f.told, 'resync undone.test')).toEqual(['resync undone.test new-zone'])
  })

  it('that a late follower missed are read in pieces, and one of 2,500 names is not cut', async () => {
    const f = await t.followedZone('late.test')
    await f.stop()
    const many = Array.from({ length: 2_500 }, (_, n) => ({
      owner: `n${n}.late.test`,
      rdata: ['192.0.2.1'],
    }))
    await t.writer.setAddress(f.zoneId, 'before.late.test', '192.0.2.1')
    await t.writer.publish(f.zoneId, { records: many })
    for (let n = 1; n <= 300; n++)
      await t.writer.setAddress(f.zoneId, `n${n}.late.test`, '192.0.2.2')
    await t.writer.setAddress(f.zoneId, 'after.late.test', '192.0.2.1')
    const again = t.following({ store: f.store })
    await again.follower.current
    expect(again.serial('late.test')).toBe(404n)
    expect(toldOf(again.told, 'resync')).toEqual([])
    expect(toldOf(again.told, 'applied late.test').length).toBeGreaterThan(1)
    expect(await again.digest('late.test')).toBe(await t.freshDigest('late.test'))
  })

  it('skip the serial whose SOA serial would be 0', async () => {
    const zoneId = await t.writer.addZone('wrap.test', 4_294_967_293)
    const f = t.following()
    await f.follower.current
    await t.writer.setAddress(zoneId, 'a.wrap.test', '192.0.2.1')
    await t.writer.setAddress(zoneId, 'b.wrap.test', '192.0.2.1')
    await f.untilAddresses('b.wrap.test', ['192.0.2.1'])
    expect(f.serial('wrap.test')).toBe(4_294_967_297n)
    expect(toldOf(f.told, 'resync wrap.test')).toEqual(['resync wrap.test new-zone'])
  })

  it('include changed SOA fields', async () => {
    const f = await t.followedZone('soa.test')
    await t.writer.client.query('update zones set soa_minimum = 999 where id = $1', [f.zoneId])
    await t.writer.setAddress(f.zoneId, 'soa.test', '192.0.2.1')
    await f.untilAddresses('soa.test', ['192.0.2.1'])
    expect(f.store.held(f.zoneId)?.soaParameters.minimumSeconds).toBe(999)
  })
})

describe('lost notifications', () => {
  it('do no harm: the next poll finds the changes', async () => {
    const f = await t.followedZone('silent.test', { pollMs: 20 })
    const records = [{ owner: 'a.silent.test', rdata: ['192.0.2.1'] }]
    await t.writer.publish(f.zoneId, { records, notify: false })
    await f.untilAddresses('a.silent.test', ['192.0.2.1'])
    expect(toldOf(f.told, 'resync silent.test')).toEqual(['resync silent.test new-zone'])
  })

  it('after a lost connection a new one is made, and nothing is missed', async () => {
    const f = await t.followedZone('ended.test')
    for (let round = 1; round <= 5; round++) {
      await t.writer.client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where application_name = 'homing-dnsd' and datname = current_database()`,
      )
      await t.writer.setAddress(f.zoneId, 'a.ended.test', `192.0.2.${round}`)
      await f.untilAddresses('a.ended.test', [`192.0.2.${round}`])
    }
    expect(toldOf(f.told, 'resync ended.test')).toEqual(['resync ended.test new-zone'])
    expect(toldOf(f.told, 'source away').length).toBeGreaterThan(0)
  })

  it('malformed notifications are ignored', async () => {
    const f = await t.followedZone('sense.test')
    await t.writer.client.query(`select pg_notify('zone_change', '999999999')`)
    await t.writer.setAddress(f.zoneId, 'a.sense.test', '192.0.2.1')
    await f.untilAddresses('a.sense.test', ['192.0.2.1'])
    expect(toldOf(f.told, 'resync').filter((line) => !line.endsWith('new-zone'))).toEqual([])
  })
})

describe('zones', () => {
  it('are added and removed', async () => {
    const f = await t.followedZone('stays.test', { pollMs: 20 })
    const zoneId = await t.writer.addZone('comes.test')
    await f.until(() => f.serial('comes.test') === 101n)
    await t.writer.removeZone(zoneId)
    await f.until(() => f.told.includes('removed comes.test'))
    expect(f.serial('comes.test')).toBeUndefined()
    expect(f.serial('stays.test')).toBe(101n)
  })

  it('recreated under another id are never missing in between', async () => {
    const f = await t.followedZone('again.test', { pollMs: 20 })
    const missing: bigint[] = []
    const sample = setInterval(() => {
      if (f.serial('again.test') === undefined) missing.push(0n)
    }, 0)
    await t.writer.replaceZone(f.zoneId, 'again.test', 500)
    await f.until(() => f.serial('again.test') === 500n)
    clearInterval(sample)
    expect(missing).toEqual([])
    expect(f.store.held(f.zoneId)).toBeUndefined()
  })

  it('that got another owner while the follower was stopped keep nothing of the former one', async () => {
    const before = await t.followedZone('changed.test')
    await t.writer.setAddress(before.zoneId, 'former.changed.test', '192.0.2.1')
    await before.untilAddresses('former.changed.test', ['192.0.2.1'])
    await before.stop()
    const zoneId = await t.writer.replaceZone(before.zoneId, 'changed.test', 500)
    await t.writer.setAddress(zoneId, 'new.changed.test', '192.0.2.2')
    const f = t.following({ store: before.store, pollMs: 20 })
    await f.untilAddresses('new.changed.test', ['192.0.2.2'])
    expect(f.addresses('former.changed.test')).toBeUndefined()
    expect(f.store.held(before.zoneId)).toBeUndefined()
  })

  it('that are withheld are removed, and come back whole', async () => {
    await t.followedZone('beside.test')
    const f = await t.followedZone('withheld.test', { pollMs: 20 })
    const serve = (isServed: boolean) =>
      t.writer.client.query('update zones set is_served = $1 where id = $2', [isServed, f.zoneId])
    await serve(false)
    await f.until(() => f.serial('withheld.test') === undefined)
    await t.writer.setAddress(f.zoneId, 'a.withheld.test', '192.0.2.1')
    await serve(true)
    await f.untilAddresses('a.withheld.test', ['192.0.2.1'])
    expect(await f.digest('withheld.test')).toBe(await t.freshDigest('withheld.test'))
  })
})

describe('two replicas', () => {
  it('have the same contents after random changes, even if one started late', async () => {
    const first = await t.followedZone('replica.test')
    const half = 150
    for (let n = 0; n < 2 * half; n++) {
      const owner = `n${(n * 31) % 40}.replica.test`
      if (n % 5 === 0) await t.writer.setAddress(first.zoneId, owner)
      else await t.writer.setAddress(first.zoneId, owner, `192.0.2.${n % 256}`)
      if (n === half) t.following()
    }
    const [, second] = t.running
    await first.until(() => first.serial('replica.test') === 401n)
    await second?.until(() => second.serial('replica.test') === 401n)
    expect(await second?.digest('replica.test')).toBe(await first.digest('replica.test'))
    expect(await first.digest('replica.test')).toBe(await t.freshDigest('replica.test'))
  })

  it('a digest detects any difference', async () => {
    const f = await t.followedZone('digest.test')
    const digests = new Set([await f.digest('digest.test')])
    for (const [n, rdata] of [['192.0.2.1'], ['192.0.2.2'], ['192.0.2.1', '192.0.2.2']].entries()) {
      await t.writer.setAddress(f.zoneId, 'a.digest.test', ...rdata)
      await f.until(() => f.serial('digest.test') === BigInt(102 + n))
      digests.add(await f.digest('digest.test'))
    }
    expect(digests.size).toBe(4)
  })
})

describe('the role homing_dnsd', () => {
  it('can read everything that a follower needs', async () => {
    const login = `dnsd_${process.pid}`
    await t.writer.client.query(`create role ${login} login password 'secret' in role homing_dnsd`)
    const url = new URL(t.url)
    url.username = login
    url.password = 'secret'
    const zoneId = await t.writer.addZone('role.test')
    const f = t.following({ url: url.href })
    await f.follower.current
    await t.writer.setAddress(zoneId, 'a.role.test', '192.0.2.1')
    await f.untilAddresses('a.role.test', ['192.0.2.1'])
    expect(f.serial('role.test')).toBe(102n)
    await f.stop()
    await t.writer.client.query(`drop role ${login}`)
  })
})
