import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { lockDomains } from '../../src/feed/lock-order.ts'
import { publishDomains } from '../../src/feed/publish.ts'
import type { ZoneRow } from '../../src/feed/rows.ts'
import { query } from '../../src/sql.ts'
import { exportZone } from '../../src/feed/zone-file/export-zone.ts'
import { importZone } from '../../src/feed/zone-file/import-zone.ts'
import {
  NameRegisteredMeanwhile,
  ZoneFileRefused,
  ZoneNotExportable,
  ZoneNotImportable,
} from '../../src/feed/zone-file/problems.ts'
import { ensureZones, insertZone, lockProvisioning } from '../../src/feed/zone-provisioning.ts'
import {
  type FeedWorld,
  insertDomain,
  makeUser,
  NAMESERVERS,
  openFeedWorld,
  replay,
  tableState,
  toldSets,
  zoneId,
} from '../support/feed-world.ts'

let world: FeedWorld

beforeEach(async () => {
  world = await openFeedWorld()
})
afterEach(() => world.end())

const inChunks = (text: string) =>
  Readable.from(text.match(/.{1,50}/gs) ?? []).map((s) => Buffer.from(String(s)))

const load = (text: string, zone = 'homing.test', onBatch?: () => unknown) =>
  importZone({ databaseUrl: world.url, zone, source: inChunks(text), ...(onBatch && { onBatch }) })

async function exported(zone = 'homing.test', url = world.url): Promise<string[]> {
  let text = ''
  for await (const piece of exportZone(url, zone)) text += piece
  return text.trimEnd().split('\n')
}

const state = async (zone = 'homing.test') => tableState(world.knex, await zoneId(world.knex, zone))
const sets = async (zone = 'homing.test') => toldSets(world.knex, await zoneId(world.knex, zone))

const problemsOf = async (text: string) => {
  const error: unknown = await load(text).catch((caught: unknown) => caught)
  if (!(error instanceof ZoneFileRefused)) throw error
  return error.problems.map(({ line, message }) => `${line}: ${message}`)
}

async function expectFeedEqualsTables(zone = 'homing.test') {
  expect(replay(await sets(zone))).toEqual(await state(zone))
}

const HEAD = `$TTL 300
@ IN SOA ns.elsewhere.test. admin.elsewhere.test. 2026010101 7200 900 1209600 120
@ NS ns.elsewhere.test.
@ NS ns1
ns1 A 192.0.2.77
`

const EVERY_TYPE = `${HEAD}
@ MX 10 mail
@ TXT "v=spf1 -all" "back\\\\slash" "quote\\"d"
@ CAA 0 issue "ca.test"
a 60 A 192.0.2.1
a 60 A 192.0.2.2
a 60 AAAA 2001:DB8::1
*.wild 60 A 192.0.2.3
alias CNAME a
_sip._tcp SRV 10 5 5060 a
_443._tcp.a TLSA 3 1 1 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
a SSHFP 1 2 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
svc HTTPS 1 . alpn="h2,h3"
svc SVCB 1 a port=8443
ptr PTR a
naptr NAPTR 100 10 "u" "E2U+sip" "!^.*$!sip:info@homing.test!" .
tree DNAME elsewhere.test.
sub NS ns.sub
sub DS 1 13 2 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
ns.sub A 192.0.2.4
odd\\.dot A 192.0.2.5
odd\\032space TXT "x"
UPPER A 192.0.2.6
priv TYPE65280 \\# 2 ABCD
`

