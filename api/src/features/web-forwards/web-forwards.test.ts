/** Web forwards over HTTP: create, list, change and delete them, and what is refused. */
import type {
  DomainEvent,
  RestorableDomain,
  SavedWebForward,
  WebForward,
  WebForwardUsage,
} from '@homing/openapi'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Method } from '../../../test/support/calls.ts'
import { expectForwardFeedEqualsTables, toldForward } from '../../../test/support/forward-world.ts'
import { useForwardWorld } from '../../../test/support/web-forward-world.ts'
import { query } from '../../database/sql.ts'

const t = useForwardWorld()
const SHOP = 'https://shop.example.com/start'

beforeEach(() => t.targets.describe(SHOP, {}))

const list = () => t.read<WebForward[]>(t.ada, 'GET', '/api/webforward')
const put = (id: string, body: object, headers?: Record<string, string>) =>
  t.call(t.ada, 'PUT', `/api/webforward/${id}`, body, headers)

describe('POST /api/webforward', () => {
  test('stores a redirect with defaults, and the domain keeps its addresses', async () => {
    const domain = await t.domain(t.ada, 'first')
    const body = { domain_id: domain.id, target_url: 'shop.example.com/start' }
    const answer = await t.call(t.ada, 'POST', '/api/webforward', body)
    expect(answer).toMatchObject({ status: 201, headers: { etag: '"1"' } })
    expect(JSON.parse(answer.body)).toEqual({
      id: expect.stringMatching(/^\d+$/),
      domain_id: domain.id,
      fqdn: domain.fqdn,
      target_url: SHOP,
      forwarding_type: 'redirect',
      status_code: 301,
      title: null,
      description: null,
      keywords: null,
      forward_path: true,
      forward_query: true,
      is_active: true,
      fallback: null,
      uses_stealth_flag: false,
      hits_7d: 0,
      last_checked_at: t.clock.toISOString(),
      check_result: {
        target_url: SHOP,
        finding: 'reachable',
        message: 'The target answers with status 200.',
        hops: [{ url: SHOP, status: 200 }],
        frames: 'allowed',
        fallback: null,
        checked_at: t.clock.toISOString(),
      },
      disabled_reason: null,
      created_at: expect.any(String),
      version: 1,
    })
    const after = await t.read(t.ada, 'GET', `/api/domains/${domain.id}`)
    expect(after).toMatchObject({ record_ip: '203.0.113.7', is_active: true })
  })

  test('a target that does not answer is saved with a warning', async () => {
    const made = await t.forwarded(t.ada, 'nowhere', { target_url: 'https://nowhere.example.com' })
    expect(made).toMatchObject({
      warning: 'The request failed: dns.',
      check_result: { finding: 'unknown-host', frames: 'unknown' },
    })
  })

  test('a stealth forward uses a flag, unless its target refuses frames', async () => {
    const framed = { target_url: SHOP, forwarding_type: 'stealth', title: '<b>Shop</b>' }
    expect(await t.forwarded(t.ada, 'framed', framed)).toMatchObject({
      uses_stealth_flag: true,
      fallback: null,
      title: '<b>Shop</b>',
    })
    const refusing = 'https://bank.example.com/'
    t.targets.describe(refusing, { headers: { 'x-frame-options': 'DENY' } })
    const made = await t.forwarded(t.ada, 'refusing', { ...framed, target_url: refusing })
    expect(made).toMatchObject({ uses_stealth_flag: false, fallback: 'frames-refused' })
    expect(made.warning).toContain('Visitors are redirected instead.')
    expect(await t.read<WebForwardUsage>(t.ada, 'GET', '/api/webforward/usage')).toEqual({
      total_forwards: 2,
      stealth_flags_used: 1,
      max_stealth_flags: 10,
      remaining_stealth_flags: 9,
      can_create_redirect: true,
      can_create_stealth: true,
    })
  })

  test('of concurrent stealth forwards with one flag left, one is created', async () => {
    const framed = { target_url: SHOP, forwarding_type: 'stealth' }
    for (let n = 0; n < 9; n += 1) await t.forwarded(t.ada, `flag${n}`, framed)
    const domains = []
    for (let n = 0; n < 6; n += 1) domains.push(await t.domain(t.ada, `racer${n}`))
    const answers = await Promise.all(
      domains.map(({ id }) =>
        t.call(t.ada, 'POST', '/api/webforward', { domain_id: id, ...framed }),
      ),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 403, 403, 403, 403, 403])
    const last = JSON.parse(answers.find(({ status }) => status === 403)?.body ?? '') as object
    expect(last).toMatchObject({
      code: 'stealth-limit',
      detail:
        'Your plan includes 10 stealth flags and 10 are in use. Use a redirect, change another stealth forward, or choose a larger plan.',
    })
  })

  test('of concurrent forwards of one domain, one is created', async () => {
    const { id } = await t.domain(t.ada, 'once')
    const body = { domain_id: id, target_url: SHOP }
    const answers = await Promise.all(
      [1, 2, 3].map(() => t.call(t.ada, 'POST', '/api/webforward', body)),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409])
  })

  test('is refused for a free plan, a wildcard, a locked domain and another account’s domain', async () => {
    const domain = await t.domain(t.ada, 'mine')
    const body = { domain_id: domain.id, target_url: SHOP }
    expect(await t.refused(t.bob, 'POST', '/api/webforward', body)).toMatchObject({
      status: 403,
      code: 'plan-required',
      detail: 'Web forwards are not included in your plan. To use them, choose a larger plan.',
    })
    const wildcard = await t.read<{ id: string }>(t.ada, 'POST', '/api/domains/wildcard', {
      base_fqdn: domain.fqdn,
    })
    expect(
      await t.refused(t.ada, 'POST', '/api/webforward', { ...body, domain_id: wildcard.id }),
    ).toMatchObject({ status: 422, code: 'validation-failed', errors: [{ field: 'domain_id' }] })
    const his = await t.domain(t.bob, 'his')
    expect(
      await t.refused(t.ada, 'POST', '/api/webforward', { ...body, domain_id: his.id }),
    ).toMatchObject({ status: 404, code: 'not-found' })
    await t.withhold(domain.id, 'locked')
    expect(await t.refused(t.ada, 'POST', '/api/webforward', body)).toMatchObject({
      status: 403,
      code: 'domain-locked',
    })
  })

  test.each([
    [{ target_url: 'javascript:alert(1)' }, 'target-not-allowed', 'target_url'],
    [{ target_url: 'http://192.168.1.4' }, 'target-not-allowed', 'target_url'],
    [{ target_url: 'http://localhost:8080/' }, 'target-not-allowed', 'target_url'],
    [{ target_url: 'https://rebinding.example.com/' }, 'target-not-allowed', 'target_url'],
    [{ target_url: 'https://back.example.com/' }, 'target-not-allowed', 'target_url'],
    [{ target_url: '' }, 'validation-failed', 'target_url'],
    [{ status_code: 303 }, 'validation-failed', 'status_code'],
    [{ forwarding_type: 'frame' }, 'validation-failed', 'forwarding_type'],
    [{ forwarding_type: 'stealth', title: 'a\nb' }, 'validation-failed', 'title'],
    [{ uses_stealth_flag: false }, 'validation-failed', 'uses_stealth_flag'],
    [{ user_id: '1' }, 'validation-failed', 'user_id'],
  ])('%j is refused: %s', async (fields, code, field) => {
    t.targets.describe('https://rebinding.example.com/', 'private-address')
    t.targets.describe('https://back.example.com/', 'own-address')
    const { id } = await t.domain(t.ada, 'refused')
    const body = { domain_id: id, target_url: SHOP, ...fields }
    const problem = await t.refused(t.ada, 'POST', '/api/webforward', body)
    expect(problem).toMatchObject({ status: 422, code, errors: [{ field }] })
    expect(await list()).toEqual([])
  })
})

