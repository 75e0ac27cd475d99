/** Administrators who change an account at the same time do not overwrite each other. */
import type { AdminUser, AdminUserChange } from '@homing/openapi'
import { describe, expect, test } from 'vitest'
import { PASSWORD } from '../../../test/support/api-world.ts'
import { useAdminWorld } from '../../../test/support/admin-world.ts'
import { call, problemOf } from '../../../test/support/calls.ts'
import { untilSomebodyWaits } from '../../../test/support/lock-waits.ts'
import { query } from '../../database/sql.ts'
import { changeGrants } from '../../feed/account-grants.ts'

const t = useAdminWorld('free')

const path = () => `/api/admin/users/${t.ada.id}`
const get = async () => (await t.get(path())).json<AdminUser>()
const change = (body: AdminUserChange, ifMatch?: string) => {
  const condition = ifMatch === undefined ? {} : { 'if-match': ifMatch }
  return call(t.world.app, 'PUT', path(), { headers: { ...t.admin.headers, ...condition }, body })
}

const asOwner = (body: object) =>
  call(t.world.app, 'PUT', '/api/profile', { headers: t.ada.headers, body })

/** As a payment does it: the plan, under the lock of the account. */
async function grant(source: 'payment' | 'complimentary', plan: 'pro' | 'elite') {
  const { knex, jobs } = t.world.services
  await knex.transaction((trx) =>
    changeGrants(
      trx,
      { jobs },
      {
        userId: t.ada.id,
        change: { grants: { [source]: { plan, until: null } } },
        now: new Date(),
      },
    ),
  )
}

describe('a stale If-Match changes nothing', () => {
  test.each([
    ['the plan', () => change({ account_type: 'pro' })],
    ['the access', () => change({ enabled: false })],
    ['the address', () => change({ email: `other${t.people}@example.net` })],
    ['the given name', () => change({ given_name: 'Ada' })],
    ['the name that the owner writes', () => asOwner({ surname: 'King' })],
    ['the plan that was paid', () => grant('payment', 'elite')],
  ])('after a change of %s', async (_, others) => {
    const { version } = await get()
    await others()
    const present = await get()
    const late = await change({ surname: 'Byron' }, `"${version}"`)
    expect(problemOf(late)).toMatchObject({ status: 412, code: 'version-mismatch' })
    expect(await get()).toEqual(present)
    const next = await change({ surname: 'Byron' }, `"${present.version}"`)
    expect(next.json()).toMatchObject({ ...present, surname: 'Byron', version: expect.any(String) })
    expect(next.headers['etag']).toBe(`"${(await get()).version}"`)
  })

  test('after a change of the complimentary plan below the one that is paid for', async () => {
    await grant('payment', 'elite')
    const { version } = await get()
    await change({ account_type: 'pro' })
    const late = await change({ account_type: 'free' }, `"${version}"`)
    expect(problemOf(late).code).toBe('version-mismatch')
    const grants = `select source, plan from plan_grants where user_id = ? order by source`
    expect(await query(t.world.knex, grants, [t.ada.id])).toEqual([
      { source: 'complimentary', plan: 'pro' },
      { source: 'payment', plan: 'elite' },
    ])
  })
})

test('a sign-in does not change the version', async () => {
  const before = await get()
  const body = { username_or_email: t.ada.username, password: PASSWORD }
  await call(t.world.app, 'POST', '/api/login', { body })
  const after = await get()
  expect(after.last_login).not.toEqual(before.last_login)
  expect(after.version).toBe(before.version)
})

test('of concurrent changes with the same version, one succeeds', async () => {
  const { version } = await get()
  const names = ['A', 'B', 'C', 'D']
  const replies = await Promise.all(
    names.map((given_name) => change({ given_name }, `"${version}"`)),
  )
  const codes = replies.map(({ status }) => status)
  expect(codes.toSorted((a, b) => a - b)).toEqual([200, 412, 412, 412])
  expect(await get()).toEqual(replies.find(({ status }) => status === 200)?.json())
})

test('a change that waited for another one is refused', async () => {
  const { version } = await get()
  const trx = await t.world.knex.transaction()
  await query(trx, `update users set surname = 'King' where id = ?`, [t.ada.id])
  const waiting = change({ given_name: 'Ada' }, `"${version}"`)
  await untilSomebodyWaits(t.world.knex)
  await trx.commit()
  expect(problemOf(await waiting).code).toBe('version-mismatch')
  expect(await get()).toMatchObject({ given_name: null, surname: 'King' })
})
