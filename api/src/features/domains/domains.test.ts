import type { Domain, Problem } from '@homing/openapi'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ApiWorld, type Caller, openApiWorld } from '../../../test/support/api-world.ts'
import { replay, tableState, toldSets, zoneId } from '../../../test/support/feed-world.ts'
import { applyAccountPlan } from '../../feed/account-plan.ts'
import { UpdateNotStored } from '../../feed/address-change.ts'
import { lockDomains } from '../../feed/lock-order.ts'
import { publish, publishDomains } from '../../feed/publish.ts'
import { query } from '../../feed/sql.ts'

let world: ApiWorld
let zone: string
let ada: Caller
let bob: Caller
let people = 0

beforeAll(async () => {
  world = await openApiWorld()
  zone = await zoneId(world.knex)
})
afterAll(() => world.end())

beforeEach(async () => {
  people += 1
  ada = await world.person(`ada${people}`, 'pro')
  bob = await world.person(`bob${people}`, 'free')
})

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

async function call(
  who: Caller | undefined,
  method: Method,
  url: string,
  payload?: object,
  headers: Record<string, string> = {},
) {
  const answer = await world.app.inject({
    method,
    url,
    headers: { ...who?.headers, ...headers },
    ...(payload && { payload }),
  })
  return { status: answer.statusCode, headers: answer.headers, body: answer.body }
}

async function made(who: Caller, fields: object): Promise<Domain> {
  const answer = await call(who, 'POST', '/api/domains', fields)
  expect(answer).toMatchObject({ status: 201 })
  return JSON.parse(answer.body) as Domain
}

async function refused(
  who: Caller | undefined,
  method: Method,
  url: string,
  payload?: object,
  headers?: Record<string, string>,
): Promise<Problem> {
  const answer = await call(who, method, url, payload, headers)
  const problem = JSON.parse(answer.body) as Problem
  expect(problem.status).toBe(answer.status)
  return problem
}

/** A label that no other test uses. */
const fresh = (label: string) => `${label}-${people}`

/** What DNS serves for a name, as followers were told; undefined when the name does not exist. */
async function served(fqdn: string): Promise<unknown> {
  const held = replay(await toldSets(world.knex, zone))
  expect(held).toEqual(await tableState(world.knex, zone))
  return held[fqdn]
}

const address = (type: string, ip: string, ttl = 60) => ({ type, ttl, rdata: [ip] })

/** Sets a reason for which a name is withheld, as an administrator's tool or a plan would. */
const withhold = (id: string, column: string) =>
  world.knex.transaction(async (trx) => {
    await lockDomains(trx, [id])
    await query(trx, `update domains set ${column} = true where id = ?`, [id])
    await publishDomains(trx, [id])
  })

const events = async (domainId: string) =>
  query(
    world.knex,
    `select kind, actor, actor_id::int, host(old_ipv4) as old, host(new_ipv4) as new, client from domain_events where domain_id = ? order by id`,
    [domainId],
  )

