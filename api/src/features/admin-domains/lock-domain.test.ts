/** An administrator locks a domain, which removes it from DNS, and unlocks it. */
import { type Domain } from '@homing/openapi'
import { describe, expect, test } from 'vitest'
import { type Caller } from '../../../test/support/api-world.ts'
import { call, problemOf } from '../../../test/support/calls.ts'
import {
  insertDomain,
  replay,
  tableState,
  toldSets,
  zoneId,
} from '../../../test/support/feed-world.ts'
import { query } from '../../database/sql.ts'
import { useAdminWorld } from '../../../test/support/admin-world.ts'

const t = useAdminWorld('pro')

const make = async (who: Caller, body: object): Promise<Domain> => {
  const reply = await call(t.world.app, 'POST', '/api/domains', { headers: who.headers, body })
  expect(reply.status).toBe(201)
  return reply.json<Domain>()
}

const turn = (id: string, verb: 'lock' | 'unlock', who = t.admin) =>
  call(t.world.app, 'POST', `/api/admin/domains/${id}/${verb}`, { headers: who.headers })

describe('locking', () => {
  /** Checks that followers of the feed have the state that the tables have; undefined: the name does not exist. */
  async function told(fqdn: string): Promise<unknown> {
    const zone = await zoneId(t.world.knex)
    const held = replay(await toldSets(t.world.knex, zone))
    expect(held[fqdn]).toEqual((await tableState(t.world.knex, zone))[fqdn])
    return held[fqdn]
  }
  const addressed = (ip: string) => [{ type: 'A', ttl: 60, rdata: [ip] }]

  test('removes the name and its wildcard from DNS, and unlocking restores them', async () => {
    const { id, fqdn } = await make(t.ada, {
      fqdn: `${t.ada.username}.homing.test`,
      record_ip: '192.0.2.7',
    })
    const body = { base_fqdn: fqdn }
    await call(t.world.app, 'POST', '/api/domains/wildcard', { headers: t.ada.headers, body })
    const locked = await turn(id, 'lock')
    expect(locked.status).toBe(200)
    expect(locked.json()).toMatchObject({ is_active: false, withheld_by: ['locked'] })
    expect(await told(fqdn)).toBeUndefined()
    expect(await told(`*.${fqdn}`)).toBeUndefined()
    const unlocked = await turn(id, 'unlock')
    expect(unlocked.json()).toMatchObject({ is_active: true, withheld_by: [] })
    expect(await told(fqdn)).toEqual(addressed('192.0.2.7'))
    expect(await told(`*.${fqdn}`)).toEqual(addressed('192.0.2.7'))
  })

  test('the owner sees it, and cannot change or unlock the name', async () => {
    const { id } = await make(t.ada, {
      fqdn: `${t.ada.username}.homing.test`,
      record_ip: '192.0.2.7',
    })
    await turn(id, 'lock')
    const change = await call(t.world.app, 'PUT', `/api/domains/${id}`, {
      headers: t.ada.headers,
      body: { record_ip: '192.0.2.8' },
    })
    expect(problemOf(change).code).toBe('withheld')
    const mine = await t.get(`/api/domains/${id}`, t.ada)
    expect(mine.json()).toMatchObject({ is_active: false, record_ip: '192.0.2.7' })
  })

  test('a second lock changes nothing: no change set, no new version', async () => {
    const { id } = await make(t.ada, { fqdn: `${t.ada.username}.homing.test` })
    await turn(id, 'lock')
    const serial = async () =>
      (
        await query<{ serial: string }>(
          t.world.knex,
          'select sum(serial) as serial from zone_serials',
        )
      )[0]
    const before = await serial()
    expect((await turn(id, 'lock')).status).toBe(200)
    expect(await serial()).toEqual(before)
  })

  test('a name that is withheld for another reason is not restored with its lock', async () => {
    const domain = await insertDomain(t.world.knex, {
      userId: t.ada.id,
      fqdn: `${t.ada.username}.homing.test`,
    })
    await query(t.world.knex, 'update domains set paused = true where id = ?', [domain.id])
    await turn(domain.id, 'lock')
    const reply = await turn(domain.id, 'unlock')
    expect(reply.json()).toMatchObject({ is_active: false, withheld_by: ['paused'] })
  })

  test('the name’s history has the administrator', async () => {
    const { id } = await make(t.ada, { fqdn: `${t.ada.username}.homing.test` })
    await turn(id, 'lock')
    await turn(id, 'unlock')
    const events = await query(
      t.world.knex,
      `select kind, actor, actor_id from domain_events where domain_id = ? and kind <> 'created' order by id`,
      [id],
    )
    const who = { actor: 'administrator', actor_id: t.admin.id }
    expect(events).toEqual([
      { kind: 'withheld', ...who },
      { kind: 'restored', ...who },
    ])
  })

  test('a wildcard is locked with its domain', async () => {
    const base = await make(t.ada, {
      fqdn: `${t.ada.username}.homing.test`,
      record_ip: '192.0.2.7',
    })
    const body = { base_fqdn: base.fqdn }
    const made = await call(t.world.app, 'POST', '/api/domains/wildcard', {
      headers: t.ada.headers,
      body,
    })
    const { id } = made.json<Domain>()
    expect(problemOf(await turn(id, 'lock'))).toMatchObject({ status: 409, code: 'conflict' })
  })

  test('a wildcard that is created meanwhile is locked with its domain', async () => {
    for (let round = 0; round < 5; round += 1) {
      const fqdn = `${t.ada.username}-${round}.homing.test`
      const { id } = await make(t.ada, { fqdn, record_ip: '192.0.2.7' })
      await Promise.all([
        call(t.world.app, 'POST', '/api/domains/wildcard', {
          headers: t.ada.headers,
          body: { base_fqdn: fqdn },
        }),
        turn(id, 'lock'),
      ])
      const rows = await query<{ locked: boolean }>(
        t.world.knex,
        'select locked from domains where id = ? or base_id = ?',
        [id, id],
      )
      // The lock came first, so the wildcard does not exist.
      expect(rows.map(({ locked }) => locked)).not.toContain(false)
    }
  })

  test('of a concurrent lock and deletion, the first one counts', async () => {
    for (let round = 0; round < 5; round += 1) {
      const fqdn = `${t.ada.username}-${round}.homing.test`
      const { id } = await make(t.ada, { fqdn })
      const [deleted, locked] = await Promise.all([
        call(t.world.app, 'DELETE', `/api/domains/${id}`, { headers: t.ada.headers }),
        turn(id, 'lock'),
      ])
      expect([
        [204, 404],
        [403, 200],
      ]).toContainEqual([deleted.status, locked.status])
      const locks = await query(t.world.knex, 'select 1 from locked_names where fqdn = ?', [fqdn])
      expect(locks).toHaveLength(locked.status === 200 ? 1 : 0)
    }
  })

  test('a domain that does not exist is 404', async () => {
    for (const reply of [
      await turn('999999999', 'lock'),
      await turn('999999999', 'unlock'),
      await t.get('/api/admin/domains/999999999'),
    ]) {
      expect(problemOf(reply)).toMatchObject({ status: 404, code: 'not-found' })
    }
  })
})
