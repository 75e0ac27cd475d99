/** Accounts and plans as administrators read them. */
import type { AdminUser } from '@homing/openapi'
import { beforeAll, describe, expect, test } from 'vitest'
import { call, problemOf } from '../../../test/support/calls.ts'
import { insertDomain } from '../../../test/support/feed-world.ts'
import { query } from '../../database/sql.ts'
import { useAdminWorld } from '../../../test/support/admin-world.ts'

const t = useAdminWorld('free')

const list = (parameters: Record<string, unknown> = {}, who = t.admin) =>
  t.list('users', parameters, {}, who)

describe('GET /api/admin/users', () => {
  beforeAll(async () => {
    await query(
      t.world.knex,
      `insert into users (username, email, password_hash, account_type, given_name)
       select 'many' || lpad(n::text, 3, '0'), 'many' || n || '@bulk.test', '',
              case when n % 2 = 0 then 'pro' else 'elite' end, 'Given_' || n
       from generate_series(1, 130) n`,
    )
  })

  test('shows the fields of an account for administrators', async () => {
    await insertDomain(t.world.knex, { userId: t.ada.id, fqdn: `${t.ada.username}.homing.test` })
    const reply = await list({ filter: { id: t.ada.id } })
    expect(reply.status).toBe(200)
    expect(reply.headers['content-range']).toBe('users 0-0/1')
    expect(reply.json<AdminUser[]>()).toEqual([
      {
        id: t.ada.id,
        username: t.ada.username,
        email: `${t.ada.username}@mail.test`,
        email_verified: true,
        given_name: null,
        surname: null,
        plan: 'free',
        account_type: 'free',
        enabled: true,
        domain_count: 1,
        twofa_secret: null,
        created_at: expect.stringMatching(/Z$/),
        last_login: null,
        last_login_ip: null,
        last_login_cc: null,
        account_create_cc: null,
        monitoring_paused_at: null,
        monitoring_pause_reason: null,
        version: expect.stringMatching(/^[\w-]{22}$/),
      },
    ])
    expect(reply.text).not.toContain('password')
  })

  test('gives 25 without a range, and at most 100', async () => {
    expect((await list()).json<AdminUser[]>()).toHaveLength(25)
    const wide = await list({ range: [0, 999] })
    expect(wide.json<AdminUser[]>()).toHaveLength(100)
    expect(wide.headers['content-range']).toMatch(/^users 0-99\/\d+$/)
  })

  test('in the order asked for, page by page, each once', async () => {
    const filter = { q: '@bulk.test' }
    const names: string[] = []
    for (let from = 0; from < 130; from += 50) {
      const page = await list({ filter, sort: ['username', 'DESC'], range: [from, from + 49] })
      names.push(...page.json<AdminUser[]>().map(({ username }) => username))
    }
    expect(names).toHaveLength(130)
    expect(names).toEqual([...new Set(names)].toSorted().toReversed())
  })

  test.each([
    ['id', 'username', 'email', 'given_name', 'surname'],
    ['account_type', 'plan', 'enabled', 'domain_count', 'created_at', 'last_login'],
  ])('can be sorted by %s, %s, %s…', async (...fields) => {
    for (const field of fields) {
      for (const order of ['ASC', 'DESC']) {
        expect((await list({ sort: [field, order] })).status).toBe(200)
      }
    }
  })

  test.each([
    [{ q: 'MANY007' }, 1],
    [{ q: 'many7@bulk' }, 1],
    [{ q: 'given_13' }, 2],
    [{ q: '@bulk.test', account_type: 'pro' }, 65],
    [{ q: '@bulk.test', enabled: true }, 130],
    [{ q: '@bulk.test', enabled: false }, 0],
    [{ q: '%' }, 0],
    [{ q: `'; drop table users; --` }, 0],
  ])('%j finds %i', async (filter, count) => {
    const reply = await list({ filter, range: [0, 0] })
    expect(reply.headers['content-range']).toMatch(new RegExp(`/${count}$`))
  })

  test('by status: an account without access is suspended, whatever its plan is', async () => {
    await query(
      t.world.knex,
      `insert into users (username, email, password_hash, account_type, enabled)
       select 'state-' || plan || '-' || access, 'x' || plan || access || '@state.test', '', plan, access
       from unnest(array['free', 'disabled']) plan, unnest(array[true, false]) access`,
    )
    const found = async (status: string) => {
      const reply = await list({ filter: { q: 'state-', status }, sort: ['username', 'ASC'] })
      return reply.json<AdminUser[]>().map(({ username }) => username)
    }
    expect(await found('active')).toEqual(['state-free-true'])
    expect(await found('suspended')).toEqual(['state-disabled-false', 'state-free-false'])
    expect(await found('disabled')).toEqual(['state-disabled-true'])
  })

  test.each([
    [{ sort: ['password_hash', 'ASC'] }, 422],
    [{ sort: ['id', 'ASC; drop table users'] }, 422],
    [{ range: [5, 1] }, 422],
    [{ range: [1_000_000, 1_000_024] }, 416],
    [{ filter: { password_hash: 'x' } }, 422],
    [{ filter: { enabled: 'yes' } }, 422],
    [{ filter: { status: 'banned' } }, 422],
    [{ filter: { q: 'a\0b' } }, 422],
  ])('%j is %i', async (parameters, status) => {
    const reply = await list(parameters)
    expect(reply.status).toBe(status)
    problemOf(reply)
  })
})

describe('GET /api/admin/users/{id}', () => {
  const get = (id: string, who = t.admin) =>
    call(t.world.app, 'GET', `/api/admin/users/${id}`, { headers: who.headers })

  test('has the account in the form of the list', async () => {
    const [listed] = (await list({ filter: { id: t.ada.id } })).json<AdminUser[]>()
    const reply = await get(t.ada.id)
    expect(reply.json()).toEqual(listed)
    expect(reply.headers['etag']).toBe(`"${listed?.version}"`)
  })

  test('returns 404 for an account that does not exist, and is refused to other users', async () => {
    expect(problemOf(await get('999999999'))).toMatchObject({ status: 404, code: 'not-found' })
    expect(problemOf(await get(t.ada.id, t.ada)).code).toBe('forbidden')
  })
})
