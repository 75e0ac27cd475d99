import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import type { ZoneStore } from '../../src/store/index.ts'
import { FeedWriter } from '../support/feed-writer.ts'
import { follow, type Following } from '../support/following.ts'

let database: TestDatabase
let writer: FeedWriter
const running: Following[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  writer = await FeedWriter.connect(database.url)
})
afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => each.stop()))
})
afterAll(async () => {
  await writer.end()
  await database.drop()
})

function following(options: { pollMs?: number; store?: ZoneStore } = {}): Following {
  const started = follow(database.url, options)
  running.push(started)
  return started
}

/** A zone of its own for a test, and a follower that holds it. */
async function followedZone(
  name: string,
  options: { pollMs?: number } = {},
): Promise<Following & { zoneId: string }> {
  const zoneId = await writer.addZone(name)
  const started = following(options)
  await started.follower.current
  return { ...started, zoneId }
}

/** What a follower that has just come holds. */
async function freshDigest(zone: string): Promise<string> {
  const fresh = follow(database.url)
  await fresh.follower.current
  await fresh.stop()
  return fresh.digest(zone)
}

const lines = (told: readonly string[], event: string): string[] =>
  told.filter((line) => line.startsWith(event))

describe('change sets', () => {
  it('arrive by notification, deletions and other types with them', async () => {
    const f = await followedZone('notified.test')
    await writer.setAddress(f.zoneId, 'a.notified.test', '192.0.2.1', '192.0.2.2')
    await f.untilAddresses('a.notified.test', ['192.0.2.1', '192.0.2.2'])
    const records = [
      { owner: 'a.notified.test' },
      { owner: 'b.notified.test', rdata: ['192.0.2.3'] },
      { owner: 'b.notified.test', type: 'TXT', rdata: ['"a \\"b\\" c"', '"d"'] },
    ]
    await writer.publish(f.zoneId, { records })
    await f.untilAddresses('b.notified.test', ['192.0.2.3'])
    expect(f.addresses('a.notified.test')).toBeUndefined()
    expect(await f.digest('notified.test')).toBe(await freshDigest('notified.test'))
    expect(f.serial('notified.test')).toBe(103n)
  })

  it('are seen as a whole or not at all, one after the other, however fast they come', async () => {
    const f = await followedZone('whole.test')
    const pairs = new Set<string>()
    const sample = setInterval(() => {
      pairs.add([f.addresses('left.whole.test'), f.addresses('right.whole.test')].join(' '))
    }, 0)
    for (let n = 1; n <= 150; n++) {
      const rdata = [`192.0.2.${n}`]
      const records = ['left', 'right'].map((label) => ({ owner: `${label}.whole.test`, rdata }))
      await writer.publish(f.zoneId, { records })
    }
    await f.untilAddresses('right.whole.test', ['192.0.2.150'])
    clearInterval(sample)
    for (const pair of pairs) expect(pair).toMatch(/^(\S*) \1$/)
    expect(f.serial('whole.test')).toBe(251n)
    expect(lines(f.told, 'resync')).toEqual(
      expect.not.arrayContaining([expect.stringMatching(/whole\.test (?!new-zone)/)]),
    )
  })

  it('that were rolled back leave no trace and no gap', async () => {
    const f = await followedZone('undone.test')
    const records = [{ owner: 'a.undone.test', rdata: ['192.0.2.66'] }]
    await writer.publish(f.zoneId, { records, end: 'rollback' })
    await writer.setAddress(f.zoneId, 'b.undone.test', '192.0.2.1')
    await f.untilAddresses('b.undone.test', ['192.0.2.1'])
    expect(f.addresses('a.undone.test')).toBeUndefined()
    expect(lines(f.told, 'resync undone.test')).toEqual(['resync undone.test new-zone'])
  })

  it('that wait for a late follower are read in pieces, and one of 2,500 names is not cut', async () => {
    const f = await followedZone('late.test')
    await f.stop()
    const many = Array.from({ length: 2_500 }, (_, n) => ({
      owner: `n${n}.late.test`,
      rdata: ['192.0.2.1'],
    }))
    await writer.setAddress(f.zoneId, 'before.late.test', '192.0.2.1')
    await writer.publish(f.zoneId, { records: many })
    for (let n = 1; n <= 300; n++) await writer.setAddress(f.zoneId, `n${n}.late.test`, '192.0.2.2')
    await writer.setAddress(f.zoneId, 'after.late.test', '192.0.2.1')
    const again = following({ store: f.store })
    await again.follower.current
    expect(again.serial('late.test')).toBe(404n)
    expect(lines(again.told, 'resync')).toEqual([])
    expect(lines(again.told, 'applied late.test').length).toBeGreaterThan(1)
    expect(await again.digest('late.test')).toBe(await freshDigest('late.test'))
  })

  it('skip the serial whose SOA serial would be 0', async () => {
    const zoneId = await writer.addZone('wrap.test', 4_294_967_293)
    const f = following()
    await f.follower.current
    await writer.setAddress(zoneId, 'a.wrap.test', '192.0.2.1')
    await writer.setAddress(zoneId, 'b.wrap.test', '192.0.2.1')
    await f.untilAddresses('b.wrap.test', ['192.0.2.1'])
    expect(f.serial('wrap.test')).toBe(4_294_967_297n)
    expect(lines(f.told, 'resync wrap.test')).toEqual(['resync wrap.test new-zone'])
  })

  it('bring changed SOA fields along', async () => {
    const f = await followedZone('soa.test')
    await writer.client.query('update zones set soa_minimum = 999 where id = $1', [f.zoneId])
    await writer.setAddress(f.zoneId, 'soa.test', '192.0.2.1')
    await f.untilAddresses('soa.test', ['192.0.2.1'])
    expect(f.store.held(f.zoneId)?.soaParameters.minimumSeconds).toBe(999)
  })
})

