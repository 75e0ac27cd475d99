import { type AdminDomain, type Domain, operations } from '@homing/openapi'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ApiWorld, type Caller, openApiWorld } from '../../../test/support/api-world.ts'
import { call, problemOf } from '../../../test/support/calls.ts'
import {
  insertDomain,
  replay,
  tableState,
  toldSets,
  zoneId,
} from '../../../test/support/feed-world.ts'
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
  ada = await world.person(`ada${people}`, 'pro')
})

const get = (url: string, headers: Caller['headers'] | undefined = admin.headers) =>
  call(world.app, 'GET', url, { headers })
const list = (parameters: Record<string, unknown> = {}, plain: Record<string, string> = {}) => {
  const text = new URLSearchParams(plain)
  for (const [name, value] of Object.entries(parameters)) text.set(name, JSON.stringify(value))
  return get(`/api/admin/domains?${text.toString()}`)
}
const make = async (who: Caller, body: object): Promise<Domain> => {
  const reply = await call(world.app, 'POST', '/api/domains', { headers: who.headers, body })
  expect(reply.status).toBe(201)
  return reply.json<Domain>()
}
const turn = (id: string, verb: 'lock' | 'unlock', who = admin) =>
  call(world.app, 'POST', `/api/admin/domains/${id}/${verb}`, { headers: who.headers })

