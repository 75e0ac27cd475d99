import type { ExportedDomain } from '@homing/openapi'
import { csvRecords } from '@homing/openapi/client'
import { expect, test } from 'vitest'
import { newKey } from '../../../../test/support/batch-keys.ts'
import { useDomainWorld } from '../../../../test/support/domain-world.ts'
import { query } from '../../../database/sql.ts'

const t = useDomainWorld()

test('CSV and JSON have the same rows, without wildcards', async () => {
  const home = await t.made(t.ada, {
    fqdn: `${t.fresh('home')}.homing.test`,
    record_ip: '192.0.2.1',
  })
  await t.call(t.ada, 'POST', '/api/domains/wildcard', { base_fqdn: home.fqdn })
  await t.call(t.ada, 'PUT', `/api/domains/${home.id}`, { note: '=1+1', tags: ['home', 'nas'] })
  const bare = await t.made(t.ada, { fqdn: `${t.fresh('bare')}.homing.test` })
  await t.withhold(bare.id, 'over_limit')
  const json = await t.call(t.ada, 'GET', '/api/domains/export?format=json')
  expect(json.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'content-disposition': 'attachment; filename="domains.json"',
  })
  const rows = JSON.parse(json.body) as ExportedDomain[]
  expect(rows).toEqual([
    {
      domain: home.fqdn,
      zone: 'homing.test',
      ipv4: '192.0.2.1',
      ipv6: null,
      status: 'active',
      wildcard: true,
      paused: false,
      tags: 'home, nas',
      note: '=1+1',
      ttl: 60,
      created_at: home.created_at,
      last_update_at: home.last_update_at,
    },
    expect.objectContaining({ domain: bare.fqdn, ipv4: null, status: 'withheld' }),
  ])
  const csv = await t.call(t.ada, 'GET', '/api/domains/export')
  expect(csv.headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="domains.csv"',
  })
  const [head, ...records] = csvRecords(csv.body).map(({ cells }) => cells)
  expect(head).toEqual(Object.keys(rows[0] ?? {}))
  expect(records).toEqual(
    rows.map((row) =>
      Object.values<string | number | boolean | null>(row).map((cell) => String(cell ?? '')),
    ),
  )
  expect(csv.body).toContain(`,'=1+1,`)
})

test('an account without domains, and a key for some of them', async () => {
  expect((await t.call(t.bob, 'GET', '/api/domains/export?format=json')).body).toBe('[]\n')
  const { fqdn } = await t.made(t.ada, { fqdn: `${t.fresh('mine')}.homing.test` })
  await t.made(t.ada, { fqdn: `${t.fresh('hidden')}.homing.test` })
  const key = await newKey(t.world, t.ada.id, { domains: [fqdn] })
  const answer = await t.call(undefined, 'GET', '/api/domains/export?format=json', undefined, key)
  expect((JSON.parse(answer.body) as ExportedDomain[]).map(({ domain }) => domain)).toEqual([fqdn])
})

test('more than one page, each domain once', async () => {
  await query(
    t.world.knex,
    `insert into domains (user_id, zone_id, fqdn, rrtype, ttl)
     select ?, ?, 'p' || n || '-' || ? || '.homing.test', 'A', 60 from generate_series(1, 1001) as n`,
    [t.bob.id, t.zone, t.bob.id],
  )
  const answer = await t.call(t.bob, 'GET', '/api/domains/export?format=json')
  const names = (JSON.parse(answer.body) as ExportedDomain[]).map(({ domain }) => domain)
  expect([names.length, new Set(names).size]).toEqual([1001, 1001])
})
