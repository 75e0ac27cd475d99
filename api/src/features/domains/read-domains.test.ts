import type { Domain } from '@homing/openapi'
import { describe, expect, test } from 'vitest'
import { useDomainWorld } from '../../../test/support/domain-world.ts'
import { query } from '../../database/sql.ts'

const t = useDomainWorld()

describe('GET /api/domains', () => {
  test('only the caller’s domains, and all of them', async () => {
    const mine = [
      await t.made(t.ada, { fqdn: `${t.fresh('a')}.homing.test` }),
      await t.made(t.ada, { fqdn: `${t.fresh('b')}.homing.test` }),
    ]
    await t.made(t.bob, { fqdn: `${t.fresh('c')}.homing.test` })
    const answer = await t.call(t.ada, 'GET', '/api/domains')
    expect(JSON.parse(answer.body)).toEqual(mine)
    expect(answer.headers['content-range']).toBe('domains 0-1/2')
  })

  test('sorted, in pages, filtered; limit=1 to check a session', async () => {
    for (const label of ['b', 'a', 'c']) {
      await t.made(t.ada, {
        fqdn: `${label}-${t.fresh('l')}.homing.test`,
        record_ip: `192.0.2.${label.charCodeAt(0)}`,
      })
    }
    const list = async (search: Record<string, string>) => {
      const answer = await t.call(
        t.ada,
        'GET',
        `/api/domains?${new URLSearchParams(search).toString()}`,
      )
      expect(answer).toMatchObject({ status: 200 })
      const labels = (JSON.parse(answer.body) as Domain[]).map(({ fqdn }) => fqdn[0]).join('')
      return `${labels} ${String(answer.headers['content-range'])}`
    }
    expect(await list({ sort: '["fqdn","DESC"]' })).toBe('cba domains 0-2/3')
    expect(await list({ sort: '["fqdn","ASC"]', range: '[1,1]' })).toBe('b domains 1-1/3')
    expect(await list({ sort: '["record_ip","ASC"]' })).toBe('abc domains 0-2/3')
    expect(await list({ limit: '1' })).toBe('b domains 0-0/3')
    expect(await list({ filter: '{"q":"192.0.2.99"}' })).toBe('c domains 0-0/1')
    expect(await list({ filter: '{"q":"A-"}' })).toBe('a domains 0-0/1')
    expect(await list({ filter: '{"q":"%"}' })).toBe(' domains */0')
    expect(await list({ filter: '{"zone":"eu.homing.test"}' })).toBe(' domains */0')
    expect(await list({ filter: '{"rrtype":"A","is_active":true,"is_wildcard":false}' })).toBe(
      'bac domains 0-2/3',
    )
  })

  test('filtered by the state of the monitor', async () => {
    const watched = await t.made(t.ada, { fqdn: `${t.fresh('up')}.homing.test` })
    const other = await t.made(t.ada, { fqdn: `${t.fresh('off')}.homing.test` })
    await query(
      t.world.knex,
      `insert into monitors (domain_id, user_id, interval_seconds, state)
       select id, user_id, 60, 'up' from domains where id = ?`,
      [watched.id],
    )
    const found = async (monitor: string) => {
      const filter = encodeURIComponent(JSON.stringify({ monitor }))
      const answer = await t.call(t.ada, 'GET', `/api/domains?filter=${filter}`)
      return (JSON.parse(answer.body) as Domain[]).map(({ id }) => id)
    }
    expect(await Promise.all(['up', 'on', 'off', 'down'].map(found))).toEqual([
      [watched.id],
      [watched.id],
      [other.id],
      [],
    ])
    const broken = await t.refused(t.ada, 'GET', '/api/domains?filter={"monitor":"broken"}')
    expect(broken).toMatchObject({ status: 422, errors: [{ field: 'filter.monitor' }] })
  })

  test('an unreadable parameter is refused by name', async () => {
    for (const [search, field] of [
      ['sort=fqdn', 'sort'],
      ['range=[1]', 'range'],
      ['filter={"user_id":"1"}', 'filter.user_id'],
      ['limit=0', 'limit'],
      ['limit=x', 'limit'],
    ]) {
      expect(await t.refused(t.ada, 'GET', `/api/domains?${search}`)).toMatchObject({
        status: 422,
        errors: [{ field }],
      })
    }
    await t.made(t.ada, { fqdn: `${t.fresh('one')}.homing.test` })
    expect(await t.refused(t.ada, 'GET', '/api/domains?range=[1,2]')).toMatchObject({ status: 416 })
  })
})

describe('one domain', () => {
  test('is read by id and by name, in any case and with a final dot', async () => {
    const domain = await t.made(t.ada, { fqdn: `${t.fresh('read')}.homing.test` })
    for (const url of [domain.id, `fqdn/${domain.fqdn}`, `fqdn/${domain.fqdn.toUpperCase()}.`]) {
      const answer = await t.call(t.ada, 'GET', `/api/domains/${url}`)
      expect(JSON.parse(answer.body)).toEqual(domain)
      expect(answer.headers.etag).toBe('"1"')
    }
  })

  test('a domain of another account gets the response for one that does not exist', async () => {
    const domain = await t.made(t.ada, {
      fqdn: `${t.fresh('hers')}.homing.test`,
      record_ip: '192.0.2.1',
    })
    const body = { record_ip: '192.0.2.66' }
    for (const [method, payload] of [['GET'], ['PUT', body], ['DELETE']] as const) {
      const missing = await t.refused(t.bob, method, '/api/domains/999999999', payload)
      for (const url of [domain.id, `fqdn/${domain.fqdn}`, 'fqdn/a..b', 'fqdn/a%00b']) {
        const problem = await t.refused(t.bob, method, `/api/domains/${url}`, payload)
        expect(problem).toEqual({ ...missing, requestId: problem.requestId })
        expect(problem.status).toBe(404)
      }
    }
    expect(JSON.parse((await t.call(t.ada, 'GET', `/api/domains/${domain.id}`)).body)).toEqual(
      domain,
    )
  })

  test.each(['0', '-1', 'x', '1e3', '99999999999999999999', '1%00'])(
    'an id such as %s is refused',
    async (id) => {
      expect(await t.refused(t.ada, 'GET', `/api/domains/${id}`)).toMatchObject({
        status: 422,
        errors: [{ field: 'id' }],
      })
    },
  )
})

test('GET /api/zones/available: the zones on offer', async () => {
  await query(t.world.knex, `update zones set offered = false where name = 'eu.homing.test'`)
  const answer = await t.call(t.bob, 'GET', '/api/zones/available')
  await query(t.world.knex, `update zones set offered = true where name = 'eu.homing.test'`)
  expect(JSON.parse(answer.body)).toEqual([{ zone: 'homing.test' }])
  expect((await t.call(undefined, 'GET', '/api/zones/available')).status).toBe(401)
})
