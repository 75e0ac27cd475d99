/** A locked name stays out of DNS: for its owner, for other names around it, and after its account was deleted. */
import type { Domain } from '@homing/openapi'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Caller } from '../../../test/support/api-world.ts'
import { useDomainWorld } from '../../../test/support/domain-world.ts'
import { insertDomain } from '../../../test/support/feed-world.ts'
import { removeAccount } from '../../../test/support/remove-account.ts'
import { applyAccountPlan } from '../../feed/account-plan.ts'
import { query } from '../../database/sql.ts'

const t = useDomainWorld()
let boss: Caller
/** A locked domain of Ada's. */
let locked: Domain
/** A domain below it that was registered earlier. */
let below: Domain

const register = (who: Caller, fqdn: string) => t.refused(who, 'POST', '/api/domains', { fqdn })
const addWildcard = (who: Caller, base_fqdn: string) =>
  t.call(who, 'POST', '/api/domains/wildcard', { base_fqdn })
const turn = (verb: 'lock' | 'unlock', { id }: Domain) =>
  t.call(boss, 'POST', `/api/admin/domains/${id}/${verb}`)
const get = async ({ id }: Domain) =>
  JSON.parse((await t.call(t.ada, 'GET', `/api/domains/${id}`)).body) as Domain

async function makeLocked(): Promise<void> {
  const fqdn = `${t.fresh('evil')}.homing.test`
  locked = await t.made(t.ada, { fqdn, record_ip: '192.0.2.1' })
  below = await t.made(t.ada, { fqdn: `nas.${fqdn}`, record_ip: '192.0.2.2' })
  expect((await addWildcard(t.ada, fqdn)).status).toBe(201)
  expect((await turn('lock', locked)).status).toBe(200)
}

beforeEach(async () => {
  boss = await t.world.person(t.fresh('boss'), 'admin')
  await makeLocked()
})

describe('the owner of a locked domain', () => {
  test('cannot delete it, by id or by name, nor its wildcard: 403 `domain-locked`', async () => {
    for (const name of [locked.fqdn, `*.${locked.fqdn}`]) {
      const url = `/api/domains/fqdn/${encodeURIComponent(name)}`
      expect(await t.refused(t.ada, 'DELETE', url)).toMatchObject({
        status: 403,
        code: 'domain-locked',
        detail: `An administrator locked ${name}, so it cannot be deleted. Please contact support.`,
      })
    }
    expect((await t.refused(t.ada, 'DELETE', `/api/domains/${locked.id}`)).code).toBe(
      'domain-locked',
    )
    expect(await get(locked)).toMatchObject({ is_active: false, wildcard_enabled: true })
    await turn('unlock', locked)
    expect((await t.call(t.ada, 'DELETE', `/api/domains/${locked.id}`)).status).toBe(204)
  })

  test('cannot create a name or a wildcard there', async () => {
    for (const fqdn of [`new.${locked.fqdn}`, `a.nas.${locked.fqdn}`]) {
      expect(await register(t.ada, fqdn)).toMatchObject({ status: 403, code: 'domain-locked' })
    }
    const bare = await t.made(t.ada, {
      fqdn: `${t.fresh('bare')}.homing.test`,
      record_ip: '192.0.2.3',
    })
    await turn('lock', bare)
    for (const base of [bare, below]) {
      const body = { base_fqdn: base.fqdn }
      expect(await t.refused(t.ada, 'POST', '/api/domains/wildcard', body)).toMatchObject({
        status: 403,
        code: 'domain-locked',
      })
    }
  })

  test('cannot restore it by names that were below it before', async () => {
    const url = `/api/domains/${below.id}`
    for (const fqdn of [locked.fqdn, `*.${locked.fqdn}`, below.fqdn]) {
      expect(await t.served(fqdn)).toBeUndefined()
    }
    const change = { record_ip: '192.0.2.9' }
    expect((await t.refused(t.ada, 'PUT', url, change)).code).toBe('withheld')
    expect((await t.refused(t.ada, 'DELETE', url)).code).toBe('domain-locked')
    await turn('unlock', locked)
    expect(await t.served(below.fqdn)).toBeDefined()
  })

  test('cannot restore it by another plan, or when the account is enabled again', async () => {
    const settle = (sql: string) =>
      t.world.knex.transaction(async (trx) => {
        await query(trx, sql, [t.ada.id])
        await applyAccountPlan(trx, t.ada.id)
      })
    await settle('update users set enabled = false where id = ?')
    await settle(`update users set enabled = true, account_type = 'elite' where id = ?`)
    for (const domain of [locked, below]) {
      expect(await get(domain)).toMatchObject({ is_active: false, ttl: 60 })
      expect(await t.served(domain.fqdn)).toBeUndefined()
    }
  })
})

describe('every other account', () => {
  test('gets the response for a taken name while the domain exists', async () => {
    expect((await register(t.bob, locked.fqdn)).code).toBe('name-taken')
    expect((await register(t.bob, `x.${locked.fqdn}`)).code).toBe('name-taken')
  })

  test('cannot register it even when the account is deleted: it is refused like a reserved name', async () => {
    await removeAccount(t.world.knex, t.ada.id)
    for (const fqdn of [locked.fqdn, `x.${locked.fqdn}`, `a.b.${locked.fqdn}`]) {
      const { status, code, detail } = await register(t.bob, fqdn)
      expect({ status, code, detail }).toEqual({
        status: 422,
        code: 'name-not-allowed',
        detail: `${fqdn} is reserved. Choose another name.`,
      })
    }
    expect((await register(boss, locked.fqdn)).code).toBe('name-not-allowed')
  })

  test('can register the name above, and no wildcard of it, which would answer for the locked one', async () => {
    const above = `${t.fresh('above')}.homing.test`
    const { id } = await insertDomain(t.world.knex, { userId: t.ada.id, fqdn: `deep.${above}` })
    await t.call(boss, 'POST', `/api/admin/domains/${id}/lock`)
    await removeAccount(t.world.knex, t.ada.id)
    await query(t.world.knex, `update users set account_type = 'pro' where id = ?`, [t.bob.id])
    await t.made(t.bob, { fqdn: above, record_ip: '192.0.2.5' })
    const body = { base_fqdn: above }
    expect(await t.refused(t.bob, 'POST', '/api/domains/wildcard', body)).toMatchObject({
      status: 422,
      code: 'name-not-allowed',
      detail: `*.${above} would cover a reserved name. Choose another domain.`,
    })
    const open = await t.made(t.bob, { fqdn: `open.${above}`, record_ip: '192.0.2.5' })
    expect((await addWildcard(t.bob, open.fqdn)).status).toBe(201)
  })
})

test('the owner’s wildcard above does not answer for a locked domain, which stays an empty name', async () => {
  const base = `${t.fresh('above')}.homing.test`
  await t.made(t.ada, { fqdn: base, record_ip: '192.0.2.1' })
  const deep = await t.made(t.ada, { fqdn: `deep.${base}`, record_ip: '192.0.2.2' })
  await turn('lock', deep)
  expect((await addWildcard(t.ada, base)).status).toBe(201)
  expect(await t.served(deep.fqdn)).toEqual([])
})