describe('PUT /api/webforward/{id}', () => {
  test('changes what it gives, keeps the stealth flag, and writes the history', async () => {
    const framed = { target_url: SHOP, forwarding_type: 'stealth', title: 'Shop' }
    const made = await t.forwarded(t.ada, 'edited', framed)
    const answer = await put(made.id, {
      domain_id: made.domain_id,
      title: 'Sale',
      status_code: 307,
    })
    expect(answer).toMatchObject({ status: 200, headers: { etag: '"2"' } })
    expect(JSON.parse(answer.body)).toMatchObject({
      title: 'Sale',
      status_code: 307,
      target_url: SHOP,
      uses_stealth_flag: true,
      version: 2,
    })
    const url = `/api/domains/${made.domain_id}/events`
    const [event] = await t.read<DomainEvent[]>(t.ada, 'GET', url)
    expect(event).toMatchObject({
      kind: 'forward-changed',
      old: { forward: { title: 'Shop', status_code: 301 } },
      new: { forward: { title: 'Sale', status_code: 307 } },
    })
  })

  test('the same target is not checked again, another one is', async () => {
    const made = await t.forwarded(t.ada, 'checked', { target_url: SHOP })
    const asked = t.targets.asked.length
    await put(made.id, { target_url: SHOP, status_code: 302 })
    expect(t.targets.asked).toHaveLength(asked)
    const other = 'https://other.example.com/'
    t.targets.describe(other, { status: 404 })
    const changed = JSON.parse((await put(made.id, { target_url: other })).body) as SavedWebForward
    expect(changed).toMatchObject({
      target_url: other,
      warning: 'The target answers with status 404.',
      check_result: { finding: 'error-status' },
    })
  })

  test('a target that refused frames is checked again when it is saved as stealth again', async () => {
    t.targets.describe(SHOP, { headers: { 'x-frame-options': 'DENY' } })
    const framed = { target_url: SHOP, forwarding_type: 'stealth' }
    const made = await t.forwarded(t.ada, 'allowed-later', framed)
    expect(made.fallback).toBe('frames-refused')
    t.targets.describe(SHOP, 'timeout')
    const unknown = JSON.parse((await put(made.id, framed)).body) as SavedWebForward
    expect(unknown).toMatchObject({ fallback: 'frames-refused', uses_stealth_flag: false })
    t.targets.describe(SHOP, {})
    const changed = JSON.parse((await put(made.id, framed)).body) as SavedWebForward
    expect(changed).toMatchObject({ fallback: null, uses_stealth_flag: true })
    expect(changed).not.toHaveProperty('warning')
  })

  test('the forward is read before and after the locks, written once, and DNS is left out', async () => {
    const made = await t.forwarded(t.ada, 'counted', { target_url: SHOP })
    const statements: string[] = []
    const note = ({ sql }: { readonly sql: string }) => void statements.push(sql)
    t.world.knex.on('query', note)
    await put(made.id, { status_code: 302 })
    t.world.knex.off('query', note)
    expect(statements.filter((sql) => /web_forwards/.test(sql))).toHaveLength(3)
    expect(statements.filter((sql) => /publish_/.test(sql))).toEqual([
      expect.stringContaining('publish_forwards'),
    ])
  })

  test('another domain, an old version and a circle are refused', async () => {
    const made = await t.forwarded(t.ada, 'kept', { target_url: SHOP })
    const other = await t.domain(t.ada, 'other')
    const url = `/api/webforward/${made.id}`
    const moved = await t.refused(t.ada, 'PUT', url, { domain_id: other.id })
    expect(moved).toMatchObject({ status: 422, errors: [{ field: 'domain_id' }] })
    await put(made.id, { status_code: 302 })
    const old = { 'if-match': '"1"' }
    expect(await t.refused(t.ada, 'PUT', url, { status_code: 308 }, old)).toMatchObject({
      status: 412,
      code: 'version-mismatch',
    })
    for (const target_url of [`http://${made.fqdn}:8123/`, `http://x.${made.fqdn}/`]) {
      await t.call(t.ada, 'POST', '/api/domains/wildcard', { base_fqdn: made.fqdn })
      const circle = await t.refused(t.ada, 'PUT', url, { target_url })
      expect(circle).toMatchObject({ status: 422, code: 'target-not-allowed' })
      expect(circle.detail).toContain('leads back to')
    }
  })

  test('of a forward that becomes stealth needs a flag', async () => {
    const made = await t.forwarded(t.ada, 'flagless', { target_url: SHOP })
    await query(t.world.knex, `update users set account_type = 'elite' where id = ?`, [t.ada.id])
    await query(
      t.world.knex,
      `update plans set stealth_flag_limit = 0 where account_type = 'elite'`,
    )
    try {
      const url = `/api/webforward/${made.id}`
      const problem = await t.refused(t.ada, 'PUT', url, { forwarding_type: 'stealth' })
      expect(problem.code).toBe('stealth-limit')
    } finally {
      await query(
        t.world.knex,
        `update plans set stealth_flag_limit = 50 where account_type = 'elite'`,
      )
    }
  })
})

