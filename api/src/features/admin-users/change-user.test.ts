/** Administrators change accounts, and cannot lock themselves out. */
import type { AdminUser } from '@homing/openapi'
import { describe, expect, test } from 'vitest'
import { type Caller, PASSWORD } from '../../../test/support/api-world.ts'
import { call, problemOf } from '../../../test/support/calls.ts'
import { KeepingMailer, runJobs } from '../../../test/support/mail.ts'
import { insertDomain } from '../../../test/support/feed-world.ts'
import { query } from '../../database/sql.ts'
import { useAdminWorld } from '../../../test/support/admin-world.ts'

const t = useAdminWorld('free')

const change = (id: string, body: unknown, who = t.admin) =>
  call(t.world.app, 'PUT', `/api/admin/users/${id}`, { headers: who.headers, body })

const me = ({ headers }: Caller) => call(t.world.app, 'GET', '/api/me', { headers })

describe('PUT /api/admin/users/{id}', () => {
  test('accepts any subset of the fields, and keeps the others', async () => {
    const names = await change(t.ada.id, { given_name: 'Ada', surname: 'Lovelace' })
    expect(names.status).toBe(200)
    const reply = await change(t.ada.id, { surname: null, email: `new${t.people}@example.net` })
    expect(reply.json<AdminUser>()).toMatchObject({
      given_name: 'Ada',
      surname: null,
      email: `new${t.people}@example.net`,
      email_verified: true,
      account_type: 'free',
    })
    expect((await change(t.ada.id, {})).status).toBe(200)
    expect((await me(t.ada)).json()).toMatchObject({
      email_changed_at: expect.any(String),
      password_changed_at: null,
    })
  })

  test('a new plan applies to limits and names at once, and keeps the session', async () => {
    await insertDomain(t.world.knex, { userId: t.ada.id, fqdn: `${t.ada.username}.homing.test` })
    const reply = await change(t.ada.id, { account_type: 'pro' })
    expect(reply.json<AdminUser>()).toMatchObject({ account_type: 'pro', plan: 'pro' })
    expect((await me(t.ada)).json()).toMatchObject({
      account_type: 'pro',
      limits: { domain_limit: 100, ttl: 60 },
    })
    const domains = await call(t.world.app, 'GET', '/api/domains', { headers: t.ada.headers })
    expect(domains.json()).toMatchObject([{ ttl: 60, is_active: true }])
  })

  test('a smaller plan withholds the names over its limit; a larger one restores them', async () => {
    await change(t.ada.id, { account_type: 'pro' })
    for (let n = 0; n < 7; n += 1) {
      await insertDomain(t.world.knex, {
        userId: t.ada.id,
        fqdn: `${n}.${t.ada.username}.homing.test`,
      })
    }
    const served = async () => {
      const reply = await call(t.world.app, 'GET', '/api/domains', { headers: t.ada.headers })
      return reply.json<{ is_active: boolean }[]>().filter(({ is_active }) => is_active).length
    }
    await change(t.ada.id, { account_type: 'free' })
    expect(await served()).toBe(5)
    await change(t.ada.id, { account_type: 'elite' })
    expect(await served()).toBe(7)
  })

  test('a job finishes changes of more than 500 names', async () => {
    await query(
      t.world.knex,
      `insert into domains (user_id, zone_id, fqdn, rrtype, ttl)
       select ?, z.id, 'n' || n || ?, 'A', 3600 from generate_series(1, 600) n, zones z where z.name = 'homing.test'`,
      [t.ada.id, `.${t.ada.username}.homing.test`],
    )
    await change(t.ada.id, { account_type: 'elite' })
    const jobs = await runJobs(t.world.services, new KeepingMailer())
    expect(jobs.filter((name) => name !== 'mail')).toEqual(['account-plan'])
    expect(
      await query(
        t.world.knex,
        'select count(*)::int as n from domains where user_id = ? and (ttl <> 60 or over_limit)',
        [t.ada.id],
      ),
    ).toEqual([{ n: 100 }])
  })

  test.each([{ enabled: false }, { account_type: 'disabled' }])(
    '%j ends sessions and withholds the names',
    async (fields) => {
      await insertDomain(t.world.knex, { userId: t.ada.id, fqdn: `${t.ada.username}.homing.test` })
      await change(t.ada.id, fields)
      expect((await me(t.ada)).status).toBe(401)
      const login = await call(t.world.app, 'POST', '/api/login', {
        body: { username_or_email: t.ada.username, password: PASSWORD },
      })
      expect(problemOf(login).code).toBe('account-disabled')
      const names = () =>
        query(t.world.knex, 'select is_active, owner_blocked from domains where user_id = ?', [
          t.ada.id,
        ])
      expect(await names()).toEqual([{ is_active: false, owner_blocked: true }])
      await change(t.ada.id, { enabled: true, account_type: 'free' })
      expect(await names()).toEqual([{ is_active: true, owner_blocked: false }])
    },
  )

  test('becoming and ceasing to be an administrator ends sessions and remembered passwords', async () => {
    const version = () =>
      query<{ n: number }>(t.world.knex, 'select credential_version as n from users where id = ?', [
        t.ada.id,
      ])
    await change(t.ada.id, { account_type: 'admin' })
    expect((await me(t.ada)).status).toBe(401)
    expect(await version()).toEqual([{ n: 2 }])
    await change(t.ada.id, { account_type: 'pro' })
    expect(await version()).toEqual([{ n: 3 }])
  })

  test('after a change of the address, signing in with the old one fails at once', async () => {
    const login = (username_or_email: string) =>
      call(t.world.app, 'POST', '/api/login', { body: { username_or_email, password: PASSWORD } })
    const old = `${t.ada.username}@mail.test`
    expect((await login(old)).status).toBe(200)
    await change(t.ada.id, { email: `moved${t.people}@example.net` })
    expect((await login(old)).status).toBe(401)
    expect((await login(`moved${t.people}@example.net`)).status).toBe(200)
  })

  test('an address that another account has verified is refused', async () => {
    const reply = await change(t.ada.id, { email: 'BOSS@mail.test' })
    expect(reply.status).toBe(409)
    expect(problemOf(reply)).toMatchObject({ code: 'conflict', errors: [{ field: 'email' }] })
  })

  test.each([
    ['account_type', { account_type: 'king' }],
    ['account_type', { account_type: null }],
    ['enabled', { enabled: 'yes' }],
    ['email', { email: 'no address' }],
    ['given_name', { given_name: 'a\tb' }],
    ['username', { username: 'other' }],
    ['password_hash', { password_hash: 'x' }],
    ['id', { id: '1' }],
  ])('names %s: %j', async (field, body) => {
    const reply = await change(t.ada.id, body)
    expect(reply.status).toBe(422)
    expect(problemOf(reply).errors).toEqual([expect.objectContaining({ field })])
  })

  test('an account that does not exist is 404', async () => {
    const problem = problemOf(await change('999999999', { account_type: 'pro' }))
    expect(problem).toMatchObject({ status: 404, code: 'not-found' })
  })
})

