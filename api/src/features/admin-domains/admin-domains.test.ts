/** The domains of all accounts, as administrators list them. */
import { type AdminDomain, type Domain, operations } from '@homing/openapi'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Caller } from '../../../test/support/api-world.ts'
import { call, problemOf } from '../../../test/support/calls.ts'
import { query } from '../../database/sql.ts'
import { useAdminWorld } from '../../../test/support/admin-world.ts'

const t = useAdminWorld('pro')

const list = (parameters?: Record<string, unknown>, plain?: Record<string, string>) =>
  t.list('domains', parameters, plain)

const make = async (who: Caller, body: object): Promise<Domain> => {
  const reply = await call(t.world.app, 'POST', '/api/domains', { headers: who.headers, body })
  expect(reply.status).toBe(201)
  return reply.json<Domain>()
}

describe('GET /api/admin/domains', () => {
  let many: Caller
  beforeAll(async () => {
    many = await t.world.person('many', 'elite')
    await query(
      t.world.knex,
      `insert into domains (user_id, zone_id, fqdn, rrtype, record_ipv4, record_ipv6, ttl, locked, paused, over_limit)
       select ?, z.id, 'bulk' || lpad(n::text, 3, '0') || '.' || z.name, case when n % 10 = 0 then 'AAAA' else 'A' end,
              ('203.0.113.' || n)::inet, case when n % 10 = 0 then ('2001:db8::' || n)::inet end, 60,
              n = 1, n in (1, 2), n in (3, 4, 5)
       from generate_series(1, 130) n
       join zones z on z.name = case when n % 2 = 0 then 'homing.test' else 'eu.homing.test' end`,
      [many.id],
    )
  })

  test('shows the fields of a domain for administrators', async () => {
    const fqdn = `${t.ada.username}.homing.test`
    const made = await make(t.ada, { fqdn, record_ip: '192.0.2.7' })
    const reply = await list({ filter: { id: made.id } })
    expect(reply.status).toBe(200)
    expect(reply.headers['content-range']).toBe('domains 0-0/1')
    const shown = {
      id: made.id,
      fqdn,
      zone: 'homing.test',
      rrtype: 'A',
      record_ip: '192.0.2.7',
      record_ipv4: '192.0.2.7',
      record_ipv6: null,
      is_forwarded: false,
      published_ipv4: ['192.0.2.7'],
      published_ipv6: [],
      ttl: 60,
      is_active: true,
      withheld_by: [],
      monitor_enabled: false,
      monitor_kind: null,
      monitor_port: null,
      monitor_state: null,
      is_wildcard: false,
      wildcard_enabled: false,
      base_id: null,
      last_update_at: expect.stringMatching(/Z$/),
      created_at: expect.stringMatching(/Z$/),
      created_cc: null,
      user_id: t.ada.id,
      username: t.ada.username,
    }
    expect(reply.json()).toEqual([shown])
    expect((await t.get(`/api/admin/domains/${made.id}`)).json()).toEqual(shown)
  })

  test('a wildcard has the id of its base', async () => {
    const base = await make(t.ada, {
      fqdn: `${t.ada.username}.homing.test`,
      record_ip: '192.0.2.7',
    })
    const reply = await call(t.world.app, 'POST', '/api/domains/wildcard', {
      headers: t.ada.headers,
      body: { base_fqdn: base.fqdn },
    })
    const { id } = reply.json<Domain>()
    const both = await list({ filter: { user_id: t.ada.id }, sort: ['id', 'ASC'] })
    expect(both.json()).toMatchObject([
      { id: base.id, wildcard_enabled: true, is_wildcard: false, base_id: null },
      { id, wildcard_enabled: false, is_wildcard: true, base_id: base.id },
    ])
    const bases = await list({ filter: { user_id: t.ada.id, is_wildcard: false } })
    expect(bases.json()).toMatchObject([{ id: base.id }])
  })

  test('gives 25 without a range, and at most 100', async () => {
    expect((await list()).json<AdminDomain[]>()).toHaveLength(25)
    const wide = await list({ range: [0, 999] })
    expect(wide.json<AdminDomain[]>()).toHaveLength(100)
    expect(wide.headers['content-range']).toMatch(/^domains 0-99\/\d+$/)
  })

  async function walk(field: string): Promise<string[]> {
    const names: string[] = []
    for (let from = 0; from < 130; from += 50) {
      const page = await list({
        filter: { user_id: many.id },
        sort: [field, 'DESC'],
        range: [from, from + 49],
      })
      names.push(...page.json<AdminDomain[]>().map(({ fqdn }) => fqdn))
    }
    return names
  }

  test.each(['fqdn', 'last_update_at', 'is_active'])(
    'sorted by %s, page by page, each once',
    async (field) => {
      expect(new Set(await walk(field)).size).toBe(130)
    },
  )

  test('in the order asked for', async () => {
    const names = await walk('fqdn')
    expect(names).toEqual(names.toSorted().toReversed())
  })

  test('can be sorted by every field that the contract names', async () => {
    for (const field of [
      'id',
      'fqdn',
      'rrtype',
      'ttl',
      'is_active',
      'last_update_at',
      'created_at',
    ]) {
      for (const order of ['ASC', 'DESC']) {
        expect((await list({ sort: [field, order] })).status).toBe(200)
      }
    }
  })

  test.each([
    [{ q: 'BULK007' }, 1],
    [{ q: '203.0.113.13' }, 2],
    [{ q: '2001:db8::' }, 13],
    [{ q: 'bulk%' }, 0],
    [{ q: `'; drop table domains; --` }, 0],
    [{ q: 'bulk', zone: 'homing.test' }, 65],
    [{ q: 'bulk', zone: 'EU.homing.test' }, 65],
    [{ q: 'bulk', zone: 'nowhere.test' }, 0],
    [{ q: 'bulk', rrtype: 'AAAA' }, 13],
    [{ q: 'bulk', status: 'active' }, 125],
    [{ q: 'bulk', status: 'withheld' }, 5],
    [{ q: 'bulk', status: 'locked' }, 1],
    [{ q: 'bulk', status: 'paused' }, 2],
    [{ q: 'bulk', status: 'over_limit' }, 3],
    [{ q: 'bulk', status: 'owner_blocked' }, 0],
  ])('%j finds %i', async (filter, count) => {
    const reply = await list({ filter, range: [0, 0] })
    expect(reply.headers['content-range']).toMatch(new RegExp(`/${count}$`))
  })

  test('of one owner, by the filter and by the URL', async () => {
    const made = await make(t.ada, { fqdn: `${t.ada.username}.homing.test` })
    const wanted = [expect.objectContaining({ id: made.id, user_id: t.ada.id })]
    expect((await list({ filter: { user_id: t.ada.id } })).json()).toEqual(wanted)
    expect((await list({}, { user_id: t.ada.id })).json()).toEqual(wanted)
    expect((await list({ filter: { user_id: many.id } }, { user_id: t.ada.id })).json()).toEqual([])
    expect(
      (await list({ filter: { user_id: [t.ada.id, many.id] } })).headers['content-range'],
    ).toBe('domains 0-24/131')
  })

  test('every reason for which a name is withheld', async () => {
    const reply = await list({ filter: { q: 'bulk001' } })
    expect(reply.json()).toMatchObject([{ is_active: false, withheld_by: ['locked', 'paused'] }])
  })

  test.each([
    [{ sort: ['username', 'ASC'] }, 422, 'sort'],
    [{ sort: ['id', 'ASC; drop table domains'] }, 422, 'sort'],
    [{ range: [5, 1] }, 422, 'range'],
    [{ range: [1_000_000, 1_000_024] }, 416, undefined],
    [{ filter: { password_hash: 'x' } }, 422, 'filter.password_hash'],
    [{ filter: { status: 'gone' } }, 422, 'filter.status'],
    [{ filter: { user_id: 'x' } }, 422, 'filter.user_id'],
    [{ filter: { q: 'a\0b' } }, 422, 'filter.q'],
  ])('%j is %i', async (parameters, status, field) => {
    const reply = await list(parameters)
    expect(reply.status).toBe(status)
    expect(problemOf(reply).errors?.[0]?.field).toBe(field)
  })

  test.each(['0', '-1', 'x', '1 or 1=1', '9'.repeat(30)])('?user_id=%s is 422', async (value) => {
    const problem = problemOf(await list({}, { user_id: value }))
    expect(problem).toMatchObject({ status: 422, errors: [{ field: 'user_id' }] })
  })
})

describe('access', () => {
  const routes = Object.values(operations['admin-domains']).map(({ method, url }) => ({
    method,
    url: url.replace('{id}', '1'),
  }))

  test.each(routes)('$method $url: only administrators', async ({ method, url }) => {
    const key = await call(t.world.app, 'POST', '/api/api-keys/', {
      headers: t.admin.headers,
      body: { name: `key ${t.people}` },
    })
    const disabled = await t.world.person(`gone${t.people}`, 'admin')
    await query(t.world.knex, 'update users set enabled = false where id = ?', [disabled.id])
    const bearer = `Bearer ${key.json<{ key: string }>().key}`
    const refusals = {
      unsigned: await call(t.world.app, method, url),
      user: await call(t.world.app, method, url, { headers: t.ada.headers }),
      disabled: await call(t.world.app, method, url, { headers: disabled.headers }),
      key: await call(t.world.app, method, url, { headers: { authorization: bearer } }),
    }
    const codes = Object.entries(refusals).map(([who, reply]) => `${who} ${problemOf(reply).code}`)
    expect(codes).toEqual([
      'unsigned unauthenticated',
      'user forbidden',
      'disabled account-disabled',
      'key forbidden',
    ])
  })
})