describe('POST /api/domains', () => {
  test('registers a name, publishes its address and writes its history', async () => {
    const fqdn = `${fresh('home')}.homing.test`
    const answer = await call(ada, 'POST', '/api/domains', {
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
      ttl: 60,
      is_active: true,
      monitor_enabled: false,
      is_wildcard: false,
      wildcard_enabled: false,
      last_update_at: expect.any(String),
      created_at: expect.any(String),
      created_cc: null,
      user_id: ada.id,
      username: ada.username,
      version: 1,
    })
    expect(await served(fqdn)).toEqual([address('A', '192.0.2.1')])
    expect(await events(domain.id)).toMatchObject([
      { kind: 'created', actor: 'session', actor_id: Number(ada.id), old: null, new: '192.0.2.1' },
    ])
  })

  test('takes a label, and finds the zone from a whole name', async () => {
    const label = fresh('label')
    expect((await made(ada, { fqdn: label, zone: 'Homing.Test.' })).fqdn).toBe(
      `${label}.homing.test`,
    )
    const inEu = await made(ada, { fqdn: `${label}.eu.homing.test` })
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
    const domain = await made(ada, { fqdn: label, zone: 'homing.test', ...fields })
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
  ])('%j is refused: %s of %s, and nothing is made', async (fields, code, field) => {
    const before = await call(ada, 'GET', '/api/domains')
    const body = { fqdn: fresh('bad'), zone: 'homing.test', ...fields }
    const problem = await refused(ada, 'POST', '/api/domains', body)
    expect(problem).toMatchObject({ status: 422, code, errors: [{ field }] })
    expect(problem.detail).toContain(problem.errors?.[0]?.message)
    expect((await call(ada, 'GET', '/api/domains')).body).toBe(before.body)
  })

  test('a name without a zone that ends in none says which there are', async () => {
    const problem = await refused(ada, 'POST', '/api/domains', { fqdn: 'home' })
    expect(problem.detail).toBe(
      'zone is missing, and the name ends in none. Expected one of: eu.homing.test, homing.test.',
    )
  })

  test('a name that is taken is refused in the same words whoever has it', async () => {
    const fqdn = `${fresh('taken')}.homing.test`
    await made(ada, { fqdn })
    const problem = await refused(bob, 'POST', '/api/domains', { fqdn })
    expect(problem).toMatchObject({
      status: 409,
      code: 'name-taken',
      detail: `${fqdn} is taken. Choose another name.`,
    })
    const nameServer = await refused(bob, 'POST', '/api/domains', { fqdn: 'NS1.homing.test' })
    expect(nameServer.code).toBe('name-not-allowed')
    expect(await refused(ada, 'POST', '/api/domains', { fqdn })).toMatchObject({
      detail: `${fqdn} is yours already.`,
    })
  })

  test('what is below a domain is its owner’s, and nobody can hide it', async () => {
    const label = fresh('mine')
    await made(ada, { fqdn: `nas.${label}.homing.test` })
    for (const fqdn of [`x.nas.${label}.homing.test`, `${label}.homing.test`]) {
      expect(await refused(bob, 'POST', '/api/domains', { fqdn })).toMatchObject({
        status: 409,
        code: 'name-taken',
        detail: `${fqdn} lies below or above a name that is taken. Choose another name.`,
      })
      await made(ada, { fqdn })
    }
    // A name that only ends alike lies elsewhere.
    await made(bob, { fqdn: `x${label}.homing.test` })
  })

  test('a name that the zone itself serves, or delegates, is taken', async () => {
    const [own, cut] = [fresh('own'), fresh('cut')]
    await world.knex.transaction(async (trx) => {
      await query(
        trx,
        `insert into records (zone_id, owner, type, ttl, rdata, origin) values
         (?, ? || '.homing.test', 'TXT', 60, '{"x"}', 'import'), (?, ? || '.homing.test', 'NS', 60, '{ns.example.}', 'import')`,
        [zone, own, zone, cut],
      )
      const owners = [`${own}.homing.test`, `${cut}.homing.test`]
      await publish(trx, [{ zoneId: zone, owners }])
    })
    for (const fqdn of [`${own}.homing.test`, `${cut}.homing.test`, `x.${cut}.homing.test`]) {
      expect(await refused(ada, 'POST', '/api/domains', { fqdn })).toMatchObject({
        code: 'name-taken',
      })
    }
    await made(ada, { fqdn: `x.${own}.homing.test` })
  })

  test('a plan’s limit holds, and counts no wildcards', async () => {
    for (let n = 0; n < 5; n += 1) await made(bob, { fqdn: `${fresh('n')}-${n}.homing.test` })
    expect(
      await refused(bob, 'POST', '/api/domains', { fqdn: `${fresh('n')}-5.homing.test` }),
    ).toMatchObject({
      status: 403,
      code: 'domain-limit',
      detail: 'Your plan holds 5 domains and you have 5. Delete one, or choose a larger plan.',
    })
  })

  test('50 parallel creations with one place left give exactly one domain', async () => {
    for (let n = 0; n < 4; n += 1) await made(bob, { fqdn: `${fresh('race')}-${n}.homing.test` })
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        call(bob, 'POST', '/api/domains', { fqdn: `${fresh('racer')}-${n}.homing.test` }),
      ),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(1)
    expect(statuses.filter((status) => status === 403)).toHaveLength(49)
    const list = JSON.parse((await call(bob, 'GET', '/api/domains')).body) as Domain[]
    expect(list).toHaveLength(5)
  })

  test('one name wanted by many at once goes to one of them', async () => {
    const label = fresh('contested')
    const wanted = [`${label}.homing.test`, `x.${label}.homing.test`, `y.x.${label}.homing.test`]
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        call(n % 2 === 0 ? ada : bob, 'POST', '/api/domains', { fqdn: wanted[n % 3] }),
      ),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 409]))
    const owners = await query<{ user_id: string }>(
      world.knex,
      `select distinct user_id from domains where fqdn = any (?::text[])`,
      [wanted],
    )
    expect(owners).toHaveLength(1)
  })

  test('a free account has the TTL of its plan', async () => {
    const domain = await made(bob, {
      fqdn: fresh('slow'),
      zone: 'homing.test',
      record_ip: '192.0.2.9',
    })
    expect(domain.ttl).toBe(3600)
    expect(await served(domain.fqdn)).toEqual([address('A', '192.0.2.9', 3600)])
  })

  test('a disabled account makes none', async () => {
    await query(world.knex, `update users set enabled = false where id = ?`, [ada.id])
    expect(
      await refused(ada, 'POST', '/api/domains', { fqdn: fresh('x'), zone: 'homing.test' }),
    ).toMatchObject({ code: 'account-disabled' })
  })
})