test('the hits of today and the six days before are counted', async () => {
  const { id } = await t.forwarded(t.ada, 'visited', { target_url: SHOP })
  await query(
    t.world.knex,
    `select add_forward_hits(gen_random_uuid(), array_agg(?::bigint), array_agg(today - n), array_agg((10 ^ n)::bigint))
     from (select n, (now() at time zone 'UTC')::date as today from generate_series(0, 7) as n) as days`,
    [id],
  )
  expect(await list()).toMatchObject([{ id, hits_7d: 1_111_111 }])
})

test('a forward is deleted by its owner, also on a plan without forwards, and with its domain', async () => {
  const made = await t.forwarded(t.ada, 'deleted', { target_url: SHOP })
  const url = `/api/webforward/${made.id}`
  expect((await t.refused(t.bob, 'DELETE', url)).status).toBe(404)
  await query(t.world.knex, `update users set account_type = 'free' where id = ?`, [t.ada.id])
  expect((await t.refused(t.ada, 'PUT', url, { status_code: 302 })).code).toBe('plan-required')
  expect(await t.read<WebForwardUsage>(t.ada, 'GET', '/api/webforward/usage')).toMatchObject({
    can_create_redirect: false,
    can_create_stealth: false,
  })
  expect((await t.call(t.ada, 'DELETE', url)).status).toBe(204)
  expect((await t.refused(t.ada, 'DELETE', url)).status).toBe(404)
  await query(t.world.knex, `update users set account_type = 'pro' where id = ?`, [t.ada.id])
  const other = await t.forwarded(t.ada, 'with-domain', { target_url: SHOP })
  await t.call(t.ada, 'DELETE', `/api/domains/${other.domain_id}`)
  expect(await list()).toEqual([])
})