describe('import', () => {
  test('every type, the SOA and the NS set; the configured name servers give way', async () => {
    const report = await load(EVERY_TYPE)
    expect(report).toMatchObject({ created: false, records: 26, batches: 1, duplicates: 0 })
    const held = await state()
    expect(held['homing.test']).toHaveLength(4)
    expect(held['a.homing.test']).toEqual([
      { type: 'A', ttl: 60, rdata: ['192.0.2.1', '192.0.2.2'] },
      { type: 'AAAA', ttl: 60, rdata: ['2001:db8::1'] },
      expect.objectContaining({ type: 'SSHFP', ttl: 300 }),
    ])
    expect(held['upper.homing.test']).toHaveLength(1)
    expect(held['ns2.homing.test']).toBeUndefined()
    const [zone] = await query<ZoneRow>(world.knex, 'select * from zones')
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
    await expectFeedEqualsTables()
    await ensureZones(world.knex, { zones: ['homing.test'], nameservers: NAMESERVERS })
    expect(await state()).toEqual(held)
  })

  test('without SOA and NS the configured ones stay', async () => {
    const before = await state()
    await load('a A 192.0.2.1')
    expect(await state()).toEqual({ ...before, 'a.homing.test': expect.any(Array) })
    const [zone] = await query<ZoneRow>(world.knex, 'select * from zones')
    expect(zone?.soa_origin).toBe('system')
    await load('ns1 A 192.0.2.99')
    expect((await state())['ns1.homing.test']).toContainEqual(
      expect.objectContaining({ rdata: ['192.0.2.99'] }),
    )
    await ensureZones(world.knex, { zones: ['homing.test'], nameservers: NAMESERVERS })
    expect((await state())['ns1.homing.test']).toContainEqual(
      expect.objectContaining({ rdata: ['192.0.2.99'] }),
    )
  })

  test('a second import replaces what the first one gave, users keep theirs, the same again changes nothing', async () => {
    const userId = await makeUser(world.knex, 'ada')
    await world.knex.transaction(async (trx) => {
      const { id } = await insertDomain(trx, {
        userId,
        fqdn: 'mine.homing.test',
        ipv4: '192.0.2.9',
      })
      await publishDomains(trx, [id])
    })
    await load(`${HEAD}a A 192.0.2.1\nb A 192.0.2.2\nb TXT "b"\nc A 192.0.2.3\n`)
    const before = (await sets()).length
    await load(`${HEAD}a A 192.0.2.1\nb A 192.0.2.2\nc A 192.0.2.4\n`)
    const [last, ...others] = (await sets()).slice(before)
    expect(others).toEqual([])
    expect([...(last?.owners.keys() ?? [])].sort()).toEqual(['b.homing.test', 'c.homing.test'])
    expect((await state())['mine.homing.test']).toHaveLength(1)

    const report = await load(`${HEAD}a A 192.0.2.1\nb A 192.0.2.2\nc A 192.0.2.4\n`)
    expect(report).toMatchObject({ changedNames: 0, batches: 0 })
    expect(await sets()).toHaveLength(before + 1)
    await expectFeedEqualsTables()
  })

  test('a new SOA beside as many names as a set holds', async () => {
    await load(HEAD)
    const names = Array.from({ length: 500 }, (_, n) => `n${n} A 192.0.2.1\n`)
    await load(HEAD.replace('7200', '7201') + names.join(''))
    expect((await sets()).slice(-2).map((set) => set.owners.size)).toEqual([1, 500])
    await expectFeedEqualsTables()
  })

  test('a zone whose name servers came from a file is not left without any', async () => {
    await load(HEAD)
    const before = await state()
    await expect(load('a A 192.0.2.1')).rejects.toThrow(/needs NS records/)
    expect(await state()).toEqual(before)
  })

  test('a change of the SOA alone is told', async () => {
    await load(HEAD)
    const before = (await sets()).length
    await load(HEAD.replace('7200', '7201'))
    expect([...((await sets())[before]?.owners.keys() ?? [])]).toEqual(['homing.test'])
  })

  test('a zone that does not exist is made, hidden, when its file makes a zone', async () => {
    expect(await load(HEAD, 'New.Test.')).toMatchObject({ zone: 'new.test', created: true })
    const [zone] = await query<ZoneRow>(world.knex, `select * from zones where name = 'new.test'`)
    expect(zone).toMatchObject({ offered: false, configured_at: null, owner_id: null })
    await expectFeedEqualsTables('new.test')
    await expect(load('a A 192.0.2.1', 'other.test')).rejects.toThrow(ZoneNotImportable)
    await expect(load(HEAD, 'not..a.zone')).rejects.toThrow(/label/)
  })

  test("a user's own zone is not imported", async () => {
    const userId = await makeUser(world.knex, 'ada')
    await query(world.knex, `update zones set owner_id = ?`, [userId])
    await expect(load(HEAD)).rejects.toThrow(/user's own zone/)
  })

  test('more than 500 names: several sets, each at most 500 owners', async () => {
    const names = Array.from({ length: 1_250 }, (_, n) => `n${n} A 192.0.2.1\n`)
    const before = (await sets()).length
    expect(await load(names.join(''))).toMatchObject({ changedNames: 1_250, batches: 3 })
    const sizes = (await sets()).slice(before).map((set) => set.owners.size)
    expect(sizes).toEqual([500, 500, 250])
    await expectFeedEqualsTables()
  })

  test('records stated twice count once; two equal SOA records, as in a zone transfer, are one', async () => {
    const soa = HEAD.split('\n')[1]
    const report = await load(`${HEAD}a A 192.0.2.1\na A 192.0.2.1\n${soa}\n`)
    expect(report.duplicates).toBe(1)
  })

  test('withheld names below an imported wildcard become empty names, and vanish with it', async () => {
    const userId = await makeUser(world.knex, 'ada')
    const { id } = await insertDomain(world.knex, { userId, fqdn: 'paused.homing.test' })
    await world.knex.transaction(async (trx) => {
      await lockDomains(trx, [id])
      await query(trx, 'update domains set paused = true where id = ?', [id])
      await publishDomains(trx, [id])
    })
    await load('* A 192.0.2.1')
    expect(replay(await sets())['paused.homing.test']).toEqual([])
    const before = (await sets()).length
    await load('* A 192.0.2.2')
    expect([...((await sets())[before]?.owners.keys() ?? [])]).toEqual(['*.homing.test'])
    await load('a A 192.0.2.1')
    expect(replay(await sets())['paused.homing.test']).toBeUndefined()
    await expectFeedEqualsTables()
  })
})

describe('errors: each with its line, nothing imported', () => {
  test('of many kinds in one file', async () => {
    const before = await state()
    const file = [
      'a A 192.0.2',
      'b.other.test. A 192.0.2.1',
      'c FOO bar',
      'd CNAME a',
      'd TXT "x"',
      'e 60 A 192.0.2.1',
      'e 61 A 192.0.2.2',
      'f CNAME a',
      'f CNAME b',
      'g DNAME x.test.',
      'below.g A 192.0.2.1',
      '@ CNAME a',
      'h SOA a. b. 1 2 3 4 5',
      '@ SOA a. b. 1 2 3 4 5',
      '@ SOA a. b. 1 2 3 4 6',
      'i RRSIG A 13 2 60 20300101000000 20260101000000 1 homing.test. AA==',
      'good A 192.0.2.1',
    ]
    const problems = await problemsOf(file.join('\n'))
    expect(problems.map((problem) => Number.parseInt(problem, 10))).toEqual([
      1, 2, 3, 5, 7, 9, 11, 12, 13, 15, 16,
    ])
    expect(problems).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^2: b\.other\.test lies outside the zone homing\.test/),
        expect.stringMatching(/^5: d\.homing\.test has a CNAME record \(line 4\)/),
        expect.stringMatching(/^7: The A records of e\.homing\.test have different TTLs/),
        expect.stringMatching(/^9: f\.homing\.test has more than one CNAME/),
        expect.stringMatching(/^11: below\.g\.homing\.test lies below g\.homing\.test/),
        expect.stringMatching(/^15: A second SOA record/),
      ]),
    )
    expect(await state()).toEqual(before)
  })

  test('names of users: their own, below them, and what would hide them', async () => {
    const userId = await makeUser(world.knex, 'ada')
    for (const fqdn of ['mine.homing.test', 'x.deep.homing.test', 'y.tree.homing.test']) {
      await insertDomain(world.knex, { userId, fqdn, ipv4: '192.0.2.9' })
    }
    const file = [
      'mine TXT "x"',
      'a.b.mine A 192.0.2.1',
      'deep NS ns.elsewhere.test.',
      'tree DNAME elsewhere.test.',
      'fine A 192.0.2.1',
      'xmine A 192.0.2.1',
    ]
    expect(await problemsOf(file.join('\n'))).toEqual([
      "1: mine.homing.test is a user's domain.",
      "2: a.b.mine.homing.test lies below mine.homing.test, which is a user's domain.",
      "3: The NS records of deep.homing.test would hide x.deep.homing.test, which is a user's domain.",
      "4: The DNAME records of tree.homing.test would hide y.tree.homing.test, which is a user's domain.",
    ])
  })

  test('a dot within a label makes no name lie below another', async () => {
    const userId = await makeUser(world.knex, 'ada')
    await insertDomain(world.knex, { userId, fqdn: 'dot.homing.test', ipv4: '192.0.2.9' })
    await load('odd\\.dot A 192.0.2.1')
    expect(await problemsOf('odd\\\\.dot A 192.0.2.1')).toEqual([
      "1: odd\\\\.dot.homing.test lies below dot.homing.test, which is a user's domain.",
    ])
  })

  test('of one kind, more than are kept: all are counted', async () => {
    const file = Array.from(
      { length: 1_200 },
      (_, n) => `n${n} 60 A 192.0.2.1\nn${n} 61 A 192.0.2.2\n`,
    )
    const error: unknown = await load(file.join('')).catch((caught: unknown) => caught)
    expect(error).toMatchObject({ count: 1_200 })
    expect((error as ZoneFileRefused).problems).toHaveLength(1_000)
  })

  test('a hundred thousand wrong lines are counted and a thousand kept', async () => {
    const error: unknown = await load('a A 1\n'.repeat(100_000)).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(ZoneFileRefused)
    const { count, problems } = error as ZoneFileRefused
    expect(count).toBe(100_000)
    expect(problems).toHaveLength(1_000)
  })
})

