/** Imports of zone files: which records are imported, and what is reported. */
import { describe, expect, test } from 'vitest'
import { lockDomains } from '../../src/feed/lock-order.ts'
import { publishDomains } from '../../src/feed/publish.ts'
import type { ZoneRow } from '../../src/feed/rows.ts'
import { query } from '../../src/database/sql.ts'
import { ZoneNotImportable } from '../../src/feed/zone-file/problems.ts'
import { ensureZones } from '../../src/feed/zone-provisioning.ts'
import { insertDomain, makeUser, NAMESERVERS, replay } from '../support/feed-world.ts'
import { EVERY_TYPE, HEAD, useZoneFileWorld } from '../support/zone-file-world.ts'

const t = useZoneFileWorld()

describe('import', () => {
  test('every type, the SOA and the NS set; the configured name servers are replaced', async () => {
    const report = await t.load(EVERY_TYPE)
    expect(report).toMatchObject({ created: false, records: 26, batches: 1, duplicates: 0 })
    const held = await t.state()
    expect(held['homing.test']).toHaveLength(4)
    expect(held['a.homing.test']).toEqual([
      { type: 'A', ttl: 60, rdata: ['192.0.2.1', '192.0.2.2'] },
      { type: 'AAAA', ttl: 60, rdata: ['2001:db8::1'] },
      expect.objectContaining({ type: 'SSHFP', ttl: 300 }),
    ])
    expect(held['upper.homing.test']).toHaveLength(1)
    expect(held['ns2.homing.test']).toBeUndefined()
    const [zone] = await query<ZoneRow>(t.knex, 'select * from zones')
    expect(zone).toMatchObject({
      soa_origin: 'import',
      soa_mname: 'ns.elsewhere.test',
      soa_rname: 'admin.elsewhere.test',
      soa_refresh: 7200,
      soa_retry: 900,
      soa_expire: 1209600,
      soa_minimum: 120,
      soa_ttl: 300,
    })
    await t.expectFeedEqualsTables()
    await ensureZones(t.knex, { zones: ['homing.test'], nameservers: NAMESERVERS })
    expect(await t.state()).toEqual(held)
  })

  test('without SOA and NS the configured ones stay', async () => {
    const before = await t.state()
    await t.load('a A 192.0.2.1')
    expect(await t.state()).toEqual({ ...before, 'a.homing.test': expect.any(Array) })
    const [zone] = await query<ZoneRow>(t.knex, 'select * from zones')
    expect(zone?.soa_origin).toBe('system')
    await t.load('ns1 A 192.0.2.99')
    expect((await t.state())['ns1.homing.test']).toContainEqual(
      expect.objectContaining({ rdata: ['192.0.2.99'] }),
    )
    await ensureZones(t.knex, { zones: ['homing.test'], nameservers: NAMESERVERS })
    expect((await t.state())['ns1.homing.test']).toContainEqual(
      expect.objectContaining({ rdata: ['192.0.2.99'] }),
    )
  })

  test('a second import replaces the records of the first, users keep theirs, a repetition changes nothing', async () => {
    const userId = await makeUser(t.knex, 'ada')
    await t.knex.transaction(async (trx) => {
      const { id } = await insertDomain(trx, {
        userId,
        fqdn: 'mine.homing.test',
        ipv4: '192.0.2.9',
      })
      await publishDomains(trx, [id])
    })
    await t.load(`${HEAD}a A 192.0.2.1\nb A 192.0.2.2\nb TXT "b"\nc A 192.0.2.3\n`)
    const before = (await t.sets()).length
    await t.load(`${HEAD}a A 192.0.2.1\nb A 192.0.2.2\nc A 192.0.2.4\n`)
    const [last, ...others] = (await t.sets()).slice(before)
    expect(others).toEqual([])
    expect([...(last?.owners.keys() ?? [])].sort()).toEqual(['b.homing.test', 'c.homing.test'])
    expect((await t.state())['mine.homing.test']).toHaveLength(1)

    const report = await t.load(`${HEAD}a A 192.0.2.1\nb A 192.0.2.2\nc A 192.0.2.4\n`)
    expect(report).toMatchObject({ changedNames: 0, batches: 0 })
    expect(await t.sets()).toHaveLength(before + 1)
    await t.expectFeedEqualsTables()
  })

  test('a new SOA with the maximum number of names in one set', async () => {
    await t.load(HEAD)
    const names = Array.from({ length: 500 }, (_, n) => `n${n} A 192.0.2.1\n`)
    await t.load(HEAD.replace('7200', '7201') + names.join(''))
    expect((await t.sets()).slice(-2).map((set) => set.owners.size)).toEqual([1, 500])
    await t.expectFeedEqualsTables()
  })

  test('a zone whose name servers came from a file always keeps some', async () => {
    await t.load(HEAD)
    const before = await t.state()
    await expect(t.load('a A 192.0.2.1')).rejects.toThrow(/must contain NS records/)
    expect(await t.state()).toEqual(before)
  })

  test('a change of only the SOA is published', async () => {
    await t.load(HEAD)
    const before = (await t.sets()).length
    await t.load(HEAD.replace('7200', '7201'))
    expect([...((await t.sets())[before]?.owners.keys() ?? [])]).toEqual(['homing.test'])
  })

  test('a zone that does not exist is created, hidden, if its file has an SOA and NS records', async () => {
    expect(await t.load(HEAD, 'New.Test.')).toMatchObject({ zone: 'new.test', created: true })
    const [zone] = await query<ZoneRow>(t.knex, `select * from zones where name = 'new.test'`)
    expect(zone).toMatchObject({ offered: false, configured_at: null, owner_id: null })
    await t.expectFeedEqualsTables('new.test')
    await expect(t.load('a A 192.0.2.1', 'other.test')).rejects.toThrow(ZoneNotImportable)
    await expect(t.load(HEAD, 'not..a.zone')).rejects.toThrow(/label/)
  })

  test("a new zone that would hide a user's domain is refused", async () => {
    const userId = await makeUser(t.knex, 'ada')
    await insertDomain(t.knex, { userId, fqdn: 'nas.eu.homing.test', ipv4: '192.0.2.9' })
    const load = t.load(HEAD, 'eu.homing.test')
    await expect(load).rejects.toThrow(ZoneNotImportable)
    await expect(load).rejects.toThrow('it would hide nas.eu.homing.test')
    expect(await query(t.knex, `select from zones where name = 'eu.homing.test'`)).toEqual([])
  })

  test("a user's own zone is not imported", async () => {
    const userId = await makeUser(t.knex, 'ada')
    await query(t.knex, `update zones set owner_id = ?, is_own = true`, [userId])
    await expect(t.load(HEAD)).rejects.toThrow(/user's own zone/)
  })

  test('more than 500 names: several sets, each at most 500 owners', async () => {
    const names = Array.from({ length: 1_250 }, (_, n) => `n${n} A 192.0.2.1\n`)
    const before = (await t.sets()).length
    expect(await t.load(names.join(''))).toMatchObject({ changedNames: 1_250, batches: 3 })
    const sizes = (await t.sets()).slice(before).map((set) => set.owners.size)
    expect(sizes).toEqual([500, 500, 250])
    await t.expectFeedEqualsTables()
  })

  test('repeated records count once; two equal SOA records, as in a zone transfer, count as one', async () => {
    const soa = HEAD.split('\n')[1]
    const report = await t.load(`${HEAD}a A 192.0.2.1\na A 192.0.2.1\n${soa}\n`)
    expect(report.duplicates).toBe(1)
  })

  test('withheld names below an imported wildcard become empty names, and disappear with it', async () => {
    const userId = await makeUser(t.knex, 'ada')
    const { id } = await insertDomain(t.knex, { userId, fqdn: 'paused.homing.test' })
    await t.knex.transaction(async (trx) => {
      await lockDomains(trx, [id])
      await query(trx, 'update domains set paused = true where id = ?', [id])
      await publishDomains(trx, [id])
    })
    await t.load('* A 192.0.2.1')
    expect(replay(await t.sets())['paused.homing.test']).toEqual([])
    const before = (await t.sets()).length
    await t.load('* A 192.0.2.2')
    expect([...((await t.sets())[before]?.owners.keys() ?? [])]).toEqual(['*.homing.test'])
    await t.load('a A 192.0.2.1')
    expect(replay(await t.sets())['paused.homing.test']).toBeUndefined()
    await t.expectFeedEqualsTables()
  })
})