describe('GET /api/domains', () => {
  test('all that the caller owns, and nothing else', async () => {
    const mine = [
      await made(ada, { fqdn: `${fresh('a')}.homing.test` }),
      await made(ada, { fqdn: `${fresh('b')}.homing.test` }),
    ]
    await made(bob, { fqdn: `${fresh('c')}.homing.test` })
    const answer = await call(ada, 'GET', '/api/domains')
    expect(JSON.parse(answer.body)).toEqual(mine)
    expect(answer.headers['content-range']).toBe('domains 0-1/2')
  })

  test('sorted, in pages, filtered; limit=1 as the check of a session', async () => {
    for (const label of ['b', 'a', 'c']) {
      await made(ada, {
        fqdn: `${label}-${fresh('l')}.homing.test`,
        record_ip: `192.0.2.${label.charCodeAt(0)}`,
      })
    }
    const list = async (search: Record<string, string>) => {
      const answer = await call(
        ada,
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

  test('what cannot be read is refused by name', async () => {
    for (const [search, field] of [
      ['sort=fqdn', 'sort'],
      ['range=[1]', 'range'],
      ['filter={"user_id":"1"}', 'filter.user_id'],
      ['limit=0', 'limit'],
      ['limit=x', 'limit'],
    ]) {
      expect(await refused(ada, 'GET', `/api/domains?${search}`)).toMatchObject({
        status: 422,
        errors: [{ field }],
      })
    }
    await made(ada, { fqdn: `${fresh('one')}.homing.test` })
    expect(await refused(ada, 'GET', '/api/domains?range=[1,2]')).toMatchObject({ status: 416 })
  })
})

describe('one domain', () => {
  test('is read by id and by name, in any case and with a final dot', async () => {
    const domain = await made(ada, { fqdn: `${fresh('read')}.homing.test` })
    for (const url of [domain.id, `fqdn/${domain.fqdn}`, `fqdn/${domain.fqdn.toUpperCase()}.`]) {
      const answer = await call(ada, 'GET', `/api/domains/${url}`)
      expect(JSON.parse(answer.body)).toEqual(domain)
      expect(answer.headers.etag).toBe('"1"')
    }
  })

  test('somebody else’s is not found, in the words of one that does not exist', async () => {
    const domain = await made(ada, { fqdn: `${fresh('hers')}.homing.test`, record_ip: '192.0.2.1' })
    const body = { record_ip: '192.0.2.66' }
    for (const [method, payload] of [['GET'], ['PUT', body], ['DELETE']] as const) {
      const missing = await refused(bob, method, '/api/domains/999999999', payload)
      for (const url of [domain.id, `fqdn/${domain.fqdn}`, 'fqdn/a..b', 'fqdn/a%00b']) {
        const problem = await refused(bob, method, `/api/domains/${url}`, payload)
        expect(problem).toEqual({ ...missing, requestId: problem.requestId })
        expect(problem.status).toBe(404)
      }
    }
    expect(JSON.parse((await call(ada, 'GET', `/api/domains/${domain.id}`)).body)).toEqual(domain)
  })

  test.each(['0', '-1', 'x', '1e3', '99999999999999999999', '1%00'])(
    'an id such as %s is refused',
    async (id) => {
      expect(await refused(ada, 'GET', `/api/domains/${id}`)).toMatchObject({
        status: 422,
        errors: [{ field: 'id' }],
      })
    },
  )
})

describe('PUT /api/domains/{id}', () => {
  test('sets, keeps and withdraws each family', async () => {
    const { id, fqdn } = await made(ada, {
      fqdn: `${fresh('put')}.homing.test`,
      record_ip: '192.0.2.1',
    })
    const put = async (change: object, url = id) => {
      const answer = await call(ada, 'PUT', `/api/domains/${url}`, change)
      expect(answer).toMatchObject({ status: 200 })
      const domain = JSON.parse(answer.body) as Domain
      expect(answer.headers.etag).toBe(`"${domain.version}"`)
      return [domain.record_ipv4, domain.record_ipv6, domain.version]
    }
    expect(await put({ record_ip: '192.0.2.2' })).toEqual(['192.0.2.2', null, 2])
    expect(await put({ record_ipv6: '2001:DB8::2' })).toEqual(['192.0.2.2', '2001:db8::2', 3])
    expect(await served(fqdn)).toEqual([address('A', '192.0.2.2'), address('AAAA', '2001:db8::2')])
    expect(await put({ record_ip: '192.0.2.2' })).toEqual(['192.0.2.2', '2001:db8::2', 3])
    expect(await put({})).toEqual(['192.0.2.2', '2001:db8::2', 3])
    expect(await put({ record_ipv4: null }, `fqdn/${fqdn}`)).toEqual([null, '2001:db8::2', 4])
    expect(await put({ record_ip: '192.0.2.3', record_ipv6: null })).toEqual(['192.0.2.3', null, 5])
    expect(await events(id)).toMatchObject([
      { kind: 'created' },
      { kind: 'address', old: '192.0.2.1', new: '192.0.2.2' },
      { kind: 'address', old: '192.0.2.2', new: '192.0.2.2' },
      { kind: 'address', old: '192.0.2.2', new: null },
      { kind: 'address', old: null, new: '192.0.2.3', client: 'lightMyRequest' },
    ])
  })

  test.each([
    [{ record_ip: '2001:db8::1' }, 'validation-failed', 'record_ip'],
    [{ record_ip: '' }, 'validation-failed', 'record_ip'],
    [{ record_ip: '255.255.255.255' }, 'address-not-allowed', 'record_ip'],
    [{ record_ipv6: 'fe80::1%eth0' }, 'validation-failed', 'record_ipv6'],
    [{ fqdn: 'other.homing.test' }, 'validation-failed', 'fqdn'],
    [{ ttl: 60 }, 'validation-failed', 'ttl'],
    [{ user_id: '1' }, 'validation-failed', 'user_id'],
    [{ locked: false }, 'validation-failed', 'locked'],
  ])('%j is refused', async (change, code, field) => {
    const domain = await made(ada, { fqdn: `${fresh('bad')}.homing.test`, record_ip: '192.0.2.1' })
    expect(await refused(ada, 'PUT', `/api/domains/${domain.id}`, change)).toMatchObject({
      status: 422,
      code,
      errors: [{ field }],
    })
    expect(JSON.parse((await call(ada, 'GET', `/api/domains/${domain.id}`)).body)).toEqual(domain)
    await call(ada, 'DELETE', `/api/domains/${domain.id}`)
  })

  test('If-Match: a domain that somebody changed meanwhile is left alone', async () => {
    const { id } = await made(ada, {
      fqdn: `${fresh('match')}.homing.test`,
      record_ip: '192.0.2.1',
    })
    const url = `/api/domains/${id}`
    const first = await call(ada, 'PUT', url, { record_ip: '192.0.2.2' }, { 'if-match': '"1"' })
    expect(first.status).toBe(200)
    const late = await refused(ada, 'PUT', url, { record_ip: '192.0.2.3' }, { 'if-match': '"1"' })
    expect(late).toMatchObject({ status: 412, code: 'version-mismatch' })
    expect(late.detail).toContain('version 2')
    expect(
      await call(ada, 'PUT', url, { record_ip: '192.0.2.3' }, { 'if-match': '*' }),
    ).toMatchObject({ status: 200 })
  })

  test('of two changes of one version exactly one is made', async () => {
    const { id } = await made(ada, { fqdn: `${fresh('two')}.homing.test`, record_ip: '192.0.2.1' })
    const answers = await Promise.all(
      [2, 3, 4, 5].map((n) =>
        call(
          ada,
          'PUT',
          `/api/domains/${id}`,
          { record_ip: `192.0.2.${n}` },
          { 'if-match': '"1"' },
        ),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200, 412, 412, 412,
    ])
  })

  test.each([
    ['locked', 'an administrator locked it'],
    ['over_limit', 'it is over the limit of your plan'],
    ['owner_blocked', 'your account is blocked'],
  ])('a name that is withheld (%s) takes no address', async (column, words) => {
    const { id } = await made(ada, { fqdn: `${fresh(column.replace('_', '-'))}.homing.test` })
    await withhold(id, column)
    const problem = await refused(ada, 'PUT', `/api/domains/${id}`, { record_ip: '192.0.2.1' })
    expect(problem).toMatchObject({ status: 423, code: 'withheld' })
    expect(problem.detail).toContain(words)
  })

  test('a name that its owner paused stores the address and is not served', async () => {
    const { id, fqdn } = await made(ada, {
      fqdn: `${fresh('paused')}.homing.test`,
      record_ip: '192.0.2.1',
    })
    await withhold(id, 'paused')
    expect((await call(ada, 'PUT', `/api/domains/${id}`, { record_ip: '192.0.2.2' })).status).toBe(
      200,
    )
    expect(await served(fqdn)).toBeUndefined()
  })

  test('a database that is away: 503 with Retry-After, never a success', async () => {
    const { id } = await made(ada, { fqdn: `${fresh('away')}.homing.test`, record_ip: '192.0.2.1' })
    const { coalescer } = world.services
    const submit = coalescer.submit.bind(coalescer)
    coalescer.submit = () => Promise.reject(new UpdateNotStored(new Error('Connection terminated')))
    try {
      const answer = await call(ada, 'PUT', `/api/domains/${id}`, { record_ip: '192.0.2.2' })
      expect(answer.status).toBe(503)
      expect(answer.headers['retry-after']).toBe('5')
    } finally {
      coalescer.submit = submit
    }
  })
})

describe('DELETE /api/domains/{id}', () => {
  test('the name is gone from DNS and kept for its owner', async () => {
    const domain = await made(ada, { fqdn: `${fresh('gone')}.homing.test`, record_ip: '192.0.2.1' })
    const answer = await call(ada, 'DELETE', `/api/domains/${domain.id}`)
    expect(answer).toMatchObject({ status: 204, body: '' })
    expect(await served(domain.fqdn)).toBeUndefined()
    expect((await call(ada, 'GET', `/api/domains/${domain.id}`)).status).toBe(404)
    expect((await call(ada, 'DELETE', `/api/domains/${domain.id}`)).status).toBe(404)
    expect(await events(domain.id)).toMatchObject([
      { kind: 'created' },
      { kind: 'deleted', old: '192.0.2.1', new: null },
    ])

    for (const fqdn of [domain.fqdn, `x.${domain.fqdn}`]) {
      expect(await refused(bob, 'POST', '/api/domains', { fqdn })).toMatchObject({
        status: 409,
        code: 'name-reserved',
      })
    }
    const again = await made(ada, { fqdn: domain.fqdn })
    expect(again.id).not.toBe(domain.id)
  })

  test('a reservation below a name keeps others from the name, and ends after 30 days', async () => {
    const label = fresh('kept')
    const { id } = await made(ada, { fqdn: `nas.${label}.homing.test` })
    await call(ada, 'DELETE', `/api/domains/${id}`)
    const fqdn = `${label}.homing.test`
    expect(await refused(bob, 'POST', '/api/domains', { fqdn })).toMatchObject({
      code: 'name-reserved',
    })
    const [row] = await query<{ days: number }>(
      world.knex,
      `select round(extract(epoch from reserved_until - now()) / 86400)::int as days from name_reservations where fqdn = ?`,
      [`nas.${fqdn}`],
    )
    expect(row?.days).toBe(30)
    await query(world.knex, `update name_reservations set reserved_until = now() where fqdn = ?`, [
      `nas.${fqdn}`,
    ])
    await made(bob, { fqdn })
  })

  test('by name; somebody else’s is not found', async () => {
    const domain = await made(ada, { fqdn: `${fresh('byname')}.homing.test` })
    expect((await call(bob, 'DELETE', `/api/domains/fqdn/${domain.fqdn}`)).status).toBe(404)
    expect((await call(ada, 'DELETE', `/api/domains/fqdn/${domain.fqdn}`)).status).toBe(204)
  })

  test('a freed place brings the oldest withheld name back, in the same change set', async () => {
    const mine: Domain[] = []
    for (let n = 0; n < 7; n += 1) {
      mine.push(
        await made(ada, { fqdn: `${fresh('old')}-${n}.homing.test`, record_ip: '192.0.2.1' }),
      )
    }
    await world.knex.transaction(async (trx) => {
      await query(trx, `update users set account_type = 'free' where id = ?`, [ada.id])
      await applyAccountPlan(trx, ada.id)
    })
    expect(await served(mine[5]?.fqdn ?? '')).toBeUndefined()
    const before = (await toldSets(world.knex, zone)).length
    await call(ada, 'DELETE', `/api/domains/${mine[0]?.id}`)
    expect(await served(mine[5]?.fqdn ?? '')).toEqual([address('A', '192.0.2.1', 3600)])
    expect(await served(mine[6]?.fqdn ?? '')).toBeUndefined()
    expect(await toldSets(world.knex, zone)).toHaveLength(before + 1)
  })
})

describe('POST /api/domains/wildcard', () => {
  const wildcard = (who: Caller, base_fqdn: string, more: object = {}) =>
    call(who, 'POST', '/api/domains/wildcard', { base_fqdn, ...more })

  test('follows both families of its base, and goes with it', async () => {
    const base = await made(ada, {
      fqdn: `${fresh('wild')}.homing.test`,
      record_ip: '192.0.2.1',
      record_ipv6: '2001:db8::1',
    })
    const answer = await wildcard(ada, base.fqdn, { rrtype: 'A', record_ip: '198.51.100.9' })
    expect(answer).toMatchObject({ status: 201 })
    const star = JSON.parse(answer.body) as Domain
    expect(star).toMatchObject({
      fqdn: `*.${base.fqdn}`,
      is_wildcard: true,
      wildcard_enabled: false,
      record_ipv4: '192.0.2.1',
      record_ipv6: '2001:db8::1',
      ttl: 60,
    })
    expect(JSON.parse((await call(ada, 'GET', `/api/domains/${base.id}`)).body)).toMatchObject({
      wildcard_enabled: true,
    })

    await call(ada, 'PUT', `/api/domains/${base.id}`, { record_ip: '192.0.2.2', record_ipv6: null })
    expect(await served(star.fqdn)).toEqual([address('A', '192.0.2.2')])
    expect(
      await refused(ada, 'PUT', `/api/domains/${star.id}`, { record_ip: '192.0.2.3' }),
    ).toMatchObject({
      code: 'conflict',
      detail: `*.${base.fqdn} follows the addresses of ${base.fqdn}. Change that one.`,
    })
    expect((await call(ada, 'GET', `/api/domains/fqdn/*.${base.fqdn}`)).status).toBe(200)

    await call(ada, 'DELETE', `/api/domains/${base.id}`)
    expect(await served(star.fqdn)).toBeUndefined()
    expect((await call(ada, 'GET', `/api/domains/${star.id}`)).status).toBe(404)
  })

  test('can be deleted alone', async () => {
    const base = await made(ada, { fqdn: `${fresh('alone')}.homing.test`, record_ip: '192.0.2.1' })
    const star = JSON.parse((await wildcard(ada, base.fqdn)).body) as Domain
    expect((await call(ada, 'DELETE', `/api/domains/${star.id}`)).status).toBe(204)
    expect(await served(base.fqdn)).toEqual([address('A', '192.0.2.1')])
    expect(await served(star.fqdn)).toBeUndefined()
    expect((await wildcard(ada, base.fqdn)).status).toBe(201)
  })

  test('stops at a withheld name: it is told as an empty one', async () => {
    const base = await made(ada, { fqdn: `${fresh('stop')}.homing.test`, record_ip: '192.0.2.1' })
    const below = await made(ada, { fqdn: `nas.${base.fqdn}`, record_ip: '192.0.2.2' })
    await withhold(below.id, 'locked')
    const star = JSON.parse((await wildcard(ada, base.fqdn)).body) as Domain
    expect(await served(below.fqdn)).toEqual([])
    await call(ada, 'DELETE', `/api/domains/${star.id}`)
    expect(await served(below.fqdn)).toBeUndefined()
  })

  test('is refused without the plan, an address, a domain, or twice', async () => {
    const his = await made(bob, { fqdn: `${fresh('his')}.homing.test`, record_ip: '192.0.2.1' })
    expect(JSON.parse((await wildcard(bob, his.fqdn)).body)).toMatchObject({
      status: 403,
      code: 'plan-required',
    })
    expect(JSON.parse((await wildcard(ada, his.fqdn)).body)).toMatchObject({
      status: 404,
      code: 'not-found',
    })
    const bare = await made(ada, { fqdn: `${fresh('bare')}.homing.test` })
    expect(JSON.parse((await wildcard(ada, bare.fqdn)).body)).toMatchObject({
      status: 409,
      code: 'conflict',
    })
    await call(ada, 'PUT', `/api/domains/${bare.id}`, { record_ip: '192.0.2.1' })
    const twice = await Promise.all([wildcard(ada, bare.fqdn), wildcard(ada, bare.fqdn)])
    expect(twice.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409])
    expect(JSON.parse((await wildcard(ada, `*.${bare.fqdn}`)).body)).toMatchObject({
      code: 'conflict',
    })
  })
})

test('GET /api/zones/available: the zones on offer', async () => {
  await query(world.knex, `update zones set offered = false where name = 'eu.homing.test'`)
  const answer = await call(bob, 'GET', '/api/zones/available')
  await query(world.knex, `update zones set offered = true where name = 'eu.homing.test'`)
  expect(JSON.parse(answer.body)).toEqual([{ zone: 'homing.test' }])
  expect((await call(undefined, 'GET', '/api/zones/available')).status).toBe(401)
})
