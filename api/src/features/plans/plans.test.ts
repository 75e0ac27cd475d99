import type { AdminUserChange, CreatedApiKey, Plan, PlanPreview } from '@homing/openapi'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Caller } from '../../../test/support/api-world.ts'
import { call, problemOf } from '../../../test/support/calls.ts'
import { insertDomain, zoneId } from '../../../test/support/feed-world.ts'
import { useAdminWorld } from '../../../test/support/admin-world.ts'
import { query } from '../../database/sql.ts'

const t = useAdminWorld('pro')
const previewOf = async (plan: string, who: Caller = t.ada) =>
  t.get(`/api/me/plan-preview?plan=${plan}`, who)
const change = (fields: AdminUserChange) =>
  call(t.world.app, 'PUT', `/api/admin/users/${t.ada.id}`, {
    headers: t.admin.headers,
    body: fields,
  })

/** Names of Ada's, the oldest first. */
async function addNames(count: number): Promise<string[]> {
  const rows = await query<{ fqdn: string }>(
    t.world.knex,
    `insert into domains (user_id, zone_id, fqdn, rrtype, record_ipv4, ttl, created_at)
     select ?, ?, 'n' || n || '.p' || ? || '.homing.test', 'A', '192.0.2.1', 60, now() + n * interval '1 s'
     from generate_series(0, ? - 1) n order by n returning fqdn`,
    [t.ada.id, await zoneId(t.world.knex), t.people, count],
  )
  return rows.map(({ fqdn }) => fqdn)
}
const namesOf = (previewed: PlanPreview['withheld']) => previewed.map(({ fqdn }) => fqdn)

describe('GET /api/plans', () => {
  test('shows the plans on offer and their prices to anybody', async () => {
    const reply = await call(t.world.app, 'GET', '/api/plans')
    expect(reply.status).toBe(200)
    const plans = reply.json<Plan[]>()
    expect(plans.map(({ id }) => id)).toEqual(['free', 'pro', 'elite'])
    expect(plans[2]).toEqual({
      id: 'elite',
      domain_limit: 500,
      ttl: 60,
      stealth_flag_limit: 50,
      monitor_interval: 30,
      record_limit: 10_000,
      record_types: 'all',
      abilities: expect.arrayContaining(['api_keys', 'vanity_ns', 'data_export']),
      price_month_cents: 2500,
      price_year_cents: 27500,
      currency: 'USD',
    })
  })
})

describe('GET /api/me/plan-preview', () => {
  test('a smaller plan: the oldest names stay, wildcards and keys do not, nothing is changed', async () => {
    const names = await addNames(7)
    const [first] = await query<{ id: string }>(
      t.world.knex,
      'select id from domains where fqdn = ?',
      [names[0] ?? ''],
    )
    const wildcard = await insertDomain(t.world.knex, {
      userId: t.ada.id,
      fqdn: `*.${names[0]}`,
      baseId: first?.id ?? '',
    })
    await call(t.world.app, 'POST', '/api/api-keys', {
      headers: t.ada.headers,
      body: { name: 'all' },
    })
    const before = await query(t.world.knex, 'select * from domains where user_id = ?', [t.ada.id])
    const preview = (await previewOf('free')).json<PlanPreview>()
    expect(preview).toMatchObject({
      from: 'pro',
      to: 'free',
      domain_limit: { before: 100, after: 5 },
      ttl: { before: 60, after: 3600 },
      abilities_gained: [],
      restored: [],
      ttl_change_count: 8,
      api_keys: 'refused',
      api_key_count: 1,
      trust_policy_count: 0,
      ends_sessions: false,
      blocks_account: false,
    })
    expect(preview.abilities_lost).toContain('wildcard')
    expect(new Set(namesOf(preview.withheld))).toEqual(new Set([wildcard.fqdn, names[5], names[6]]))
    expect(
      await query(t.world.knex, 'select * from domains where user_id = ?', [t.ada.id]),
    ).toEqual(before)
    expect((await t.get('/api/me', t.ada)).json()).toMatchObject({ plan: 'pro' })
  })

  test('the current plan changes nothing', async () => {
    await addNames(2)
    expect((await previewOf('pro')).json()).toMatchObject({
      withheld: [],
      restored: [],
      ttl_change_count: 0,
      api_keys: 'unchanged',
      abilities_gained: [],
      abilities_lost: [],
    })
  })

  test('no plan restores a name that its owner paused', async () => {
    const names = await addNames(7)
    await change({ account_type: 'free' })
    await query(t.world.knex, 'update domains set paused = true where fqdn = ?', [names[6] ?? ''])
    const { restored } = (await previewOf('elite')).json<PlanPreview>()
    expect(namesOf(restored)).toEqual([names[5]])
  })

  test('requires a session, and accepts no key', async () => {
    const stranger = await call(t.world.app, 'GET', '/api/me/plan-preview?plan=free')
    expect(problemOf(stranger).code).toBe('unauthenticated')
    const made = await call(t.world.app, 'POST', '/api/api-keys', {
      headers: t.ada.headers,
      body: { name: 'all' },
    })
    const authorization = `Bearer ${made.json<CreatedApiKey>().key}`
    const byKey = await t.get('/api/me/plan-preview?plan=free', {
      ...t.ada,
      headers: { authorization },
    })
    expect(problemOf(byKey).code).toBe('forbidden')
  })

  test.each(['', '?plan=', '?plan=admin', '?plan=disabled', '?plan=king', '?plan=free&plan=pro'])(
    'refuses %j by name',
    async (search) => {
      const problem = problemOf(await t.get(`/api/me/plan-preview${search}`, t.ada))
      expect(problem).toMatchObject({ status: 422, errors: [{ field: 'plan' }] })
    },
  )
})