describe('the caller’s own role', () => {
  test.each([{ account_type: 'pro' }, { enabled: false }, { account_type: 'disabled' }])(
    'is kept even if there are other administrators: %j is 409',
    async (fields) => {
      const other = await t.world.person(`colleague${t.people}`, 'admin')
      expect(problemOf(await change(other.id, fields, other))).toMatchObject({
        status: 409,
        code: 'conflict',
        detail: expect.stringContaining('your own administrator role'),
      })
      expect((await change(other.id, { given_name: 'Grace' }, other)).status).toBe(200)
      expect((await change(other.id, fields, t.admin)).status).toBe(200)
    },
  )
})

describe('the last administrator', () => {
  test.each([{ account_type: 'pro' }, { enabled: false }, { account_type: 'disabled' }])(
    'keeps the role: %j is 409',
    async (fields) => {
      const problem = problemOf(await change(t.admin.id, fields))
      expect(problem).toMatchObject({ status: 409, code: 'conflict' })
      expect((await me(t.admin)).json()).toMatchObject({ account_type: 'admin' })
    },
  )

  test('a disabled administrator does not count as another one', async () => {
    const other = await t.world.person(`other${t.people}`, 'admin')
    expect((await change(other.id, { enabled: false })).status).toBe(200)
    expect(problemOf(await change(t.admin.id, { account_type: 'pro' })).code).toBe('conflict')
  })

  test('of two administrators who demote each other at once, one succeeds', async () => {
    for (let round = 0; round < 5; round += 1) {
      const other = await t.world.person(`rival${t.people}-${round}`, 'admin')
      const replies = await Promise.all([
        change(other.id, { account_type: 'pro' }, t.admin),
        change(t.admin.id, { account_type: 'pro' }, other),
      ])
      const left = await query<{ id: string }>(
        t.world.knex,
        `select id from users where account_type = 'admin' and enabled`,
      )
      expect(left).toHaveLength(1)
      expect(replies.map(({ status }) => status)).toContain(200)
      await query(
        t.world.knex,
        `update users set account_type = case when id = ? then 'admin' else 'pro' end where id in (?, ?)`,
        [t.admin.id, t.admin.id, other.id],
      )
      t.admin = { ...t.admin, headers: await t.world.signIn(t.admin.id) }
    }
  })

  test('also among three: an administrator who was demoted can demote nobody', async () => {
    const third = await t.world.person(`third${t.people}`, 'admin')
    for (let round = 0; round < 5; round += 1) {
      const [one, other] = [
        await t.world.person(`one${t.people}-${round}`, 'admin'),
        await t.world.person(`other${t.people}-${round}`, 'admin'),
      ]
      const replies = await Promise.all([
        change(other.id, { account_type: 'pro' }, one),
        change(one.id, { account_type: 'pro' }, other),
      ])
      const done = replies.filter(({ status }) => status === 200)
      const refused = replies.filter(({ status }) => status === 401 || status === 403)
      expect([done.length, refused.length]).toEqual([1, 1])
    }
    await change(third.id, { account_type: 'pro' })
  })
})
