import type { CreatedUpdateToken, Domain, UpdateToken } from '@homing/openapi'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ApiWorld, type Caller, openApiWorld } from '../../../test/support/api-world.ts'
import { call, problemOf } from '../../../test/support/calls.ts'
import { insertDomain } from '../../../test/support/feed-world.ts'
import { hasSecretForm, secretKindOf } from '../../rules/secrets.ts'
import { query } from '../../database/sql.ts'

let world: ApiWorld
let clock = new Date()
let ada: Caller
let bob: Caller
let host: string
let id: string
let people = 0

beforeAll(async () => {
  world = await openApiWorld({}, { now: () => clock })
})
afterAll(() => world.end())
beforeEach(async () => {
  people += 1
  clock = new Date()
  ada = await world.person(`ada${people}`, 'free')
  bob = await world.person(`bob${people}`, 'pro')
  host = `home${people}.homing.test`
  id = (await insertDomain(world.knex, { userId: ada.id, fqdn: host, ipv4: '192.0.2.1' })).id
})

const urlOf = (domainId: string) => `/api/domains/${domainId}/update-token`
const find = ({ headers }: Pick<Caller, 'headers'>, domainId = id) =>
  call(world.app, 'GET', urlOf(domainId), { headers })
const create = ({ headers }: Pick<Caller, 'headers'>, body: unknown = {}, domainId = id) =>
  call(world.app, 'POST', urlOf(domainId), { headers, body })
const remove = ({ headers }: Pick<Caller, 'headers'>, domainId = id) =>
  call(world.app, 'DELETE', urlOf(domainId), { headers })
const made = async (body: unknown = {}) => (await create(ada, body)).json<CreatedUpdateToken>()

/** The answer of an update URL. */
async function update(token: string, hostname: string, ip: string): Promise<string> {
  const url = `/nic/update?hostname=${hostname}&myip=${ip}`
  const authorization = `Basic ${Buffer.from(`any:${token}`).toString('base64')}`
  const { status, text } = await call(world.app, 'GET', url, {
    headers: { authorization, 'user-agent': 'FRITZ!Box DDNS/1.0.1' },
    ip: '198.51.100.7',
  })
  return `${status} ${text.trim()}`
}

test('every plan has it; it is shown once, and stored as a digest', async () => {
  const reply = await create(ada)
  expect(reply.status).toBe(201)
  expect(reply.headers['cache-control']).toBe('no-store')
  const { token, ...known } = reply.json<CreatedUpdateToken>()
  expect([secretKindOf(token), hasSecretForm(token)]).toEqual(['update_token', true])
  expect(known).toEqual({
    prefix: token.slice(0, 10),
    created_at: clock.toISOString(),
    last_used_at: null,
    last_used_ip: null,
    last_client: null,
  })
  expect((await find(ada)).json()).toEqual(known)
  const rows = await query<{ text: string }>(
    world.knex,
    'select t::text as text from update_tokens t',
  )
  expect(rows.map(({ text }) => text).join('\n')).not.toContain(token.slice(10))
})

describe('a second one', () => {
  test('is created only with `replace`', async () => {
    const first = await made()
    const refused = problemOf(await create(ada))
    expect(refused).toMatchObject({
      status: 409,
      code: 'update-token-exists',
      detail: `${host} already has an update token, and a router may be using it. Set replace to replace it.`,
    })
    expect(problemOf(await create(ada, { replace: false })).code).toBe('update-token-exists')
    expect(await update(first.token, host, '192.0.2.2')).toBe('200 good 192.0.2.2')

    const second = await create(ada, { replace: true })
    expect(second.status).toBe(201)
    expect(await update(first.token, host, '192.0.2.3')).toBe('401 badauth')
    expect(await update(second.json<CreatedUpdateToken>().token, host, '192.0.2.3')).toBe(
      '200 good 192.0.2.3',
    )
  })

  test('has no uses of the first one', async () => {
    const { token } = await made()
    await update(token, host, '192.0.2.2')
    await made({ replace: true })
    await world.services.secretUses.flush()
    expect((await find(ada)).json()).toMatchObject({ last_used_at: null, last_used_ip: null })
  })

  test('concurrent calls create one', async () => {
    const replies = await Promise.all(Array.from({ length: 10 }, () => create(ada)))
    const statuses = replies.map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(1)
    expect(statuses.filter((status) => status === 409)).toHaveLength(9)
    const [winner] = replies.filter(({ status }) => status === 201)
    const token = winner?.json<CreatedUpdateToken>().token ?? ''
    expect(await update(token, host, '192.0.2.2')).toBe('200 good 192.0.2.2')
  })

  test('of many concurrent replacements, only the last is valid', async () => {
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => create(ada, { replace: true })),
    )
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 201))
    const tokens = replies.map((reply) => reply.json<CreatedUpdateToken>().token)
    const answers = await Promise.all(tokens.map((token) => update(token, host, '192.0.2.1')))
    expect(answers.filter((answer) => answer === '200 nochg 192.0.2.1')).toHaveLength(1)
  })
})

