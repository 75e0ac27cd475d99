import type { Domain } from '@homing/openapi'
import { describe, expect, test } from 'vitest'
import { address, useDomainWorld } from '../../../test/support/domain-world.ts'
import { toldSets } from '../../../test/support/feed-world.ts'
import { applyAccountPlan } from '../../feed/account-plan.ts'
import { query } from '../../database/sql.ts'

const t = useDomainWorld()

describe('DELETE /api/domains/{id}', () => {
  test('the name is removed from DNS and reserved for its owner', async () => {
    const domain = await t.made(t.ada, {
      fqdn: `${t.fresh('gone')}.homing.test`,
      record_ip: '192.0.2.1',
    })
    const answer = await t.call(t.ada, 'DELETE', `/api/domains/${domain.id}`)
    expect(answer).toMatchObject({ status: 204, body: '' })
    expect(await t.served(domain.fqdn)).toBeUndefined()
    expect((await t.call(t.ada, 'GET', `/api/domains/${domain.id}`)).status).toBe(404)
    expect((await t.call(t.ada, 'DELETE', `/api/domains/${domain.id}`)).status).toBe(404)
    expect(await t.events(domain.id)).toMatchObject([
      { kind: 'created' },
      { kind: 'deleted', old: '192.0.2.1', new: null },
    ])

    for (const fqdn of [domain.fqdn, `x.${domain.fqdn}`]) {
      expect(await t.refused(t.bob, 'POST', '/api/domains', { fqdn })).toMatchObject({
        status: 409,
        code: 'name-reserved',
      })
    }
    const again = await t.made(t.ada, { fqdn: domain.fqdn })
    expect(again.id).not.toBe(domain.id)
  })

  test('a reservation below a name prevents others from registering the name, and ends after 30 days', async () => {
    const label = t.fresh('kept')
    const { id } = await t.made(t.ada, { fqdn: `nas.${label}.homing.test` })
    await t.call(t.ada, 'DELETE', `/api/domains/${id}`)
    const fqdn = `${label}.homing.test`
    expect(await t.refused(t.bob, 'POST', '/api/domains', { fqdn })).toMatchObject({
      code: 'name-reserved',
    })
    const [row] = await query<{ days: number }>(
      t.world.knex,
      `select round(extract(epoch from reserved_until - now()) / 86400)::int as days from name_reservations where fqdn = ?`,
      [`nas.${fqdn}`],
    )
    expect(row?.days).toBe(30)
    await query(
      t.world.knex,
      `update name_reservations set reserved_until = now() where fqdn = ?`,
      [`nas.${fqdn}`],
    )
    await t.made(t.bob, { fqdn })
  })

  test('by name; a domain of another account is not found', async () => {
    const domain = await t.made(t.ada, { fqdn: `${t.fresh('byname')}.homing.test` })
    expect((await t.call(t.bob, 'DELETE', `/api/domains/fqdn/${domain.fqdn}`)).status).toBe(404)
    expect((await t.call(t.ada, 'DELETE', `/api/domains/fqdn/${domain.fqdn}`)).status).toBe(204)
  })

  test('a free place restores the oldest withheld name, in the same change set', async () => {
    const mine: Domain[] = []
    for (let n = 0; n < 7; n += 1) {
      mine.push(
        await t.made(t.ada, { fqdn: `${t.fresh('old')}-${n}.homing.test`, record_ip: '192.0.2.1' }),
      )
    }
    await t.world.knex.transaction(async (trx) => {
      await query(trx, `update users set account_type = 'free' where id = ?`, [t.ada.id])
      await applyAccountPlan(trx, t.ada.id)
    })
    expect(await t.served(mine[5]?.fqdn ?? '')).toBeUndefined()
    const before = (await toldSets(t.world.knex, t.zone)).length
    await t.call(t.ada, 'DELETE', `/api/domains/${mine[0]?.id}`)
    expect(await t.served(mine[5]?.fqdn ?? '')).toEqual([address('A', '192.0.2.1', 3600)])
    expect(await t.served(mine[6]?.fqdn ?? '')).toBeUndefined()
    expect(await toldSets(t.world.knex, t.zone)).toHaveLength(before + 1)
  })

  test('while a whole account waits for its plan, a deletion is still a small change set', async () => {
    const one = await t.made(t.ada, {
      fqdn: `${t.fresh('one')}.homing.test`,
      record_ip: '192.0.2.1',
    })
    await query(
      t.world.knex,
      `insert into domains (user_id, zone_id, fqdn, rrtype, ttl, over_limit)
       select ?, ?, 'n' || n || '-' || ? || '.homing.test', 'A', 60, true from generate_series(1, 520) n`,
      [t.ada.id, t.zone, t.fresh('many')],
    )
    await query(t.world.knex, `update users set account_type = 'admin' where id = ?`, [t.ada.id])
    expect(await t.call(t.ada, 'DELETE', `/api/domains/${one.id}`)).toMatchObject({ status: 204 })
    const sets = await toldSets(t.world.knex, t.zone)
    expect(sets.at(-1)?.owners.size).toBe(11)
  })
})