describe('GET /api/admin/domains', () => {
  let many: Caller
  beforeAll(async () => {
    many = await world.person('many', 'elite')
    await query(
      world.knex,
      `insert into domains (user_id, zone_id, fqdn, rrtype, record_ipv4, record_ipv6, ttl, locked, paused, over_limit)
       select ?, z.id, 'bulk' || lpad(n::text, 3, '0') || '.' || z.name, case when n % 10 = 0 then 'AAAA' else 'A' end,
              ('203.0.113.' || n)::inet, case when n % 10 = 0 then ('2001:db8::' || n)::inet end, 60,
              n = 1, n in (1, 2), n in (3, 4, 5)
       from generate_series(1, 130) n
       join zones z on z.name = case when n % 2 = 0 then 'homing.test' else 'eu.homing.test' end`,
      [many.id],
    )
  })

  test('shows what administrators see of a name', async () => {
    const fqdn = `${ada.username}.homing.test`
    const made = await make(ada, { fqdn, record_ip: '192.0.2.7' })
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
      ttl: 60,
      is_active: true,
      withheld_by: [],
      monitor_enabled: false,
      is_wildcard: false,
      wildcard_enabled: false,
      base_id: null,
      last_update_at: expect.stringMatching(/Z$/),
      created_at: expect.stringMatching(/Z$/),
      created_cc: null,
      user_id: ada.id,
      username: ada.username,
    }
    expect(reply.json()).toEqual([shown])
    expect((await get(`/api/admin/domains/${made.id}`)).json()).toEqual(shown)
  })

  test('a wildcard says whose it is', async () => {
    const base = await make(ada, { fqdn: `${ada.username}.homing.test`, record_ip: '192.0.2.7' })
    const reply = await call(world.app, 'POST', '/api/domains/wildcard', {
      headers: ada.headers,
      body: { base_fqdn: base.fqdn },
    })
    const { id } = reply.json<Domain>()
    const both = await list({ filter: { user_id: ada.id }, sort: ['id', 'ASC'] })
    expect(both.json()).toMatchObject([
      { id: base.id, wildcard_enabled: true, is_wildcard: false, base_id: null },
      { id, wildcard_enabled: false, is_wildcard: true, base_id: base.id },
    ])
    const bases = await list({ filter: { user_id: ada.id, is_wildcard: false } })
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
    const made = await make(ada, { fqdn: `${ada.username}.homing.test` })
    const wanted = [expect.objectContaining({ id: made.id, user_id: ada.id })]
    expect((await list({ filter: { user_id: ada.id } })).json()).toEqual(wanted)
    expect((await list({}, { user_id: ada.id })).json()).toEqual(wanted)
    expect((await list({ filter: { user_id: many.id } }, { user_id: ada.id })).json()).toEqual([])
    expect((await list({ filter: { user_id: [ada.id, many.id] } })).headers['content-range']).toBe(
      'domains 0-24/131',
    )
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

describe('locking', () => {
  /** What a follower of the feed holds of a name is what the tables say; undefined: the name is gone. */
  async function told(fqdn: string): Promise<unknown> {
    const zone = await zoneId(world.knex)
    const held = replay(await toldSets(world.knex, zone))
    expect(held[fqdn]).toEqual((await tableState(world.knex, zone))[fqdn])
    return held[fqdn]
  }
  const addressed = (ip: string) => [{ type: 'A', ttl: 60, rdata: [ip] }]

  test('takes the name and its wildcard out of DNS, and unlocking brings them back', async () => {
    const { id, fqdn } = await make(ada, {
      fqdn: `${ada.username}.homing.test`,
      record_ip: '192.0.2.7',
    })
    const body = { base_fqdn: fqdn }
    await call(world.app, 'POST', '/api/domains/wildcard', { headers: ada.headers, body })
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

  test('its owner sees it, and cannot change or wake it', async () => {
    const { id } = await make(ada, { fqdn: `${ada.username}.homing.test`, record_ip: '192.0.2.7' })
    await turn(id, 'lock')
    const change = await call(world.app, 'PUT', `/api/domains/${id}`, {
      headers: ada.headers,
      body: { record_ip: '192.0.2.8' },
    })
    expect(problemOf(change).code).toBe('withheld')
    const mine = await get(`/api/domains/${id}`, ada.headers)
    expect(mine.json()).toMatchObject({ is_active: false, record_ip: '192.0.2.7' })
  })

  test('twice is once: nothing is published and no version raised', async () => {
    const { id } = await make(ada, { fqdn: `${ada.username}.homing.test` })
    await turn(id, 'lock')
    const serial = async () =>
      (
        await query<{ serial: string }>(
          world.knex,
          'select sum(serial) as serial from zone_serials',
        )
      )[0]
    const before = await serial()
    expect((await turn(id, 'lock')).status).toBe(200)
    expect(await serial()).toEqual(before)
  })

  test('a name that something else withholds does not come back with its lock', async () => {
    const domain = await insertDomain(world.knex, {
      userId: ada.id,
      fqdn: `${ada.username}.homing.test`,
    })
    await query(world.knex, 'update domains set paused = true where id = ?', [domain.id])
    await turn(domain.id, 'lock')
    const reply = await turn(domain.id, 'unlock')
    expect(reply.json()).toMatchObject({ is_active: false, withheld_by: ['paused'] })
  })

  test('the name’s history says who did it', async () => {
    const { id } = await make(ada, { fqdn: `${ada.username}.homing.test` })
    await turn(id, 'lock')
    await turn(id, 'unlock')
    const events = await query(
      world.knex,
      `select kind, actor, actor_id from domain_events where domain_id = ? and kind <> 'created' order by id`,
      [id],
    )
    const who = { actor: 'administrator', actor_id: admin.id }
    expect(events).toEqual([
      { kind: 'withheld', ...who },
      { kind: 'restored', ...who },
    ])
  })

  test('a wildcard is locked by its domain', async () => {
    const base = await make(ada, { fqdn: `${ada.username}.homing.test`, record_ip: '192.0.2.7' })
    const body = { base_fqdn: base.fqdn }
    const made = await call(world.app, 'POST', '/api/domains/wildcard', {
      headers: ada.headers,
      body,
    })
    const { id } = made.json<Domain>()
    expect(problemOf(await turn(id, 'lock'))).toMatchObject({ status: 409, code: 'conflict' })
  })

  test('a wildcard that is made meanwhile is locked with its domain', async () => {
    for (let round = 0; round < 5; round += 1) {
      const fqdn = `${ada.username}-${round}.homing.test`
      const { id } = await make(ada, { fqdn, record_ip: '192.0.2.7' })
      await Promise.all([
        call(world.app, 'POST', '/api/domains/wildcard', {
          headers: ada.headers,
          body: { base_fqdn: fqdn },
        }),
        turn(id, 'lock'),
      ])
      const rows = await query(
        world.knex,
        'select locked from domains where id = ? or base_id = ?',
        [id, id],
      )
      expect(rows).toEqual([{ locked: true }, { locked: true }])
    }
  })

  test('a domain that does not exist is 404', async () => {
    for (const reply of [
      await turn('999999999', 'lock'),
      await turn('999999999', 'unlock'),
      await get('/api/admin/domains/999999999'),
    ]) {
      expect(problemOf(reply)).toMatchObject({ status: 404, code: 'not-found' })
    }
  })
})

describe('who may', () => {
  const routes = Object.values(operations['admin-domains']).map(({ method, url }) => ({
    method,
    url: url.replace('{id}', '1'),
  }))

  test.each(routes)('$method $url: administrators alone', async ({ method, url }) => {
    const key = await call(world.app, 'POST', '/api/api-keys/', {
      headers: admin.headers,
      body: { name: `key ${people}` },
    })
    const disabled = await world.person(`gone${people}`, 'admin')
    await query(world.knex, 'update users set enabled = false where id = ?', [disabled.id])
    const bearer = `Bearer ${key.json<{ key: string }>().key}`
    const refusals = {
      unsigned: await call(world.app, method, url),
      user: await call(world.app, method, url, { headers: ada.headers }),
      disabled: await call(world.app, method, url, { headers: disabled.headers }),
      key: await call(world.app, method, url, { headers: { authorization: bearer } }),
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