test('a key reaches the forwards of its domains, and needs both record types', async () => {
  const made = await t.forwarded(t.ada, 'keyed', { target_url: SHOP })
  await t.forwarded(t.ada, 'unkeyed', { target_url: SHOP })
  const keyFor = async (scope: object) => {
    const body = { name: 'key', scope }
    const { key } = await t.read<{ key: string }>(t.ada, 'POST', '/api/api-keys/', body)
    return { ...t.ada, headers: { authorization: `Bearer ${key}` } }
  }
  const scoped = await keyFor({ domains: [made.fqdn] })
  const seen = await t.read<WebForward[]>(scoped, 'GET', '/api/webforward')
  expect(seen.map(({ fqdn }) => fqdn)).toEqual([made.fqdn])
  const narrow = await keyFor({ record_types: ['A'] })
  const url = `/api/webforward/${made.id}`
  expect(await t.refused(narrow, 'DELETE', url)).toMatchObject({ status: 403, code: 'key-scope' })
  // A domain without addresses of its own, whose forward a change of the whole domain would end.
  const domain = `/api/domains/${made.domain_id}`
  await t.read(t.ada, 'PUT', domain, { record_ipv4: null })
  const refused = async (...call: readonly [Method, string, object?]) =>
    expect((await t.refused(narrow, ...call)).code).toBe('key-scope')
  await refused('PUT', domain, { paused: true })
  const operations = [
    { op: 'change', id: made.domain_id, paused: true },
    { op: 'delete', id: made.domain_id },
  ]
  for (const each of operations) {
    const { errors } = await t.refused(narrow, 'POST', '/api/domains/bulk', { operations: [each] })
    expect(errors).toMatchObject([{ message: expect.stringContaining('AAAA') as string }])
  }
  await refused('DELETE', domain)
  expect((await t.call(t.ada, 'DELETE', domain)).status).toBe(204)
  await refused('POST', `${domain}/restore`)
  expect((await t.call(t.ada, 'POST', `${domain}/restore`)).status).toBe(200)
})

