/** The history of records in own zones, and how it is undone. */
import type { DnsRecord, ZoneEvent } from '@homing/openapi'
import assert from 'node:assert/strict'
import { expect, test } from 'vitest'
import { query } from '../../database/sql.ts'
import type { Caller } from '../../../test/support/api-world.ts'
import { replay, toldSets } from '../../../test/support/feed-world.ts'
import { type TestPlace, useRecordWorld } from '../../../test/support/record-world.ts'

const w = useRecordWorld()

const text = (owner: string, value = 'a') => ({ owner, type: 'TXT', values: [value] })
const urlOf = ({ id }: TestPlace) => `/api/zones/${id}/events`
const events = async (who: Caller, zone: TestPlace, query = '') =>
  w.read<ZoneEvent[]>(who, 'GET', `${urlOf(zone)}${query}`)
const newest = async (who: Caller, zone: TestPlace) => {
  const [event] = await events(who, zone)
  assert(event)
  return event
}
const undoUrl = (zone: TestPlace, { id }: { readonly id: string }) => `${urlOf(zone)}/${id}/undo`
const undo = async (who: Caller, zone: TestPlace, event: { readonly id: string }) =>
  w.read<ZoneEvent>(who, 'POST', undoUrl(zone, event))
const refusal = async (who: Caller, zone: TestPlace, event: { readonly id: string }) =>
  w.problem(who, 'POST', undoUrl(zone, event))
const valuesIn = async (zone: TestPlace) =>
  (await w.read<DnsRecord[]>(w.ada, 'GET', zone.url)).map(({ values }) => values)

test('names each change of a record, with who made it and the values before and after', async () => {
  const zone = await w.ownZone(w.ada, 'told')
  const { id, owner } = await w.record(w.ada, zone, text('x'))
  await w.read(w.ada, 'PUT', `${zone.url}/${id}`, { values: ['b'] })
  await w.call(w.ada, 'DELETE', `${zone.url}/${id}`)
  const a = { owner, type: 'TXT', ttl: 3600, values: ['"a"'] }
  const b = { ...a, values: ['"b"'] }
  const list = await events(w.ada, zone)
  expect(list).toMatchObject([
    { kind: 'record-deleted', actor: 'session', old: { record: b }, new: { record: null } },
    { kind: 'record-changed', old: { record: a }, new: { record: b } },
    { kind: 'record-created', old: { record: null }, new: { record: a }, undoes: null },
  ])
  expect(list[0]).toMatchObject({ source_ip: '127.0.0.1', source_cc: null, actor_name: null })
})

test('has pages, of which the last one has the total', async () => {
  const zone = await w.ownZone(w.ada, 'paged')
  for (const label of ['a', 'b', 'c']) await w.record(w.ada, zone, text(label))
  const page = async (filter: object) => {
    const params = new URLSearchParams({ range: '[0,1]', filter: JSON.stringify(filter) })
    const answer = await w.call(w.ada, 'GET', `${urlOf(zone)}?${params.toString()}`)
    const list = JSON.parse(answer.body) as ZoneEvent[]
    return { list, range: answer.headers['content-range'] }
  }
  const first = await page({})
  expect(first).toMatchObject({ list: [{}, {}], range: 'events 0-1/*' })
  const last = await page({ before: first.list[1]?.id })
  expect(last.range).toBe('events 0-0/1')
  expect(last.list[0]?.new.record?.owner).toBe(`a.${zone.fqdn}`)
  expect((await page({ before: last.list[0]?.id })).range).toBe('events */0')
  for (const params of ['?range=[1,2]', '?sort=["id","ASC"]', '?filter={"before":["1","2"]}']) {
    expect((await w.problem(w.ada, 'GET', `${urlOf(zone)}${params}`))[0]).toBe('validation-failed')
  }
})

test('an undo restores a deleted, changed or created record, is told and can be undone', async () => {
  const zone = await w.ownZone(w.ada, 'undone')
  const { id, owner } = await w.record(w.ada, zone, text('x'))
  await w.read(w.ada, 'PUT', `${zone.url}/${id}`, { values: ['b'] })
  const changed = await newest(w.ada, zone)
  await w.call(w.ada, 'DELETE', `${zone.url}/${id}`)
  const deleted = await newest(w.ada, zone)
  const restored = await undo(w.ada, zone, deleted)
  expect(restored).toMatchObject({
    kind: 'record-created',
    undoes: deleted.id,
    old: { record: null },
    new: { record: { owner, values: ['"b"'] } },
  })
  expect(await valuesIn(zone)).toEqual([['"b"']])
  expect((await refusal(w.ada, zone, deleted))[0]).toBe('already-undone')
  expect(await refusal(w.ada, zone, changed)).toEqual([
    'undo-refused',
    expect.stringContaining('Undo the later change first'),
  ])
  await undo(w.ada, zone, restored)
  expect(await valuesIn(zone)).toEqual([])
  const again = await w.record(w.ada, zone, text('x'))
  await w.read(w.ada, 'PUT', `${zone.url}/${again.id}`, { ttl: 120, values: ['c'] })
  await undo(w.ada, zone, await newest(w.ada, zone))
  expect(await w.read(w.ada, 'GET', zone.url)).toMatchObject([{ ttl: 3600, values: ['"a"'] }])
  const served = replay(await toldSets(w.world.knex, zone.zoneId))
  expect(served[owner]).toEqual([{ type: 'TXT', ttl: 3600, rdata: ['"a"'] }])
})

