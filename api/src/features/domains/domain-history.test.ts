import type { Domain, DomainEvent } from '@homing/openapi'
import { beforeAll, describe, expect, test } from 'vitest'
import { address, useDomainWorld } from '../../../test/support/domain-world.ts'
import { query } from '../../database/sql.ts'

const t = useDomainWorld()
beforeAll(() => {
  Object.assign(t.world.services, { countryOf: () => Promise.resolve('SE') })
})

const made = async (label: string) =>
  t.made(t.ada, { fqdn: `${t.fresh(label)}.homing.test`, record_ip: '192.0.2.1' })

const put = (id: string, change: object) => t.call(t.ada, 'PUT', `/api/domains/${id}`, change)

async function page(id: string, parameters: Record<string, string> = {}) {
  const search = new URLSearchParams(parameters).toString()
  const answer = await t.call(t.ada, 'GET', `/api/domains/${id}/events?${search}`)
  expect(answer.status).toBe(200)
  const events = JSON.parse(answer.body) as DomainEvent[]
  return { events, range: answer.headers['content-range'] }
}

async function newest(id: string): Promise<DomainEvent> {
  const [event] = (await page(id)).events
  if (event === undefined) throw new Error('the domain has no event')
  return event
}

const undo = (id: string, eventId: string, headers?: Record<string, string>) =>
  t.call(t.ada, 'POST', `/api/domains/${id}/events/${eventId}/undo`, undefined, headers)
const notUndone = (id: string, eventId: string, headers?: Record<string, string>) =>
  t.refused(t.ada, 'POST', `/api/domains/${id}/events/${eventId}/undo`, undefined, headers)

describe('GET /api/domains/{id}/events', () => {
  test('says who changed what, from where, newest first', async () => {
    const { id, created_cc } = await made('told')
    expect(created_cc).toBe('SE')
    await put(id, { record_ip: '192.0.2.2' })
    const answer = await put(id, { note: 'Attic', tags: ['home'], paused: true })
    expect(JSON.parse(answer.body)).toMatchObject({ last_update_client: 'lightMyRequest' })
    const { events, range } = await page(id)
    expect(range).toBe('events 0-4/5')
    const byMe = {
      actor: 'session',
      actor_name: null,
      source_ip: '127.0.0.1',
      source_cc: 'SE',
      client: 'lightMyRequest',
      undoes: null,
    }
    expect(events).toMatchObject([
      { ...byMe, kind: 'tags', old: { tags: [] }, new: { tags: ['home'] } },
      { ...byMe, kind: 'note', old: { note: null }, new: { note: 'Attic' } },
      { ...byMe, kind: 'paused', old: { paused: false }, new: { paused: true } },
      { kind: 'address', old: { record_ipv4: '192.0.2.1' }, new: { record_ipv4: '192.0.2.2' } },
      { kind: 'created', old: {}, new: { record_ipv4: '192.0.2.1', record_ipv6: null } },
    ])
  })

  test('names keys and pipelines, and says nothing about administrators', async () => {
    const { id, fqdn } = await made('actors')
    const [key] = await query<{ id: string }>(
      t.world.knex,
      `insert into api_keys (user_id, name, prefix, secret_digest)
       values (?, 'backup', 'ak_', uuid_send(gen_random_uuid())) returning id`,
      [t.ada.id],
    )
    const [policy] = await query<{ id: string }>(
      t.world.knex,
      `insert into trust_policies (user_id, name, issuer, subject) values (?, 'deploy', 'https://ci.test', 'app') returning id`,
      [t.ada.id],
    )
    for (const [actor, actorId] of [
      ['api_key', key?.id],
      ['pipeline', policy?.id],
      ['administrator', t.bob.id],
    ]) {
      await query(
        t.world.knex,
        `insert into domain_events (domain_id, user_id, fqdn, kind, actor, actor_id, source_ip, client)
         values (?, ?, ?, 'withheld', ?, ?, '192.0.2.77', 'curl')`,
        [id, t.ada.id, fqdn, actor ?? '', actorId ?? ''],
      )
    }
    expect((await page(id)).events.slice(0, 3)).toMatchObject([
      { actor: 'administrator', actor_name: null, source_ip: null, source_cc: null, client: null },
      { actor: 'pipeline', actor_name: 'deploy', source_ip: '192.0.2.77' },
      { actor: 'api_key', actor_name: 'backup', client: 'curl' },
    ])
  })

  test('pages by the last event, without a gap', async () => {
    const { id } = await made('pages')
    for (const note of ['a', 'b', 'c', 'd']) await put(id, { note })
    const first = await page(id, { range: '[0,1]' })
    expect(first.range).toBe('events 0-1/*')
    const seen = [...first.events]
    for (;;) {
      const before = seen.at(-1)?.id ?? ''
      const next = await page(id, { range: '[0,1]', filter: JSON.stringify({ before }) })
      seen.push(...next.events)
      if (next.range?.toString().endsWith('*') !== true) break
    }
    expect(seen).toEqual((await page(id)).events)
    expect(seen).toHaveLength(5)
    const last = seen.at(-1)?.id
    expect(await page(id, { filter: JSON.stringify({ before: last }) })).toEqual({
      events: [],
      range: 'events */0',
    })
  })

  test.each([
    ['range', '[5,9]'],
    ['sort', '["id","ASC"]'],
    ['filter.before', '["1","2"]'],
  ])('a %s of %s is refused', async (field, value) => {
    const { id } = await made('list')
    const [name = ''] = field.split('.')
    const text = name === 'filter' ? `{"before":${value}}` : value
    const url = `/api/domains/${id}/events?${name}=${encodeURIComponent(text)}`
    expect(await t.refused(t.ada, 'GET', url)).toMatchObject({ status: 422, errors: [{ field }] })
    await t.call(t.ada, 'DELETE', `/api/domains/${id}`)
  })
})