describe('with others at the same time', () => {
  const many = (address: string) =>
    Array.from({ length: 3_000 }, (_, n) => `n${n} A ${address}\n`).join('')

  test('an import that is killed is finished by the next one', async () => {
    let batches = 0
    const broken = load(many('192.0.2.1'), 'homing.test', () => {
      batches += 1
      if (batches === 3) throw new Error('killed')
    })
    await expect(broken).rejects.toThrow('killed')
    await expectFeedEqualsTables()
    const report = await load(many('192.0.2.1'))
    expect(report.changedNames).toBe(1_500)
    expect(Object.keys(await state())).toHaveLength(3_003)
    await expectFeedEqualsTables()
  })

  test('one that is killed behind a wildcard has told what lies withheld below it', async () => {
    const userId = await makeUser(world.knex, 'ada')
    const { id } = await insertDomain(world.knex, { userId, fqdn: 'paused.homing.test' })
    await query(world.knex, 'update domains set paused = true where id = ?', [id])
    const broken = load(`* A 192.0.2.1\n${many('192.0.2.1')}`, 'homing.test', () => {
      throw new Error('killed')
    })
    await expect(broken).rejects.toThrow('killed')
    expect(replay(await sets())['paused.homing.test']).toEqual([])
    await expectFeedEqualsTables()
  })

  test('a zone that somebody else makes at the same moment is not made twice', async () => {
    const other = await world.connectAgain().transaction()
    await lockProvisioning(other)
    await insertZone(other, { name: 'new.test', offered: true, mname: 'ns.new.test' })
    const waiting = load(HEAD, 'new.test')
    await vi.waitUntil(async () => {
      const [row] = await query<{ waits: boolean }>(
        world.knex,
        `select exists (select from pg_locks where locktype = 'advisory' and not granted
           and database = (select oid from pg_database where datname = current_database())) as waits`,
      )
      return row?.waits
    })
    await other.commit()
    await expect(waiting).rejects.toThrow(/just now/)
  })

  test('its connection terminated by PostgreSQL: what was committed is whole', async () => {
    const kill = () =>
      query(
        world.knex,
        `select pg_terminate_backend(pid) from pg_stat_activity
         where application_name = 'homing-zone-import' and datname = current_database()`,
      )
    const broken = load(many('192.0.2.2'), 'homing.test', kill)
    await expect(broken).rejects.toBeInstanceOf(Error)
    await expectFeedEqualsTables()
    await load(many('192.0.2.2'))
    expect(Object.keys(await state())).toHaveLength(3_003)
  })

  test('two imports of one zone: the second one is refused', async () => {
    const seconds: unknown[] = []
    await load(many('192.0.2.3'), 'homing.test', async () => {
      seconds.push(await load(many('192.0.2.4')).catch((error: unknown) => error))
    })
    expect(seconds).toHaveLength(6)
    for (const second of seconds) expect(second).toBeInstanceOf(ZoneNotImportable)
  })

  test('updates go on while a zone is imported', async () => {
    const userId = await makeUser(world.knex, 'ada')
    const { id } = await insertDomain(world.knex, { userId, fqdn: 'mine.homing.test' })
    const stop = new AbortController()
    let updates = 0
    const updating = (async () => {
      while (!stop.signal.aborted) {
        await world.knex.transaction(async (trx) => {
          await lockDomains(trx, [id])
          updates += 1
          await query(trx, 'update domains set record_ipv4 = ? where id = ?', [
            `10.0.${updates >> 8}.${updates & 255}`,
            id,
          ])
          await publishDomains(trx, [id])
        })
        await delay(1)
      }
    })()
    let during = 0
    await load(many('192.0.2.5'), 'homing.test', () => (during = updates))
    stop.abort()
    await updating
    expect(during).toBeGreaterThan(3)
    await expectFeedEqualsTables()
  })

  test('a name registered in the middle of an import stops it, and both names stay right', async () => {
    const userId = await makeUser(world.knex, 'ada')
    const registered = new Set<string>()
    const broken = load(many('192.0.2.6'), 'homing.test', async () => {
      if (registered.size > 0) return
      await world.knex.transaction(async (trx) => {
        const row = await insertDomain(trx, { userId, fqdn: 'n999.homing.test', ipv4: '192.0.2.9' })
        await publishDomains(trx, [row.id])
        registered.add(row.id)
      })
    })
    await expect(broken).rejects.toThrow(NameRegisteredMeanwhile)
    expect((await state())['n999.homing.test']).toHaveLength(1)
    await expectFeedEqualsTables()
  })

  test.each(['NS ns.elsewhere.test.', 'DNAME elsewhere.test.'])(
    'a name registered below a coming %s stops the import, and stays',
    async (hiding) => {
      const userId = await makeUser(world.knex, 'ada')
      const broken = load(`${many('192.0.2.7')}zz ${hiding}\n`, 'homing.test', async () => {
        await query(world.knex, `delete from domains where fqdn = 'x.zz.homing.test'`)
        await insertDomain(world.knex, { userId, fqdn: 'x.zz.homing.test' })
      })
      await expect(broken).rejects.toThrow(/^x\.zz\.homing\.test became/)
      expect((await state())['zz.homing.test']).toBeUndefined()
    },
  )
})