describe('GET /api/admin/users/{id}/plan-preview', () => {
  const adminPreview = (search: string, who?: Caller, id = t.ada.id) =>
    t.get(`/api/admin/users/${id}/plan-preview${search}`, who)

  test.each(['?plan=disabled', '?enabled=false'])('%s withholds everything', async (search) => {
    const names = await addNames(3)
    const preview = (await adminPreview(search)).json<PlanPreview>()
    expect(namesOf(preview.withheld)).toEqual(names)
    expect(preview).toMatchObject({
      ends_sessions: true,
      blocks_account: true,
      api_keys: 'refused',
    })
  })

  test('making somebody an administrator ends sessions', async () => {
    expect((await adminPreview('?plan=admin')).json()).toMatchObject({
      to: 'admin',
      ends_sessions: true,
      blocks_account: false,
    })
  })

  test('requires an existing account', async () => {
    expect(problemOf(await adminPreview('?plan=pro', t.admin, '999999999')).code).toBe('not-found')
  })

  test.each([
    ['plan', '?plan=king'],
    ['enabled', '?enabled=maybe'],
  ])('names %s of %s', async (field, search) => {
    const problem = problemOf(await adminPreview(search))
    expect(problem).toMatchObject({ status: 422, errors: [{ field }] })
  })

  test.each(['0', 'x', '-1'])('the id %s is invalid', async (id) => {
    expect((await adminPreview('?plan=pro', t.admin, id)).status).toBe(422)
  })
})

describe('a preview predicts the change', () => {
  const without = (some: ReadonlySet<string>, others: ReadonlySet<string>) =>
    new Set([...some].filter((each) => !others.has(each)))
  const served = async () => {
    const rows = await query<{ fqdn: string; ttl: number }>(
      t.world.knex,
      'select fqdn, ttl from domains where user_id = ? and is_active',
      [t.ada.id],
    )
    return new Set(rows.map(({ fqdn }) => fqdn))
  }
  const ttls = async () => {
    const rows = await query<{ id: string; ttl: number }>(
      t.world.knex,
      'select id, ttl from domains where user_id = ?',
      [t.ada.id],
    )
    return new Map(rows.map(({ id, ttl }) => [id, ttl]))
  }
  const plan = fc.constantFrom('free', 'pro', 'elite', 'admin', 'disabled')
  const step = fc.record({ account_type: plan, enabled: fc.boolean() }, { requiredKeys: [] })
  const name = fc.record({
    age: fc.integer({ min: 0, max: 9 }),
    reason: fc.constantFrom(null, null, 'locked', 'paused'),
    hasWildcard: fc.boolean(),
  })

  /** Recreates Ada's names for a case, all in the state that the plan pro gives them. */
  async function arrange(
    names: readonly (typeof name extends fc.Arbitrary<infer N> ? N : never)[],
  ) {
    await query(t.world.knex, 'delete from domains where user_id = ?', [t.ada.id])
    await query(
      t.world.knex,
      `update users set account_type = 'pro', enabled = true where id = ?`,
      [t.ada.id],
    )
    await query(
      t.world.knex,
      `with wished as (select * from json_to_recordset(?::json) as w(n int, age int, reason text, wild boolean)),
       bases as (
         insert into domains (user_id, zone_id, fqdn, rrtype, ttl, created_at, locked, paused)
         select ?, ?, 'q' || n || '.r' || ? || '.homing.test', 'A', 60, now() - age * interval '1 day',
                coalesce(reason = 'locked', false), coalesce(reason = 'paused', false) from wished
         returning id, user_id, zone_id, fqdn)
       insert into domains (user_id, zone_id, base_id, fqdn, is_wildcard, rrtype, ttl)
       select b.user_id, b.zone_id, b.id, '*.' || b.fqdn, true, 'A', 60
       from bases b join wished w on b.fqdn like 'q' || w.n || '.%' where w.wild`,
      [
        JSON.stringify(names.map((each, n) => ({ n, ...each, wild: each.hasWildcard }))),
        t.ada.id,
        await zoneId(t.world.knex),
        t.people,
      ],
    )
  }

  test('for names of any age, withheld or not, over any sequence of plans', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(name, { maxLength: 12 }),
        fc.array(step, { minLength: 1, maxLength: 4 }),
        async (names, steps) => {
          await arrange(names)
          for (const wish of steps) {
            const search = new URLSearchParams()
            if (wish.account_type !== undefined) search.set('plan', wish.account_type)
            if (wish.enabled !== undefined) search.set('enabled', String(wish.enabled))
            const url = `/api/admin/users/${t.ada.id}/plan-preview?${search.toString()}`
            const preview = (await t.get(url)).json<PlanPreview>()
            const before = { served: await served(), ttls: await ttls() }
            expect((await change(wish)).status).toBe(200)
            const after = { served: await served(), ttls: await ttls() }
            expect(new Set(namesOf(preview.withheld))).toEqual(without(before.served, after.served))
            expect(new Set(namesOf(preview.restored))).toEqual(without(after.served, before.served))
            const moved = [...after.ttls].filter(([id, ttl]) => before.ttls.get(id) !== ttl)
            expect(preview.ttl_change_count).toBe(moved.length)
          }
        },
      ),
      { numRuns: 25 },
    )
  })
})