describe('a domain that is restored after its deletion', () => {
  const remove = async (id: string) => t.call(t.ada, 'DELETE', `/api/domains/${id}`)
  const restore = async (id: string) => t.call(t.ada, 'POST', `/api/domains/${id}/restore`)
  const events = async (id: string) =>
    t.read<DomainEvent[]>(t.ada, 'GET', `/api/domains/${id}/events`)

  test('is forwarded again as before, and on a free plan with a redirect', async () => {
    const fields = { forwarding_type: 'stealth', title: 'Shop', status_code: 302 }
    const made = await t.forwarded(t.ada, 'back', { target_url: SHOP, ...fields })
    const paused = await t.forwarded(t.ada, 'rests', { target_url: SHOP, is_active: false })
    await t.call(t.ada, 'POST', '/api/domains/wildcard', { base_fqdn: made.fqdn })
    const [served, told] = [await t.served(made.fqdn), await toldForward(t.world.knex, made.fqdn)]
    for (const { domain_id } of [made, paused]) await remove(domain_id)
    expect(await list()).toEqual([])
    const [deleted] = await t.read<RestorableDomain[]>(t.ada, 'GET', '/api/domains/deleted')
    expect(deleted).toMatchObject({ has_web_forward: true, has_monitor: false })
    for (const { domain_id } of [made, paused]) expect((await restore(domain_id)).status).toBe(200)
    const { id: _, warning: _warning, created_at: _at, ...settings } = made
    const found = await list()
    expect(found.find(({ fqdn }) => fqdn === made.fqdn)).toMatchObject(settings)
    expect(found.find(({ fqdn }) => fqdn === paused.fqdn)).toMatchObject({ is_active: false })
    expect(await t.served(made.fqdn)).toEqual(served)
    const { id: _id, since: _since, ...policy } = told as Record<string, unknown>
    expect(await toldForward(t.world.knex, made.fqdn)).toMatchObject(policy)
    expect(await toldForward(t.world.knex, `*.${made.fqdn}`)).toMatchObject(policy)
    const [started, undeleted] = await events(made.domain_id)
    expect([started?.kind, undeleted?.kind]).toEqual(['forward-started', 'undeleted'])
    await remove(made.domain_id)
    await query(t.world.knex, `update users set account_type = 'free' where id = ?`, [t.ada.id])
    expect((await restore(made.domain_id)).status).toBe(200)
    expect((await list()).find(({ fqdn }) => fqdn === made.fqdn)).toMatchObject({
      forwarding_type: 'stealth',
      fallback: 'plan',
    })
    await expectForwardFeedEqualsTables(t.world.knex)
  })

  test('is not forwarded to a target that was blocked meanwhile, or that leads back', async () => {
    const blocked = await t.forwarded(t.ada, 'bad', { target_url: SHOP })
    const other = await t.domain(t.ada, 'other')
    const circle = await t.forwarded(t.ada, 'round', { target_url: `http://${other.fqdn}/` })
    for (const { domain_id } of [blocked, circle]) await remove(domain_id)
    await t.call(t.ada, 'POST', '/api/webforward', {
      domain_id: other.id,
      target_url: `http://${circle.fqdn}/`,
    })
    const boss = await t.world.person('boss', 'admin')
    const block = { target: SHOP, scope: 'host', reason: 'It imitates a shop.' }
    await t.read(boss, 'POST', '/api/admin/blocked-targets', block)
    for (const { domain_id, target_url } of [blocked, circle]) {
      expect((await restore(domain_id)).status).toBe(200)
      const [ended] = await events(domain_id)
      expect(ended).toMatchObject({ kind: 'forward-ended', old: { forward: { target_url } } })
    }
    expect((await list()).map(({ fqdn }) => fqdn)).toEqual([other.fqdn])
    await expectForwardFeedEqualsTables(t.world.knex)
  })
})