test('an undo follows the rules of today', async () => {
  const zone = await w.ownZone(w.ada, 'rules')
  const { id } = await w.record(w.ada, zone, { ...text('x'), type: 'CNAME', values: ['a.example'] })
  await w.call(w.ada, 'DELETE', `${zone.url}/${id}`)
  const deleted = await newest(w.ada, zone)
  await w.record(w.ada, zone, text('x'))
  expect((await refusal(w.ada, zone, deleted))[0]).toBe('record-not-allowed')
  expect(await valuesIn(zone)).toEqual([['"a"']])
})

test('an event older than 30 days, and a record that a domain has taken, cannot be undone', async () => {
  const zone = await w.ownZone(w.ada, 'late')
  const { knex } = w.world
  await w.record(w.ada, zone, text('x'))
  const event = await newest(w.ada, zone)
  const age = async (span: string) =>
    query(knex, `update zone_events set happened_at = now() - ?::interval where id = ?`, [
      span,
      event.id,
    ])
  await age('30 days 1 minute')
  expect((await refusal(w.ada, zone, event))[1]).toContain('more than 30 days old')
  await age('29 days')
  await w.made(w.ada, { fqdn: `x.${zone.fqdn}` })
  expect(await refusal(w.ada, zone, event)).toEqual([
    'undo-refused',
    expect.stringContaining(`belongs to the domain x.${zone.fqdn} now`),
  ])
  expect(await valuesIn(zone)).toEqual([['"a"']])
})

test('the history of a withheld zone can be read and not undone', async () => {
  const zone = await w.ownZone(w.ada, 'withheld')
  await w.record(w.ada, zone, text('x'))
  await query(w.world.knex, `update zone_claims set state = 'withheld' where id = ?`, [zone.id])
  expect((await refusal(w.ada, zone, await newest(w.ada, zone)))[0]).toBe('zone-not-active')
})

test('a locked name in a zone keeps its records', async () => {
  const zone = await w.ownZone(w.ada, 'lock')
  await w.record(w.ada, zone, text('x.bad'))
  await query(w.world.knex, 'insert into locked_names (fqdn) values (?)', [`bad.${zone.fqdn}`])
  expect((await refusal(w.ada, zone, await newest(w.ada, zone)))[0]).toBe('domain-locked')
})

test('events of another zone or account do not exist', async () => {
  const [zone, other] = [await w.ownZone(w.ada, 'mine'), await w.ownZone(w.ada, 'other')]
  const his = await w.ownZone(w.bob, 'his')
  await w.record(w.ada, zone, text('x'))
  const event = await newest(w.ada, zone)
  for (const [who, place] of [
    [w.ada, other],
    [w.bob, zone],
    [w.bob, his],
  ] as const) {
    expect((await refusal(who, place, event))[0]).toBe('not-found')
  }
  expect((await w.problem(w.bob, 'GET', urlOf(zone)))[0]).toBe('not-found')
  expect((await refusal(w.ada, zone, { id: '699999999999' }))[0]).toBe('not-found')
})

test('a key sees and undoes the events of the names in its scope', async () => {
  const zone = await w.ownZone(w.ada, 'scoped')
  await w.record(w.ada, zone, text('in'))
  await w.record(w.ada, zone, text('out'))
  const [outside, inside] = await events(w.ada, zone)
  assert(outside && inside)
  const scope = { domains: [`in.${zone.fqdn}`], record_types: ['TXT'] }
  const key = await w.keyOf(w.ada, scope)
  expect(await events(key, zone)).toEqual([inside])
  expect((await refusal(key, zone, outside))[0]).toBe('not-found')
  expect(await undo(key, zone, inside)).toMatchObject({ actor: 'api_key', actor_name: 'k' })
  // An undo needs the action of what it does.
  const changing = await w.keyOf(w.ada, { actions: ['read', 'update'] })
  const deletion = await newest(w.ada, zone)
  for (const event of [deletion, outside])
    expect((await refusal(changing, zone, event))[0]).toBe('key-scope')
})

test('two undos at once undo a change once', async () => {
  const zone = await w.ownZone(w.ada, 'race')
  await w.record(w.ada, zone, text('x'))
  const event = await newest(w.ada, zone)
  const calls = [1, 2, 3].map(async () => w.call(w.ada, 'POST', undoUrl(zone, event)))
  const statuses = (await Promise.all(calls)).map(({ status }) => status)
  expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 409, 409])
  expect(await events(w.ada, zone)).toHaveLength(2)
})
