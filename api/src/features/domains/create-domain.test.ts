import type { Domain } from '@homing/openapi'
import { describe, expect, test } from 'vitest'
import { address, useDomainWorld } from '../../../test/support/domain-world.ts'
import { publish } from '../../feed/publish.ts'
import { query } from '../../database/sql.ts'

const t = useDomainWorld()

describe('POST /api/domains', () => {
  test('registers a name, publishes its address and writes its history', async () => {
    const fqdn = `${t.fresh('home')}.homing.test`
    const answer = await t.call(t.ada, 'POST', '/api/domains', {
      fqdn,
      zone: 'homing.test',
      rrtype: 'A',
      record_ip: '192.0.2.1',
    })
    const domain = JSON.parse(answer.body) as Domain
    expect(answer.status).toBe(201)
    expect(answer.headers).toMatchObject({
      location: `/api/domains/${domain.id}`,
      etag: '"1"',
    })
    expect(domain).toEqual({
      id: expect.stringMatching(/^\d+$/),
      fqdn,
      zone: 'homing.test',
      rrtype: 'A',
      record_ip: '192.0.2.1',
      record_ipv4: '192.0.2.1',
      record_ipv6: null,
      is_forwarded: false,
      published_ipv4: ['192.0.2.1'],
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
      last_update_at: expect.any(String),
      created_at: expect.any(String),
      created_cc: null,
      user_id: t.ada.id,
      username: t.ada.username,
      paused: false,
      note: null,
      tags: [],
      last_update_client: 'lightMyRequest',
      version: 1,
    })
    expect(await t.served(fqdn)).toEqual([address('A', '192.0.2.1')])
    expect(await t.events(domain.id)).toMatchObject([
      {
        kind: 'created',
        actor: 'session',
        actor_id: Number(t.ada.id),
        old: null,
        new: '192.0.2.1',
      },
    ])
  })

  test('accepts a label, and finds the zone from a full name', async () => {
    const label = t.fresh('label')
    expect((await t.made(t.ada, { fqdn: label, zone: 'Homing.Test.' })).fqdn).toBe(
      `${label}.homing.test`,
    )
    const inEu = await t.made(t.ada, { fqdn: `${label}.eu.homing.test` })
    expect(inEu.zone).toBe('eu.homing.test')
  })

  test.each([
    [{}, 'A', null, null],
    [{ record_ip: null }, 'A', null, null],
    [{ record_ip: '' }, 'A', null, null],
    [{ record_ip: '2001:DB8::1' }, 'AAAA', null, '2001:db8::1'],
    [{ record_ipv6: '2001:db8::1' }, 'AAAA', null, '2001:db8::1'],
    [{ record_ipv4: '192.0.2.1', record_ipv6: '2001:db8::1' }, 'A', '192.0.2.1', '2001:db8::1'],
    [{ rrtype: 'AAAA', record_ipv4: '192.0.2.1' }, 'AAAA', '192.0.2.1', null],
    [{ record_ip: '192.0.2.1', record_ipv4: '192.0.2.1' }, 'A', '192.0.2.1', null],
  ])('%j is of type %s', async (fields, rrtype, ipv4, ipv6) => {
    const label = `t${Math.floor(performance.now() * 1000)}`
    const domain = await t.made(t.ada, { fqdn: label, zone: 'homing.test', ...fields })
    expect(domain).toMatchObject({ rrtype, record_ipv4: ipv4, record_ipv6: ipv6 })
    expect(domain.record_ip).toBe(rrtype === 'A' ? ipv4 : ipv6)
  })

  test.each([
    [{ rrtype: 'AAAA', record_ip: '192.0.2.1' }, 'validation-failed', 'record_ip'],
    [{ rrtype: 'A', record_ip: '2001:db8::1' }, 'validation-failed', 'record_ip'],
    [{ record_ipv4: '2001:db8::1' }, 'validation-failed', 'record_ipv4'],
    [{ record_ipv6: '192.0.2.1' }, 'validation-failed', 'record_ipv6'],
    [{ record_ip: '192.0.2.1', record_ipv4: '192.0.2.2' }, 'validation-failed', 'record_ipv4'],
    [{ record_ip: '192.0.2' }, 'validation-failed', 'record_ip'],
    [{ record_ip: '0.0.0.0' }, 'address-not-allowed', 'record_ip'],
    [{ record_ip: '224.0.0.1' }, 'address-not-allowed', 'record_ip'],
    [{ record_ip: '::ffff:192.0.2.1' }, 'address-not-allowed', 'record_ip'],
    [{ record_ip: 42 }, 'validation-failed', 'record_ip'],
    [{ rrtype: 'MX' }, 'validation-failed', 'rrtype'],
    [{ zone: 'example.com' }, 'validation-failed', 'zone'],
    [{ zone: '..' }, 'name-not-allowed', 'zone'],
    [{ fqdn: 'home.example.com' }, 'name-not-allowed', 'fqdn'],
    [{ fqdn: 'homing.test' }, 'name-not-allowed', 'fqdn'],
    [{ fqdn: 'www' }, 'name-not-allowed', 'fqdn'],
    [{ fqdn: '_x' }, 'name-not-allowed', 'fqdn'],
    [{ fqdn: 'eu.homing.test' }, 'name-not-allowed', 'fqdn'],
    [{ fqdn: 'x.eu.homing.test' }, 'name-not-allowed', 'fqdn'],
    [{ ttl: 1 }, 'validation-failed', 'ttl'],
    [{ user_id: '1' }, 'validation-failed', 'user_id'],
    [{ is_active: true }, 'validation-failed', 'is_active'],
  ])('%j is refused: %s of %s, and nothing is created', async (fields, code, field) => {
    const before = await t.call(t.ada, 'GET', '/api/domains')
    const body = { fqdn: t.fresh('bad'), zone: 'homing.test', ...fields }
    const problem = await t.refused(t.ada, 'POST', '/api/domains', body)
    expect(problem).toMatchObject({ status: 422, code, errors: [{ field }] })
    expect(problem.detail).toContain(problem.errors?.[0]?.message)
    expect((await t.call(t.ada, 'GET', '/api/domains')).body).toBe(before.body)
  })

  test('a name without a zone that ends in no zone gets a list of the zones', async () => {
    const problem = await t.refused(t.ada, 'POST', '/api/domains', { fqdn: 'home' })
    expect(problem.detail).toBe(
      'zone is missing, and fqdn does not end in an available zone. Expected one of: eu.homing.test, homing.test.',
    )
  })

  test('a taken name gets the same refusal for every owner', async () => {
    const fqdn = `${t.fresh('taken')}.homing.test`
    await t.made(t.ada, { fqdn })
    const problem = await t.refused(t.bob, 'POST', '/api/domains', { fqdn })
    expect(problem).toMatchObject({
      status: 409,
      code: 'name-taken',
      detail: `${fqdn} is already registered. Choose another domain.`,
    })
    const nameServer = await t.refused(t.bob, 'POST', '/api/domains', { fqdn: 'NS1.homing.test' })
    expect(nameServer.code).toBe('name-not-allowed')
    expect(await t.refused(t.ada, 'POST', '/api/domains', { fqdn })).toMatchObject({
      detail: `${fqdn} is already one of your domains.`,
    })
  })

  test('names below a domain belong to its owner, and nobody can hide the domain', async () => {
    const label = t.fresh('mine')
    await t.made(t.ada, { fqdn: `nas.${label}.homing.test` })
    for (const fqdn of [`x.nas.${label}.homing.test`, `${label}.homing.test`]) {
      expect(await t.refused(t.bob, 'POST', '/api/domains', { fqdn })).toMatchObject({
        status: 409,
        code: 'name-taken',
        detail: `${fqdn} is above or below a registered domain. Choose another domain.`,
      })
      await t.made(t.ada, { fqdn })
    }
    // A name that only has the same ending is in another place of the tree.
    await t.made(t.bob, { fqdn: `x${label}.homing.test` })
  })

  test('a name that the zone itself serves or delegates is taken', async () => {
    const [own, cut] = [t.fresh('own'), t.fresh('cut')]
    await t.world.knex.transaction(async (trx) => {
      await query(
        trx,
        `insert into records (zone_id, owner, type, ttl, rdata, origin) values
         (?, ? || '.homing.test', 'TXT', 60, '{"x"}', 'import'), (?, ? || '.homing.test', 'NS', 60, '{ns.example.}', 'import')`,
        [t.zone, own, t.zone, cut],
      )
      const owners = [`${own}.homing.test`, `${cut}.homing.test`]
      await publish(trx, [{ zoneId: t.zone, owners }])
    })
    for (const fqdn of [`${own}.homing.test`, `${cut}.homing.test`, `x.${cut}.homing.test`]) {
      expect(await t.refused(t.ada, 'POST', '/api/domains', { fqdn })).toMatchObject({
        code: 'name-taken',
      })
    }
    await t.made(t.ada, { fqdn: `x.${own}.homing.test` })
  })

  test('a plan’s limit applies, and does not count wildcards', async () => {
    for (let n = 0; n < 5; n += 1) await t.made(t.bob, { fqdn: `${t.fresh('n')}-${n}.homing.test` })
    expect(
      await t.refused(t.bob, 'POST', '/api/domains', { fqdn: `${t.fresh('n')}-5.homing.test` }),
    ).toMatchObject({
      status: 403,
      code: 'domain-limit',
      detail:
        'Your plan includes 5 domains and you have 5. Delete a domain, or choose a larger plan.',
    })
  })

  test('50 concurrent registrations with one place left create exactly one domain', async () => {
    for (let n = 0; n < 4; n += 1)
      await t.made(t.bob, { fqdn: `${t.fresh('race')}-${n}.homing.test` })
    const register = async (n: number): ReturnType<typeof t.call> => {
      const fqdn = `${t.fresh('racer')}-${n}.homing.test`
      const answer = await t.call(t.bob, 'POST', '/api/domains', { fqdn })
      // On a busy machine, no connection to the database was free in time. The call has changed nothing, and clients repeat it.
      return answer.status === 503 ? register(n) : answer
    }
    const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => register(n)))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(1)
    expect(statuses.filter((status) => status === 403)).toHaveLength(49)
    const list = JSON.parse((await t.call(t.bob, 'GET', '/api/domains')).body) as Domain[]
    expect(list).toHaveLength(5)
  })

  test('of many concurrent registrations of one name, one succeeds', async () => {
    const label = t.fresh('contested')
    const wanted = [`${label}.homing.test`, `x.${label}.homing.test`, `y.x.${label}.homing.test`]
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        t.call(n % 2 === 0 ? t.ada : t.bob, 'POST', '/api/domains', { fqdn: wanted[n % 3] }),
      ),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 409]))
    const owners = await query<{ user_id: string }>(
      t.world.knex,
      `select distinct user_id from domains where fqdn = any (?::text[])`,
      [wanted],
    )
    expect(owners).toHaveLength(1)
  })

  test('a free account has the TTL of its plan', async () => {
    const domain = await t.made(t.bob, {
      fqdn: t.fresh('slow'),
      zone: 'homing.test',
      record_ip: '192.0.2.9',
    })
    expect(domain.ttl).toBe(3600)
    expect(await t.served(domain.fqdn)).toEqual([address('A', '192.0.2.9', 3600)])
  })

  test('a disabled account cannot register', async () => {
    await query(t.world.knex, `update users set enabled = false where id = ?`, [t.ada.id])
    expect(
      await t.refused(t.ada, 'POST', '/api/domains', { fqdn: t.fresh('x'), zone: 'homing.test' }),
    ).toMatchObject({ code: 'account-disabled' })
  })
})
