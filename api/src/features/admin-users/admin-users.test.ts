import type { AdminPlan, AdminUser } from '@homing/openapi'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type ApiWorld,
  type Caller,
  openApiWorld,
  PASSWORD,
} from '../../../test/support/api-world.ts'
import { call, problemOf } from '../../../test/support/calls.ts'
import { KeepingMailer, runJobs } from '../../../test/support/mail.ts'
import { insertDomain } from '../../../test/support/feed-world.ts'
import { query } from '../../sql.ts'

let world: ApiWorld
let admin: Caller
let ada: Caller
let people = 0

beforeAll(async () => {
  world = await openApiWorld()
  admin = await world.person('boss', 'admin')
})
afterAll(() => world.end())
beforeEach(async () => {
  people += 1
  ada = await world.person(`ada${people}`, 'free')
})

const list = (parameters: Record<string, unknown> = {}, who = admin) => {
  const text = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) text.set(name, JSON.stringify(value))
  const url = `/api/admin/users?${text.toString()}`
  return call(world.app, 'GET', url, { headers: who.headers })
}
const change = (id: string, body: unknown, who = admin) =>
  call(world.app, 'PUT', `/api/admin/users/${id}`, { headers: who.headers, body })
const me = ({ headers }: Caller) => call(world.app, 'GET', '/api/me', { headers })