describe('its access', () => {
  test('the update URL of its own name, and no other name', async () => {
    await insertDomain(world.knex, { userId: ada.id, fqdn: `nas${people}.homing.test` })
    await insertDomain(world.knex, { userId: bob.id, fqdn: `bobs${people}.homing.test` })
    const { token } = await made()
    expect(await update(token, host, '192.0.2.2')).toBe('200 good 192.0.2.2')
    expect(await update(token, `nas${people}.homing.test`, '192.0.2.2')).toBe('200 nohost')
    expect(await update(token, `bobs${people}.homing.test`, '192.0.2.2')).toBe('200 nohost')
  })

  test('no other call of the api', async () => {
    const { token } = await made()
    const headers = { authorization: `Bearer ${token}` }
    for (const url of ['/api/domains', `/api/domains/${id}`, urlOf(id), '/api/zones/available']) {
      expect(problemOf(await call(world.app, 'GET', url, { headers }))).toMatchObject({
        status: 401,
        detail: 'An update token works only at update URLs. Sign in, or use an API key.',
      })
    }
  })

  test('its use is shown, and is in the name’s history', async () => {
    const { token } = await made()
    await update(token, host, '192.0.2.2')
    await world.services.secretUses.flush()
    expect((await find(ada)).json<UpdateToken>()).toMatchObject({
      last_used_at: clock.toISOString(),
      last_used_ip: '198.51.100.7',
      last_client: 'FRITZ!Box DDNS/1.0.1',
    })
    const events = await query<object>(
      world.knex,
      `select e.actor, e.actor_id = t.id as is_its from domain_events e
       join update_tokens t on t.domain_id = e.domain_id where e.domain_id = ?`,
      [id],
    )
    expect(events).toEqual([{ actor: 'update_token', is_its: true }])
  })

  test('a locked name, and a disabled account: abuse', async () => {
    const { token } = await made()
    await query(world.knex, 'update domains set locked = true where id = ?', [id])
    expect(await update(token, host, '192.0.2.2')).toBe('200 abuse')
    await query(world.knex, 'update domains set locked = false where id = ?', [id])
    await query(world.knex, 'update users set enabled = false where id = ?', [ada.id])
    expect(await update(token, host, '192.0.2.2')).toBe('200 abuse')
  })
})

describe('its end', () => {
  test('when deleted, it is refused at once', async () => {
    const { token } = await made()
    expect((await remove(ada)).status).toBe(204)
    expect(await update(token, host, '192.0.2.2')).toBe('401 badauth')
    expect(problemOf(await remove(ada))).toMatchObject({ status: 404, code: 'no-update-token' })
  })

  test('it is deleted with its name, and the name registered again has none', async () => {
    const { token } = await made()
    const { headers } = ada
    await call(world.app, 'DELETE', `/api/domains/${id}`, { headers })
    expect(await update(token, host, '192.0.2.2')).toBe('401 badauth')
    const again = await call(world.app, 'POST', '/api/domains', { headers, body: { fqdn: host } })
    const domain = again.json<Domain>()
    expect(problemOf(await find(ada, domain.id)).code).toBe('no-update-token')
    expect(await update(token, host, '192.0.2.2')).toBe('401 badauth')
  })

  test('a name that is deleted at this moment gets none', async () => {
    let reply: ReturnType<typeof create> | undefined
    await world.knex.transaction(async (trx) => {
      await query(trx, 'delete from domains where id = ?', [id])
      reply = create(ada)
    })
    expect(problemOf(await (reply ?? create(ada)))).toMatchObject({
      status: 404,
      code: 'not-found',
    })
  })
})

test('a name without a token gets another error than an unknown name', async () => {
  expect(problemOf(await find(ada))).toMatchObject({
    status: 404,
    code: 'no-update-token',
    detail: `${host} has no update token yet.`,
  })
})

test('a wildcard follows its base and cannot have one', async () => {
  const star = await insertDomain(world.knex, { userId: ada.id, fqdn: `*.${host}`, baseId: id })
  expect(problemOf(await create(ada, {}, star.id))).toMatchObject({ status: 409, code: 'conflict' })
  expect(problemOf(await find(ada, star.id)).code).toBe('no-update-token')
})

describe('callers without access', () => {
  const each = (who: Pick<Caller, 'headers'>, domainId = id) => [
    () => find(who, domainId),
    () => create(who, { replace: true }, domainId),
    () => remove(who, domainId),
  ]

  test('another account: as an id that does not exist', async () => {
    const { token } = await made()
    for (const [n, ask] of each(bob).entries()) {
      const foreign = problemOf(await ask())
      const missing = await each(bob, '999999999')[n]?.()
      expect(missing && { ...problemOf(missing), requestId: '' }).toEqual({
        ...foreign,
        requestId: '',
      })
      expect(foreign).toMatchObject({ status: 404, code: 'not-found' })
    }
    expect(await update(token, host, '192.0.2.2')).toBe('200 good 192.0.2.2')
  })

  test('a disabled account', async () => {
    await query(world.knex, 'update users set enabled = false where id = ?', [ada.id])
    for (const ask of each(ada)) {
      expect(problemOf(await ask())).toMatchObject({ status: 403, code: 'account-disabled' })
    }
  })

  test.each(['0', '-1', 'abc', '1%20or%201=1', '9'.repeat(30)])('the id %s', async (bad) => {
    for (const ask of each(ada, bad)) {
      expect(problemOf(await ask())).toMatchObject({ status: 422, errors: [{ field: 'id' }] })
    }
  })

  test.each([{ replace: 'yes' }, { replace: null }, { replace: 1 }, { token: 'ut_mine' }, [], 'x'])(
    'a body of %j',
    async (body) => {
      expect(problemOf(await create(ada, body)).status).toBeGreaterThanOrEqual(400)
      expect(problemOf(await find(ada)).code).toBe('no-update-token')
    },
  )
})
