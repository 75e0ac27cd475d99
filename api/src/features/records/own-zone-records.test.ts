/** Records in a zone of an account. */
import { expect, test } from 'vitest'
import { query } from '../../database/sql.ts'
import { replay, tableState, toldSets } from '../../../test/support/feed-world.ts'
import { useRecordWorld } from '../../../test/support/record-world.ts'

const w = useRecordWorld()

const events = async (claimId: string) =>
  query(w.world.knex, 'select kind, detail from zone_events where claim_id = ? order by id', [
    claimId,
  ])

test('the top of a zone has records beside those of the service, which cannot change', async () => {
  const zone = await w.ownZone(w.ada, 'apex')
  const mx = { owner: '@', type: 'MX', values: ['10 mail.example.com'] }
  const record = await w.record(w.ada, zone, mx)
  expect(record).toMatchObject({ domain_id: null, zone: zone.fqdn, owner: zone.fqdn })
  const held = replay(await toldSets(w.world.knex, zone.zoneId))
  expect(held[zone.fqdn]).toEqual([
    { type: 'MX', ttl: 3600, rdata: ['10 mail.example.com.'] },
    { type: 'NS', ttl: 3600, rdata: [`ns1.${zone.fqdn}.`] },
  ])
  expect((await tableState(w.world.knex, zone.zoneId))[zone.fqdn]).toEqual(held[zone.fqdn])
  for (const [type, owner, value, words] of [
    ['NS', '@', 'ns.example.com', 'The service makes'],
    ['CNAME', '@', 'a.example.com', 'zone apex'],
    ['CNAME', 'ns1', 'a.example.com', 'cannot have a CNAME'],
    ['A', 'ns1', '203.0.113.9', 'The service makes'],
    ['A', 'www', '203.0.113.9', 'Register'],
  ]) {
    expect(await w.problem(w.ada, 'POST', zone.url, { owner, type, values: [value] })).toEqual([
      'record-not-allowed',
      expect.stringContaining(words ?? ''),
    ])
  }
  const ptr = { owner: '7', type: 'PTR', values: ['home.example.com'] }
  await w.record(w.ada, zone, ptr)
  await w.record(w.ada, zone, { owner: '*', type: 'MX', values: ['10 mail.example.com'] })
  expect(await events(zone.id)).toMatchObject([
    { kind: 'record-created', detail: { old: null, new: { owner: zone.fqdn, type: 'MX' } } },
    { kind: 'record-created', detail: { new: { type: 'PTR' } } },
    { kind: 'record-created', detail: { new: { owner: `*.${zone.fqdn}` } } },
  ])
})

test('a withheld zone can be read and not changed', async () => {
  const zone = await w.ownZone(w.ada, 'gone', 'withheld')
  expect(await w.read(w.ada, 'GET', zone.url)).toEqual([])
  const fields = { owner: 'x', type: 'TXT', values: ['a'] }
  expect((await w.problem(w.ada, 'POST', zone.url, fields))[0]).toBe('zone-not-active')
  const text = '@ IN TXT a\n'
  expect((await w.problem(w.ada, 'POST', `${zone.url}/import`, { text }))[0]).toBe(
    'zone-not-active',
  )
})

test('a claim without proof has no records', async () => {
  const zone = await w.ownZone(w.ada, 'pending')
  await query(w.world.knex, `update zone_claims set state = 'pending', proof = null where id = ?`, [
    zone.id,
  ])
  expect((await w.problem(w.ada, 'GET', zone.url))[0]).toBe('not-found')
})

test('a locked name in a zone keeps its records', async () => {
  const zone = await w.ownZone(w.ada, 'lock')
  await query(w.world.knex, 'insert into locked_names (fqdn) values (?)', [`bad.${zone.fqdn}`])
  const fields = { type: 'TXT', values: ['a'] }
  const locked = await w.problem(w.ada, 'POST', zone.url, { owner: 'x.bad', ...fields })
  expect(locked).toEqual(['domain-locked', expect.stringContaining(`bad.${zone.fqdn}`)])
  await w.record(w.ada, zone, { owner: 'good', ...fields })
})