describe('POST /api/domains/{id}/events/{event_id}/undo', () => {
  test('restores the address, as a new event that can be undone too', async () => {
    const { id, fqdn } = await made('undo')
    await put(id, { record_ip: '192.0.2.2' })
    await put(id, { note: 'A later event about something else' })
    const [, change] = (await page(id)).events
    const eventId = change?.id ?? ''
    const answer = await undo(id, eventId)
    expect(answer.status).toBe(200)
    const domain = JSON.parse(answer.body) as Domain
    expect(domain).toMatchObject({
      record_ip: '192.0.2.1',
      note: 'A later event about something else',
    })
    expect(answer.headers.etag).toBe(`"${domain.version}"`)
    expect(await t.served(fqdn)).toEqual([address('A', '192.0.2.1')])
    const undone = await newest(id)
    expect(undone).toMatchObject({ kind: 'address', undoes: eventId })
    expect(await notUndone(id, eventId)).toMatchObject({ status: 409, code: 'already-undone' })
    await undo(id, undone.id)
    expect(await t.served(fqdn)).toEqual([address('A', '192.0.2.2')])
    expect(await notUndone(id, eventId)).toMatchObject({ status: 409, code: 'already-undone' })
  })

  test.each([
    ['note', { note: 'before' }, { note: 'after' }],
    ['tags', { tags: ['before'] }, { tags: [] }],
    ['paused', { paused: false }, { paused: true }],
    ['resumed', { paused: true }, { paused: false }],
    ['address', { record_ipv6: '2001:db8::1' }, { record_ipv6: null }],
  ])('undoes a change of the kind %s', async (kind, before, after) => {
    const { id } = await made(`kind-${kind}`)
    await put(id, before)
    await put(id, after)
    const event = await newest(id)
    expect(event.kind).toBe(kind)
    expect(JSON.parse((await undo(id, event.id)).body)).toMatchObject(before)
  })

  test('of several calls at once one undoes it', async () => {
    const { id } = await made('race')
    await put(id, { record_ip: '192.0.2.2' })
    const { id: eventId } = await newest(id)
    const answers = await Promise.all([1, 2, 3].map(() => undo(id, eventId)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409])
  })

  test('is refused when the field was changed again, and for other kinds', async () => {
    const { id } = await made('moved')
    const { id: createdId } = await newest(id)
    expect(await notUndone(id, createdId)).toMatchObject({ status: 409, code: 'undo-refused' })
    await put(id, { record_ip: '192.0.2.2' })
    const { id: eventId } = await newest(id)
    await put(id, { record_ipv6: '2001:db8::2' })
    await put(id, { record_ip: '192.0.2.3' })
    await put(id, { record_ip: '192.0.2.2' })
    const refused = await notUndone(id, eventId)
    expect(refused).toMatchObject({ status: 409, code: 'undo-refused' })
    expect(refused.detail).toContain('changed again')
  })

  test('is refused after 30 days, for a locked domain, and against another version', async () => {
    const { id } = await made('old')
    await put(id, { note: 'new' })
    const { id: eventId } = await newest(id)
    expect(await notUndone(id, eventId, { 'if-match': '"1"' })).toMatchObject({ status: 412 })
    await query(
      t.world.knex,
      `update domain_events set happened_at = now() - interval '30 days 1 minute' where id = ?`,
      [eventId],
    )
    expect(await notUndone(id, eventId)).toMatchObject({ code: 'undo-refused' })
    await t.withhold(id, 'locked')
    expect(await notUndone(id, eventId)).toMatchObject({ status: 403, code: 'domain-locked' })
    expect(await notUndone(id, '1')).toMatchObject({ code: 'domain-locked' })
  })

  test('an address that the plan withholds or the policy forbids does not come back', async () => {
    const { id } = await made('policy')
    await put(id, { record_ip: '192.0.2.2' })
    const { id: eventId } = await newest(id)
    await t.withhold(id, 'over_limit')
    expect(await notUndone(id, eventId)).toMatchObject({ status: 423, code: 'withheld' })
    const { config } = t.world.services
    Object.assign(config, { addressPolicy: 'public' })
    try {
      expect(await notUndone(id, eventId)).toMatchObject({ code: 'address-not-allowed' })
    } finally {
      Object.assign(config, { addressPolicy: 'any' })
    }
  })
})
