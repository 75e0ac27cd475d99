/** An import concurrent with changes of names, zones and name servers. */
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { lockDomains } from '../../src/feed/lock-order.ts'
import { publishDomains } from '../../src/feed/publish.ts'
import { query } from '../../src/database/sql.ts'
import { NameRegisteredMeanwhile, ZoneNotImportable } from '../../src/feed/zone-file/problems.ts'
import { insertZone, lockProvisioning } from '../../src/feed/new-zone.ts'
import { insertDomain, makeUser, replay } from '../support/feed-world.ts'
import { HEAD, useZoneFileWorld } from '../support/zone-file-world.ts'

const t = useZoneFileWorld()

describe('concurrent changes', () => {
  const many = (address: string) =>
    Array.from({ length: 3_000 }, (_, n) => `n${n} A ${address}\n`).join('')

  test('a killed import is finished by the next one', async () => {
    let batches = 0
    const broken = t.load(many('192.0.2.1'), 'homing.test', () => {
      batches += 1
      if (batches === 3) throw new Error('killed')
    })
    await expect(broken).rejects.toThrow('killed')
    await t.expectFeedEqualsTables()
    const report = await t.load(many('192.0.2.1'))
    expect(report.changedNames).toBe(1_500)
    expect(Object.keys(await t.state())).toHaveLength(3_003)
    await t.expectFeedEqualsTables()
  })

  test('an import that was killed after a wildcard has published the withheld names below it', async () => {
    const userId = await makeUser(t.knex, 'ada')
    const { id } = await insertDomain(t.knex, { userId, fqdn: 'paused.homing.test' })
    await query(t.knex, 'update domains set paused = true where id = ?', [id])
    const broken = t.load(`* A 192.0.2.1\n${many('192.0.2.1')}`, 'homing.test', () => {
      throw new Error('killed')
    })
    await expect(broken).rejects.toThrow('killed')
    expect(replay(await t.sets())['paused.homing.test']).toEqual([])
    await t.expectFeedEqualsTables()
  })

  test('a zone that another process creates at the same moment is not created twice', async () => {
    const other = await t.feed.connectAgain().transaction()
    await lockProvisioning(other)
    await insertZone(other, { name: 'new.test', offered: true, mname: 'ns.new.test' })
    const waiting = t.load(HEAD, 'new.test')
    const waits = () =>
      query(
        t.knex,
        `select from pg_locks where locktype = 'advisory' and not granted
           and database = (select oid from pg_database where datname = current_database())`,
      )
    await expect.poll(waits).not.toEqual([])
    await other.commit()
    await expect(waiting).rejects.toThrow(/has just created/)
  })

  test('after PostgreSQL ends its connection, the committed part is complete', async () => {
    const kill = () =>
      query(
        t.knex,
        `select pg_terminate_backend(pid) from pg_stat_activity
         where application_name = 'homing-zone-import' and datname = current_database()`,
      )
    const broken = t.load(many('192.0.2.2'), 'homing.test', kill)
    await expect(broken).rejects.toBeInstanceOf(Error)
    await t.expectFeedEqualsTables()
    await t.load(many('192.0.2.2'))
    expect(Object.keys(await t.state())).toHaveLength(3_003)
  })

  test('two imports of one zone: the second one is refused', async () => {
    const seconds: unknown[] = []
    await t.load(many('192.0.2.3'), 'homing.test', async () => {
      seconds.push(await t.load(many('192.0.2.4')).catch((error: unknown) => error))
    })
    expect(seconds).toHaveLength(6)
    for (const second of seconds) expect(second).toBeInstanceOf(ZoneNotImportable)
  })

  test('updates continue during an import', async () => {
    const userId = await makeUser(t.knex, 'ada')
    const { id } = await insertDomain(t.knex, { userId, fqdn: 'mine.homing.test' })
    const stop = new AbortController()
    let updates = 0
    const updating = (async () => {
      while (!stop.signal.aborted) {
        await t.knex.transaction(async (trx) => {
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
    await t.load(many('192.0.2.5'), 'homing.test', () => (during = updates))
    stop.abort()
    await updating
    expect(during).toBeGreaterThan(3)
    await t.expectFeedEqualsTables()
  })

  test('a name registered during an import stops it, and both names are correct', async () => {
    const userId = await makeUser(t.knex, 'ada')
    const registered = new Set<string>()
    const broken = t.load(many('192.0.2.6'), 'homing.test', async () => {
      if (registered.size > 0) return
      await t.knex.transaction(async (trx) => {
        const row = await insertDomain(trx, { userId, fqdn: 'n999.homing.test', ipv4: '192.0.2.9' })
        await publishDomains(trx, [row.id])
        registered.add(row.id)
      })
    })
    await expect(broken).rejects.toThrow(NameRegisteredMeanwhile)
    expect((await t.state())['n999.homing.test']).toHaveLength(1)
    await t.expectFeedEqualsTables()
  })

  test.each(['NS ns.elsewhere.test.', 'DNAME elsewhere.test.'])(
    'a name registered below a new %s stops the import, and stays',
    async (hiding) => {
      const userId = await makeUser(t.knex, 'ada')
      const broken = t.load(`${many('192.0.2.7')}zz ${hiding}\n`, 'homing.test', async () => {
        await query(t.knex, `delete from domains where fqdn = 'x.zz.homing.test'`)
        await insertDomain(t.knex, { userId, fqdn: 'x.zz.homing.test' })
      })
      await expect(broken).rejects.toThrow(/^a user registered x\.zz\.homing\.test/)
      expect((await t.state())['zz.homing.test']).toBeUndefined()
    },
  )
})