describe('export', () => {
  test('SOA first, canonical order (RFC 4034 §6.1), escaped names in their places', async () => {
    await load(EVERY_TYPE)
    const lines = await exported()
    const owners = lines.map((line) => line.split(' ')[0])
    expect(lines[0]).toMatch(
      /^homing\.test\. 300 IN SOA ns\.elsewhere\.test\. admin\.elsewhere\.test\. \d+ 7200 900 1209600 120$/,
    )
    expect([...new Set(owners)]).toEqual(
      [
        '',
        '_sip._tcp.',
        'a.',
        '_443._tcp.a.',
        'alias.',
        'naptr.',
        'ns1.',
        'odd\\032space.',
        'odd\\.dot.',
        'priv.',
        'ptr.',
        'sub.',
        'ns.sub.',
        'svc.',
        'tree.',
        'upper.',
        '*.wild.',
      ].map((label) => `${label}homing.test.`),
    )
    expect(lines).toContain(
      String.raw`homing.test. 300 IN TXT "v=spf1 -all" "back\\slash" "quote\"d"`,
    )
  })

  test("users' names are in it, empty and withheld ones are not", async () => {
    const userId = await makeUser(world.knex, 'ada')
    await insertDomain(world.knex, { userId, fqdn: 'mine.homing.test', ipv4: '192.0.2.9' })
    await insertDomain(world.knex, { userId, fqdn: 'empty.homing.test' })
    const lines = await exported()
    expect(lines).toContain('mine.homing.test. 60 IN A 192.0.2.9')
    expect(lines.join()).not.toContain('empty')
  })

  test('what is exported and imported elsewhere is the same zone', async () => {
    await load(EVERY_TYPE)
    const userId = await makeUser(world.knex, 'ada')
    await insertDomain(world.knex, { userId, fqdn: 'mine.homing.test', ipv4: '192.0.2.9' })
    const lines = await exported()
    const other = await openFeedWorld([])
    try {
      await importZone({
        databaseUrl: other.url,
        zone: 'homing.test',
        source: inChunks(lines.join('\n')),
      })
      const again = await exported('homing.test', other.url)
      expect(again.slice(1)).toEqual(lines.slice(1))
      const there = await tableState(other.knex, await zoneId(other.knex))
      expect(there).toEqual(await state())
    } finally {
      await other.end()
    }
  })

  test('a reader that stops reading leaves no connection behind', async () => {
    await load(Array.from({ length: 20_000 }, (_, n) => `n${n} A 192.0.2.1\n`).join(''))
    for await (const piece of exportZone(world.url, 'homing.test')) {
      expect(piece).toContain('SOA')
      break
    }
    const left = () =>
      query(
        world.knex,
        `select from pg_stat_activity
         where application_name = 'homing-zone-export' and datname = current_database()`,
      )
    await vi.waitUntil(async () => (await left()).length === 0)
  })

  test('a connection that PostgreSQL ends is an error, not a short file', async () => {
    await load(Array.from({ length: 20_000 }, (_, n) => `n${n} A 192.0.2.1\n`).join(''))
    const broken = (async () => {
      for await (const _ of exportZone(world.url, 'homing.test')) {
        await query(
          world.knex,
          `select pg_terminate_backend(pid) from pg_stat_activity
           where application_name = 'homing-zone-export' and datname = current_database()`,
        )
      }
    })()
    await expect(broken).rejects.toBeInstanceOf(Error)
  })

  test('a zone that does not exist', async () => {
    await expect(exported('nowhere.test')).rejects.toThrow(ZoneNotExportable)
  })
})