describe('GET /api/admin/users', () => {
  beforeAll(async () => {
    await query(
      world.knex,
      `insert into users (username, email, password_hash, account_type, given_name)
       select 'many' || lpad(n::text, 3, '0'), 'many' || n || '@bulk.test', '',
              case when n % 2 = 0 then 'pro' else 'elite' end, 'Given_' || n
       from generate_series(1, 130) n`,
    )
  })

  test('shows what administrators see of an account', async () => {
    await insertDomain(world.knex, { userId: ada.id, fqdn: `${ada.username}.homing.test` })
    const reply = await list({ filter: { id: ada.id } })
    expect(reply.status).toBe(200)
    expect(reply.headers['content-range']).toBe('users 0-0/1')
    expect(reply.json<AdminUser[]>()).toEqual([
      {
        id: ada.id,
        username: ada.username,
        email: `${ada.username}@mail.test`,
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

  test.each([
    [{ sort: ['password_hash', 'ASC'] }, 422],
    [{ sort: ['id', 'ASC; drop table users'] }, 422],
    [{ range: [5, 1] }, 422],
    [{ range: [1_000_000, 1_000_024] }, 416],
    [{ filter: { password_hash: 'x' } }, 422],
    [{ filter: { enabled: 'yes' } }, 422],
    [{ filter: { q: 'a\0b' } }, 422],
  ])('%j is %i', async (parameters, status) => {
    const reply = await list(parameters)
    expect(reply.status).toBe(status)
    problemOf(reply)
  })
})

describe('GET /api/admin/users/{id}', () => {
  const get = (id: string, who = admin) =>
    call(world.app, 'GET', `/api/admin/users/${id}`, { headers: who.headers })

  test('is the account as the list has it', async () => {
    const [listed] = (await list({ filter: { id: ada.id } })).json<AdminUser[]>()
    expect((await get(ada.id)).json()).toEqual(listed)
  })

  test('one that does not exist is 404, and one’s own is not for everybody', async () => {
    expect(problemOf(await get('999999999'))).toMatchObject({ status: 404, code: 'not-found' })
    expect(problemOf(await get(ada.id, ada)).code).toBe('forbidden')
  })
})

describe('GET /api/admin/plans', () => {
  test('says what each plan gives, the smallest first', async () => {
    const reply = await call(world.app, 'GET', '/api/admin/plans', { headers: admin.headers })
    expect(reply.headers['content-range']).toBe('plans 0-4/5')
    expect(
      reply.json<AdminPlan[]>().map(({ id, domain_limit, ttl }) => [id, domain_limit, ttl]),
    ).toEqual([
      ['disabled', 0, 3600],
      ['free', 5, 3600],
      ['pro', 100, 60],
      ['elite', 500, 60],
      ['admin', 1000, 60],
    ])
    expect(reply.json<AdminPlan[]>()[2]?.abilities).toContain('wildcard')
  })

  test('is for administrators', async () => {
    const reply = await call(world.app, 'GET', '/api/admin/plans', { headers: ada.headers })
    expect(problemOf(reply).code).toBe('forbidden')
  })
})

describe('PUT /api/admin/users/{id}', () => {
  test('takes any subset of the fields, and keeps the others', async () => {
    const names = await change(ada.id, { given_name: 'Ada', surname: 'Lovelace' })
    expect(names.status).toBe(200)
    const reply = await change(ada.id, { surname: null, email: `new${people}@example.net` })
    expect(reply.json<AdminUser>()).toMatchObject({
      given_name: 'Ada',
      surname: null,
      email: `new${people}@example.net`,
      email_verified: true,
      account_type: 'free',
    })
    expect((await change(ada.id, {})).status).toBe(200)
  })

  test('a new plan reaches limits and names at once, and keeps the session', async () => {
    await insertDomain(world.knex, { userId: ada.id, fqdn: `${ada.username}.homing.test` })
    const reply = await change(ada.id, { account_type: 'pro' })
    expect(reply.json<AdminUser>()).toMatchObject({ account_type: 'pro', plan: 'pro' })
    expect((await me(ada)).json()).toMatchObject({
      account_type: 'pro',
      limits: { domain_limit: 100, ttl: 60 },
    })
    const domains = await call(world.app, 'GET', '/api/domains', { headers: ada.headers })
    expect(domains.json()).toMatchObject([{ ttl: 60, is_active: true }])
  })

  test('a smaller plan withholds what is over its limit; a larger one brings it back', async () => {
    await change(ada.id, { account_type: 'pro' })
    for (let n = 0; n < 7; n += 1) {
      await insertDomain(world.knex, { userId: ada.id, fqdn: `${n}.${ada.username}.homing.test` })
    }
    const served = async () => {
      const reply = await call(world.app, 'GET', '/api/domains', { headers: ada.headers })
      return reply.json<{ is_active: boolean }[]>().filter(({ is_active }) => is_active).length
    }
    await change(ada.id, { account_type: 'free' })
    expect(await served()).toBe(5)
    await change(ada.id, { account_type: 'elite' })
    expect(await served()).toBe(7)
  })

  test('what is more than 500 names is finished by a job', async () => {
    await query(
      world.knex,
      `insert into domains (user_id, zone_id, fqdn, rrtype, ttl)
       select ?, z.id, 'n' || n || ?, 'A', 3600 from generate_series(1, 600) n, zones z where z.name = 'homing.test'`,
      [ada.id, `.${ada.username}.homing.test`],
    )
    await change(ada.id, { account_type: 'elite' })
    expect(await runJobs(world.services, new KeepingMailer())).toEqual(['account-plan'])
    expect(
      await query(
        world.knex,
        'select count(*)::int as n from domains where user_id = ? and (ttl <> 60 or over_limit)',
        [ada.id],
      ),
    ).toEqual([{ n: 100 }])
  })

  test.each([{ enabled: false }, { account_type: 'disabled' }])(
    '%j ends sessions and withholds the names',
    async (fields) => {
      await insertDomain(world.knex, { userId: ada.id, fqdn: `${ada.username}.homing.test` })
      await change(ada.id, fields)
      expect((await me(ada)).status).toBe(401)
      const login = await call(world.app, 'POST', '/api/login', {
        body: { username_or_email: ada.username, password: PASSWORD },
      })
      expect(problemOf(login).code).toBe('account-disabled')
      const names = () =>
        query(world.knex, 'select is_active, owner_blocked from domains where user_id = ?', [
          ada.id,
        ])
      expect(await names()).toEqual([{ is_active: false, owner_blocked: true }])
      await change(ada.id, { enabled: true, account_type: 'free' })
      expect(await names()).toEqual([{ is_active: true, owner_blocked: false }])
    },
  )

  test('becoming and ceasing to be an administrator ends sessions and remembered passwords', async () => {
    const version = () =>
      query<{ n: number }>(world.knex, 'select credential_version as n from users where id = ?', [
        ada.id,
      ])
    await change(ada.id, { account_type: 'admin' })
    expect((await me(ada)).status).toBe(401)
    expect(await version()).toEqual([{ n: 2 }])
    await change(ada.id, { account_type: 'pro' })
    expect(await version()).toEqual([{ n: 3 }])
  })

  test('an address that another account has verified is refused', async () => {
    const reply = await change(ada.id, { email: 'BOSS@mail.test' })
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
    const reply = await change(ada.id, body)
    expect(reply.status).toBe(422)
    expect(problemOf(reply).errors).toEqual([expect.objectContaining({ field })])
  })

  test('an account that does not exist is 404', async () => {
    const problem = problemOf(await change('999999999', { account_type: 'pro' }))
    expect(problem).toMatchObject({ status: 404, code: 'not-found' })
  })
})

describe('one’s own office', () => {
  test.each([{ account_type: 'pro' }, { enabled: false }, { account_type: 'disabled' }])(
    'is kept where there are other administrators: %j is 409',
    async (fields) => {
      const other = await world.person(`colleague${people}`, 'admin')
      expect(problemOf(await change(other.id, fields, other))).toMatchObject({
        status: 409,
        code: 'conflict',
        detail: expect.stringContaining('your own office'),
      })
      expect((await change(other.id, { given_name: 'Grace' }, other)).status).toBe(200)
      expect((await change(other.id, fields, admin)).status).toBe(200)
    },
  )
})

describe('the last administrator', () => {
  test.each([{ account_type: 'pro' }, { enabled: false }, { account_type: 'disabled' }])(
    'keeps the office: %j is 409',
    async (fields) => {
      const problem = problemOf(await change(admin.id, fields))
      expect(problem).toMatchObject({ status: 409, code: 'conflict' })
      expect((await me(admin)).json()).toMatchObject({ account_type: 'admin' })
    },
  )

  test('a disabled administrator does not count as another one', async () => {
    const other = await world.person(`other${people}`, 'admin')
    expect((await change(other.id, { enabled: false })).status).toBe(200)
    expect(problemOf(await change(admin.id, { account_type: 'pro' })).code).toBe('conflict')
  })

  test('of two who take each other’s office at once, one keeps it', async () => {
    for (let round = 0; round < 5; round += 1) {
      const other = await world.person(`rival${people}-${round}`, 'admin')
      const replies = await Promise.all([
        change(other.id, { account_type: 'pro' }, admin),
        change(admin.id, { account_type: 'pro' }, other),
      ])
      const left = await query<{ id: string }>(
        world.knex,
        `select id from users where account_type = 'admin' and enabled`,
      )
      expect(left).toHaveLength(1)
      expect(replies.map(({ status }) => status)).toContain(200)
      await query(
        world.knex,
        `update users set account_type = case when id = ? then 'admin' else 'pro' end where id in (?, ?)`,
        [admin.id, admin.id, other.id],
      )
      admin = { ...admin, headers: await world.signIn(admin.id) }
    }
  })
})
