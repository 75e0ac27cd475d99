/** Exports a zone to a file, and imports the same zone from it. */
import { describe, expect, test } from 'vitest'
import { query } from '../../src/database/sql.ts'
import { exportZone } from '../../src/feed/zone-file/export-zone.ts'
import { importZone } from '../../src/feed/zone-file/import-zone.ts'
import { ZoneNotExportable } from '../../src/feed/zone-file/problems.ts'
import { insertDomain, makeUser, openFeedWorld, tableState, zoneId } from '../support/feed-world.ts'
import { EVERY_TYPE, inChunks, useZoneFileWorld } from '../support/zone-file-world.ts'

const t = useZoneFileWorld()

describe('export', () => {
  test('SOA first, canonical order (RFC 4034 §6.1), escaped names in their places', async () => {
    await t.load(EVERY_TYPE)
    const lines = await t.exported()
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

  test("it contains users' names, but neither empty nor withheld ones", async () => {
    const userId = await makeUser(t.knex, 'ada')
    await insertDomain(t.knex, { userId, fqdn: 'mine.homing.test', ipv4: '192.0.2.9' })
    await insertDomain(t.knex, { userId, fqdn: 'empty.homing.test' })
    const lines = await t.exported()
    expect(lines).toContain('mine.homing.test. 60 IN A 192.0.2.9')
    expect(lines.join()).not.toContain('empty')
  })

  test('an exported zone is the same after an import elsewhere', async () => {
    await t.load(EVERY_TYPE)
    const userId = await makeUser(t.knex, 'ada')
    await insertDomain(t.knex, { userId, fqdn: 'mine.homing.test', ipv4: '192.0.2.9' })
    const lines = await t.exported()
    const other = await openFeedWorld([])
    try {
      await importZone({
        databaseUrl: other.url,
        zone: 'homing.test',
        source: inChunks(lines.join('\n')),
      })
      const again = await t.exported('homing.test', other.url)
      expect(again.slice(1)).toEqual(lines.slice(1))
      const there = await tableState(other.knex, await zoneId(other.knex))
      expect(there).toEqual(await t.state())
    } finally {
      await other.end()
    }
  })

  test('a reader that stops reading leaves no connection open', async () => {
    await t.load(Array.from({ length: 20_000 }, (_, n) => `n${n} A 192.0.2.1\n`).join(''))
    for await (const piece of exportZone(t.feed.url, 'homing.test')) {
      expect(piece).toContain('SOA')
      break
    }
    const left = () =>
      query(
        t.knex,
        `select from pg_stat_activity
         where application_name = 'homing-zone-export' and datname = current_database()`,
      )
    await expect.poll(left).toEqual([])
  })

  test('a connection that PostgreSQL ends causes an error, not a short file', async () => {
    await t.load(Array.from({ length: 20_000 }, (_, n) => `n${n} A 192.0.2.1\n`).join(''))
    const broken = (async () => {
      for await (const _ of exportZone(t.feed.url, 'homing.test')) {
        await query(
          t.knex,
          `select pg_terminate_backend(pid) from pg_stat_activity
           where application_name = 'homing-zone-export' and datname = current_database()`,
        )
      }
    })()
    await expect(broken).rejects.toBeInstanceOf(Error)
  })

  test('a zone that does not exist', async () => {
    await expect(t.exported('nowhere.test')).rejects.toThrow(ZoneNotExportable)
  })
})