describe('lost notifications', () => {
  it('do not matter: the poll finds what they would have told', async () => {
    const f = await followedZone('silent.test', { pollMs: 20 })
    const records = [{ owner: 'a.silent.test', rdata: ['192.0.2.1'] }]
    await writer.publish(f.zoneId, { records, notify: false })
    await f.untilAddresses('a.silent.test', ['192.0.2.1'])
    expect(lines(f.told, 'resync silent.test')).toEqual(['resync silent.test new-zone'])
  })

  it('a listening connection that is ended is made again, and nothing is missed', async () => {
    const f = await followedZone('ended.test')
    for (let round = 1; round <= 5; round++) {
      await writer.client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where application_name = 'homing-dnsd' and datname = current_database()`,
      )
      await writer.setAddress(f.zoneId, 'a.ended.test', `192.0.2.${round}`)
      await f.untilAddresses('a.ended.test', [`192.0.2.${round}`])
    }
    expect(lines(f.told, 'resync ended.test')).toEqual(['resync ended.test new-zone'])
    expect(lines(f.told, 'source away').length).toBeGreaterThan(0)
  })

  it('notifications of no sense are ignored', async () => {
    const f = await followedZone('sense.test')
    await writer.client.query(`select pg_notify('zone_change', '999999999')`)
    await writer.setAddress(f.zoneId, 'a.sense.test', '192.0.2.1')
    await f.untilAddresses('a.sense.test', ['192.0.2.1'])
    expect(lines(f.told, 'resync').filter((line) => !line.endsWith('new-zone'))).toEqual([])
  })
})

describe('a history that broke', () => {
  it('behind the retention: the zone is read as a whole, and told', async () => {
    const f = await followedZone('behind.test')
    await f.stop()
    for (let n = 1; n <= 5; n++) await writer.setAddress(f.zoneId, 'a.behind.test', `192.0.2.${n}`)
    await writer.client.query('delete from zone_changes where zone_id = $1 and serial < 105', [
      f.zoneId,
    ])
    const again = following({ store: f.store })
    await again.follower.current
    expect(lines(again.told, 'resync')).toEqual(['resync behind.test behind-retention'])
    expect(again.addresses('a.behind.test')).toEqual(['192.0.2.5'])
  })

  it('behind the retention with no set left at all', async () => {
    const f = await followedZone('empty.test')
    await f.stop()
    await writer.setAddress(f.zoneId, 'a.empty.test', '192.0.2.1')
    await writer.client.query('delete from zone_changes where zone_id = $1', [f.zoneId])
    const again = following({ store: f.store })
    await again.follower.current
    expect(lines(again.told, 'resync')).toEqual(['resync empty.test behind-retention'])
    expect(again.addresses('a.empty.test')).toEqual(['192.0.2.1'])
  })

  it('idle beyond the retention: the set it holds is gone, and the next one fits all the same', async () => {
    const f = await followedZone('idle.test')
    await writer.client.query('delete from zone_changes where zone_id = $1', [f.zoneId])
    await writer.setAddress(f.zoneId, 'a.idle.test', '192.0.2.1')
    await f.untilAddresses('a.idle.test', ['192.0.2.1'])
    expect(lines(f.told, 'resync idle.test')).toEqual(['resync idle.test new-zone'])
  })

  /** Takes the zone's rows back to what they are now, as a restore does. */
  async function backup(zoneId: string): Promise<() => Promise<void>> {
    const tables = ['records', 'zone_changes', 'zone_serials'] as const
    const copies: string[] = []
    for (const table of tables) {
      const rows = await writer.client.query<{ rows: string }>(
        `select coalesce(json_agg(t), '[]')::text as rows from ${table} t where zone_id = $1`,
        [zoneId],
      )
      copies.push(rows.rows[0]?.rows ?? '[]')
    }
    return async () => {
      await writer.client.query('begin')
      for (const [at, table] of tables.entries()) {
        await writer.client.query(`delete from ${table} where zone_id = $1`, [zoneId])
        const overriding = table === 'records' ? 'overriding system value' : ''
        await writer.client.query(
          `insert into ${table} ${overriding} select * from json_populate_recordset(null::${table}, $1)`,
          [copies[at]],
        )
      }
      await writer.client.query('commit')
    }
  }

  it('a restored database whose serial went back is noticed while following', async () => {
    const f = await followedZone('back.test', { pollMs: 20 })
    await writer.setAddress(f.zoneId, 'a.back.test', '192.0.2.1')
    const restore = await backup(f.zoneId)
    await writer.setAddress(f.zoneId, 'a.back.test', '192.0.2.2')
    await f.untilAddresses('a.back.test', ['192.0.2.2'])
    await restore()
    await f.untilAddresses('a.back.test', ['192.0.2.1'])
    expect(lines(f.told, 'resync back.test').at(-1)).toBe('resync back.test serial-went-back')
  })

  it.each([
    ['to the same serial', 3],
    ['past it', 4],
    ['far past it', 9],
  ])('a restored database that grew again %s is noticed', async (_how, sets) => {
    const zone = `grown-${sets}.test`
    const f = await followedZone(zone)
    await writer.setAddress(f.zoneId, `a.${zone}`, '192.0.2.1')
    const restore = await backup(f.zoneId)
    for (let n = 0; n < 3; n++) await writer.setAddress(f.zoneId, `lost-${n}.${zone}`, '192.0.2.66')
    await f.untilAddresses(`lost-2.${zone}`, ['192.0.2.66'])
    await f.stop()
    await restore()
    for (let n = 0; n < sets; n++)
      await writer.setAddress(f.zoneId, `new-${n}.${zone}`, '192.0.2.1')
    const again = following({ store: f.store })
    await again.follower.current
    expect(lines(again.told, 'resync')).toEqual([`resync ${zone} history-differs`])
    expect(again.addresses(`lost-1.${zone}`)).toBeUndefined()
    expect(await again.digest(zone)).toBe(await freshDigest(zone))
  })

  it('a new feed id means that all is to be read again', async () => {
    const f = await followedZone('feed.test', { pollMs: 20 })
    await writer.client.query(
      `update zone_serials set feed_id = gen_random_uuid(), serial = serial + 268435456,
         previous_token = token, token = gen_random_uuid() where zone_id = $1`,
      [f.zoneId],
    )
    await f.until(() => f.serial('feed.test') === 268_435_557n)
    expect(f.told).toContain('resync feed.test feed-changed')
    await writer.setAddress(f.zoneId, 'a.feed.test', '192.0.2.1')
    await f.untilAddresses('a.feed.test', ['192.0.2.1'])
  })

  it('the zone that is held answers until the other one is whole', async () => {
    const f = await followedZone('kept.test')
    await writer.setAddress(f.zoneId, 'a.kept.test', '192.0.2.1')
    await f.untilAddresses('a.kept.test', ['192.0.2.1'])
    await f.stop()
    await writer.setAddress(f.zoneId, 'b.kept.test', '192.0.2.2')
    await writer.client.query('delete from zone_changes where zone_id = $1', [f.zoneId])
    const again = following({ store: f.store })
    const seen: (string[] | undefined)[] = []
    const sample = setInterval(() => seen.push(again.addresses('a.kept.test')), 0)
    await again.follower.current
    clearInterval(sample)
    expect(again.addresses('b.kept.test')).toEqual(['192.0.2.2'])
    for (const each of seen) expect(each).toEqual(['192.0.2.1'])
  })
})

describe('zones', () => {
  it('come and go', async () => {
    const f = await followedZone('stays.test', { pollMs: 20 })
    const zoneId = await writer.addZone('comes.test')
    await f.until(() => f.serial('comes.test') === 101n)
    await writer.removeZone(zoneId)
    await f.until(() => f.told.includes('removed comes.test'))
    expect(f.serial('comes.test')).toBeUndefined()
    expect(f.serial('stays.test')).toBe(101n)
  })

  it('made again under another id are never missing in between', async () => {
    const f = await followedZone('again.test', { pollMs: 20 })
    const missing: bigint[] = []
    const sample = setInterval(() => {
      if (f.serial('again.test') === undefined) missing.push(0n)
    }, 0)
    await writer.client.query('begin')
    await writer.client.query('delete from zone_changes where zone_id = $1', [f.zoneId])
    await writer.client.query('delete from zone_serials where zone_id = $1', [f.zoneId])
    await writer.client.query('delete from zones where id = $1', [f.zoneId])
    const made = await writer.client.query<{ id: string }>(
      `insert into zones (name, soa_mname, soa_rname) values ('again.test', 'ns1.x.test', 'h.x.test') returning id`,
    )
    await writer.client.query(
      `insert into zone_serials values ($1, 500, gen_random_uuid(), gen_random_uuid(), gen_random_uuid())`,
      [made.rows[0]?.id],
    )
    await writer.client.query('commit')
    await f.until(() => f.serial('again.test') === 500n)
    clearInterval(sample)
    expect(missing).toEqual([])
    expect(f.store.held(f.zoneId)).toBeUndefined()
  })
})

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
    const skipped = lines(f.told, `skipped ${zone}`)
    expect(skipped).toHaveLength(9)
    expect(new Set(skipped).size).toBe(9)
    expect(skipped.join('\n')).toContain(`bad-address.${zone}`)
  }

  it('in a change set cost nothing but themselves, and are told of once', async () => {
    const f = await followedZone('poison.test')
    await writer.publish(f.zoneId, { records: records('poison.test') })
    await writer.publish(f.zoneId, { records: records('poison.test') })
    await f.until(() => f.serial('poison.test') === 103n)
    expectTheRest(f, 'poison.test')
    expect(await f.digest('poison.test')).toBe(await freshDigest('poison.test'))
  })

  it('in a whole zone', async () => {
    const zoneId = await writer.addZone('poisoned.test')
    await writer.publish(zoneId, { records: records('poisoned.test') })
    const f = following()
    await f.follower.current
    expectTheRest(f, 'poisoned.test')
    expect(await f.digest('poisoned.test')).toBe(await freshDigest('poisoned.test'))
  })

  it('a zone whose own name is none is left out, and the others are served', async () => {
    const zoneId = await writer.addZone('bad..name.test')
    const f = await followedZone('beside.test', { pollMs: 20 })
    await writer.setAddress(f.zoneId, 'a.beside.test', '192.0.2.1')
    await f.untilAddresses('a.beside.test', ['192.0.2.1'])
    expect(lines(f.told, 'skipped bad..name.test')).toHaveLength(1)
    await writer.removeZone(zoneId)
  })
})

describe('a SOA that cannot be served', () => {
  it('stays as it was, and everything else goes on', async () => {
    const f = await followedZone('soa-bad.test')
    await writer.client.query('update zones set soa_refresh = -1 where id = $1', [f.zoneId])
    await writer.setAddress(f.zoneId, 'a.soa-bad.test', '192.0.2.1')
    await f.untilAddresses('a.soa-bad.test', ['192.0.2.1'])
    expect(f.store.held(f.zoneId)?.soaParameters.refreshSeconds).toBe(3600)
    expect(lines(f.told, 'skipped soa-bad.test')).toEqual([
      'skipped soa-bad.test soa-bad.test SOA: a number of the SOA is negative',
    ])
  })
})

describe('two replicas', () => {
  it('hold the same after random changes, though one came late', async () => {
    const first = await followedZone('replica.test')
    const half = 150
    for (let n = 0; n < 2 * half; n++) {
      const owner = `n${(n * 31) % 40}.replica.test`
      if (n % 5 === 0) await writer.setAddress(first.zoneId, owner)
      else await writer.setAddress(first.zoneId, owner, `192.0.2.${n % 256}`)
      if (n === half) following()
    }
    const [, second] = running
    await first.until(() => first.serial('replica.test') === 401n)
    await second?.until(() => second.serial('replica.test') === 401n)
    expect(await second?.digest('replica.test')).toBe(await first.digest('replica.test'))
    expect(await first.digest('replica.test')).toBe(await freshDigest('replica.test'))
  })

  it('a digest tells any difference', async () => {
    const f = await followedZone('digest.test')
    const digests = new Set([await f.digest('digest.test')])
    for (const [n, rdata] of [['192.0.2.1'], ['192.0.2.2'], ['192.0.2.1', '192.0.2.2']].entries()) {
      await writer.setAddress(f.zoneId, 'a.digest.test', ...rdata)
      await f.until(() => f.serial('digest.test') === BigInt(102 + n))
      digests.add(await f.digest('digest.test'))
    }
    expect(digests.size).toBe(4)
  })
})

describe('the role homing_dnsd', () => {
  it('reads all that a follower needs', async () => {
    const login = `dnsd_${process.pid}`
    await writer.client.query(`create role ${login} login password 'secret' in role homing_dnsd`)
    const url = new URL(database.url)
    url.username = login
    url.password = 'secret'
    const zoneId = await writer.addZone('role.test')
    const f = follow(url.href)
    running.push(f)
    await f.follower.current
    await writer.setAddress(zoneId, 'a.role.test', '192.0.2.1')
    await f.untilAddresses('a.role.test', ['192.0.2.1'])
    expect(f.serial('role.test')).toBe(102n)
    await f.stop()
    await writer.client.query(`drop role ${login}`)
  })
})
