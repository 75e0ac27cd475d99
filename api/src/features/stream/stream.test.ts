import { describe, expect, test } from 'vitest'
import { call } from '../../../test/support/calls.ts'
import { useStreamWorld, WAIT } from '../../../test/support/stream-world.ts'
import {
  claimAll,
  newRecorder,
  resultOf,
  recordResults,
} from '../../../test/support/monitor-world.ts'
import { insertOwnZone } from '../../../test/support/own-zone.ts'
import { query } from '../../database/sql.ts'

const live = useStreamWorld()

describe('events', () => {
  test('a created, changed and deleted domain, with what a row of the list needs', async () => {
    const client = await live.follow(live.ada)
    expect(client.response.headers.get('content-type')).toBe('text/event-stream')
    expect(client.response.headers.get('cache-control')).toBe('no-store')
    expect(client.events[0]?.name).toBe('reload')
    const { id } = await live.register(live.ada, 'home')
    await expect.poll(() => client.dataOf('domain'), WAIT).toMatchObject([{ id, version: 1 }])
    await live.change(live.ada, id, '198.51.100.7')
    await expect.poll(() => client.dataOf('domain').at(-1), WAIT).toMatchObject({ version: 2 })
    const listed = await call(live.world.app, 'GET', '/api/domains', { headers: live.ada.headers })
    expect(client.dataOf('domain').at(-1)).toEqual(listed.json<unknown[]>()[0])
    await live.as(live.ada, 'DELETE', `/api/domains/${id}`)
    await expect
      .poll(() => client.dataOf('domain-deleted'), WAIT)
      .toEqual([{ id, fqdn: `home${live.people}.homing.test` }])
  })

  test('the domain of a record that changed, and no domain above it', async () => {
    const { id } = await live.register(live.ada, 'recorded')
    const nested = await live.register(live.ada, 'x.recorded')
    const client = await live.follow(live.ada)
    // The streams of the test before can still be read, and then the registrations are events, too.
    const last = await live.register(live.ada, 'last')
    await expect.poll(() => client.dataOf('domain').at(-1), WAIT).toMatchObject({ id: last.id })
    const before = client.dataOf('domain').length
    const since = () => client.dataOf('domain').slice(before)
    const url = `/api/domains/${id}/records`
    const text = { type: 'TXT', values: ['a'] }
    const record = await live.as(live.ada, 'POST', url, { owner: '_a.x', ...text })
    await expect.poll(since, WAIT).toMatchObject([{ id: nested.id }])
    await live.as(live.ada, 'DELETE', `${url}/${record.id}`)
    await expect.poll(() => since().length, WAIT).toBe(2)
    expect(since()[1]).toMatchObject({ id: nested.id })
    await live.as(live.ada, 'POST', url, { owner: 'y', ...text })
    await expect.poll(() => since().at(2), WAIT).toMatchObject({ id })
  })

  test('an own zone whose records changed; not for a domain in it, and not for others', async () => {
    const { knex } = live.world
    const zone = `own${live.people}.example`
    const client = await live.follow(live.ada)
    const { claimId } = await insertOwnZone(knex, live.ada.id, zone)
    const other = await insertOwnZone(knex, live.bob.id, `other${live.people}.example`)
    const text = { type: 'TXT', values: ['a'] }
    await live.as(live.bob, 'POST', `/api/zones/${other.claimId}/records`, { owner: 'x', ...text })
    const records = `/api/zones/${claimId}/records`
    await live.as(live.ada, 'POST', records, { owner: 'x', ...text })
    await expect.poll(() => client.dataOf('zone'), WAIT).toEqual([{ id: claimId, zone }])
    const { id } = await live.as(live.ada, 'POST', '/api/domains', { fqdn: `home.${zone}` })
    await expect.poll(() => client.dataOf('domain').at(-1), WAIT).toMatchObject({ id })
    await live.as(live.ada, 'POST', records, { owner: 'a.home', ...text })
    await expect.poll(() => client.dataOf('domain').length, WAIT).toBe(2)
    expect(client.dataOf('zone')).toHaveLength(1)
    // New zones of others are not a reason to read lists again.
    expect(client.dataOf('reload')).toHaveLength(1)
    client.close()
    await live.as(live.ada, 'POST', records, { owner: '@', ...text })
    const again = await live.follow(live.ada, { lastEventId: client.lastEventId })
    expect(again.dataOf('zone')).toEqual([{ id: claimId, zone }])
    expect(again.dataOf('reload')).toEqual([])
  })

  test('a wildcard comes with its base, whose row shows it', async () => {
    const { id } = await live.register(live.ada, 'base')
    await live.change(live.ada, id, '198.51.100.7')
    const client = await live.follow(live.ada)
    const base_fqdn = `base${live.people}.homing.test`
    const wildcard = await live.as(live.ada, 'POST', '/api/domains/wildcard', { base_fqdn })
    await expect
      .poll(() => client.dataOf('domain'), WAIT)
      .toContainEqual(expect.objectContaining({ id: wildcard.id, is_wildcard: true }))
    expect(client.dataOf('domain')).toContainEqual(
      expect.objectContaining({ id, wildcard_enabled: true }),
    )
  })

  test('changes of others are not sent, nor their deletions and update calls', async () => {
    const theirs = await live.register(live.bob, 'secret')
    const mine = await live.register(live.ada, 'mine')
    const client = await live.follow(live.ada)
    await live.change(live.bob, theirs.id, '203.0.113.9')
    await live.updateByUrl(live.bob, 'secret', '203.0.113.10')
    await live.as(live.bob, 'DELETE', `/api/domains/${theirs.id}`)
    await live.change(live.ada, mine.id, '198.51.100.7')
    await expect
      .poll(() => client.dataOf('domain').at(-1), WAIT)
      .toMatchObject({ id: mine.id, version: 2 })
    expect(client.text).not.toContain('secret')
    expect(client.text).not.toContain('203.0.113.')
  })

  test('an update call, also one that changes nothing', async () => {
    const { id } = await live.register(live.ada, 'router')
    const client = await live.follow(live.ada)
    for (const answer of ['good 198.51.100.8', 'nochg 198.51.100.8']) {
      await live.updateByUrl(live.ada, 'router', '198.51.100.8')
      await live.world.services.callLog.flush()
      await expect
        .poll(() => client.dataOf('update-call').at(-1), WAIT)
        .toMatchObject({
          domain_id: id,
          fqdn: `router${live.people}.homing.test`,
          is_refused: false,
          answer,
        })
    }
  })

  test('a monitor that is turned on, changed and checked; those of others are not sent', async () => {
    const theirs = await live.register(live.bob, 'watched')
    const { id } = await live.register(live.ada, 'home')
    const client = await live.follow(live.ada)
    const fqdn = `home${live.people}.homing.test`
    await live.as(live.bob, 'POST', `/api/uptime/domain/${theirs.id}/monitor`, { enable: true })
    await live.as(live.ada, 'POST', `/api/uptime/domain/${id}/monitor`, { enable: true })
    const on = { domain_id: id, fqdn, is_enabled: true, kind: null, port: null, state: 'pending' }
    await expect.poll(() => client.dataOf('monitor').at(-1), WAIT).toMatchObject(on)
    await live.as(live.ada, 'PUT', `/api/uptime/domain/${id}`, { kind: 'tcp', port: 22 })
    const tcp = { ...on, kind: 'tcp', port: 22 }
    await expect.poll(() => client.dataOf('monitor').at(-1), WAIT).toMatchObject(tcp)
    const { knex } = live.world
    const recorder = newRecorder()
    const results = (await claimAll(knex, recorder)).map((due) => resultOf(due.id, 'up'))
    await recordResults(knex, recorder, results)
    await expect
      .poll(() => client.dataOf('monitor').at(-1), WAIT)
      .toEqual({ ...tcp, state: 'up', state_since: expect.any(String), cause_text: null })
    expect(client.text).not.toContain('watched')
  })

  test('when the notifications are lost, changes are found all the same', async () => {
    const { id } = await live.register(live.ada, 'home')
    const client = await live.follow(live.ada)
    const endListening = () =>
      query(
        live.world.knex,
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'listen %'`,
      )
    await expect.poll(async () => (await endListening()).length, WAIT).toBeGreaterThan(0)
    await live.change(live.ada, id, '198.51.100.7')
    await expect.poll(() => client.dataOf('domain').at(-1), WAIT).toMatchObject({ version: 2 })
  })

  test('after a step of serials that no change made, lists must be read again', async () => {
    const client = await live.follow(live.ada)
    await query(live.world.knex, 'update zone_serials set serial = serial + 1000')
    await expect.poll(() => client.dataOf('reload').length, WAIT).toBeGreaterThan(1)
  })

  test('a stream without events gets heartbeats', async () => {
    const quiet = await live.listening({ heartbeatMs: 50 })
    const client = await live.follow(live.ada, quiet)
    await expect.poll(() => client.dataOf('heartbeat').length, WAIT).toBeGreaterThan(2)
    expect(client.dataOf('reload')).toHaveLength(1)
  })
})

describe('connecting again', () => {
  test('sends what was missed, once, and nothing that was seen', async () => {
    const [seen, missed, gone] = [
      await live.register(live.ada, 'seen'),
      await live.register(live.ada, 'missed'),
      await live.register(live.ada, 'gone'),
    ]
    const client = await live.follow(live.ada)
    await live.change(live.ada, seen.id, '198.51.100.1')
    await expect
      .poll(() => client.dataOf('domain').at(-1), WAIT)
      .toMatchObject({ id: seen.id, version: 2 })
    client.close()
    await live.change(live.ada, missed.id, '198.51.100.2')
    await live.change(live.ada, missed.id, '198.51.100.3')
    await live.as(live.ada, 'DELETE', `/api/domains/${gone.id}`)
    // Another replica continues.
    const other = await live.listening()
    const again = await live.follow(live.ada, { url: other.url, lastEventId: client.lastEventId })
    expect(again.dataOf('reload')).toEqual([])
    expect(again.dataOf('domain')).toMatchObject([{ id: missed.id, record_ipv4: '198.51.100.3' }])
    expect(again.dataOf('domain-deleted')).toMatchObject([{ id: gone.id }])
    expect(again.lastEventId).not.toBe(client.lastEventId)
  })

  test('with an id that says too little, the client must read its lists again', async () => {
    await live.register(live.ada, 'home')
    const client = await live.follow(live.ada)
    client.close()
    await live.register(live.ada, 'other', 'eu.homing.test')
    const behind = client.lastEventId.replace(/-\d+$/, '-1')
    for (const lastEventId of ['x', '1-', '9'.repeat(5_000), behind]) {
      const again = await live.follow(live.ada, { lastEventId })
      expect(again.events[0]?.name).toBe('reload')
      again.close()
    }
    // It does not know the other zone: its first change is sent if the streams saw it, otherwise the lists are read again.
    const again = await live.follow(live.ada, { lastEventId: client.lastEventId })
    expect(['reload', 'domain']).toContain(again.events[0]?.name)
    again.close()
  })
})
