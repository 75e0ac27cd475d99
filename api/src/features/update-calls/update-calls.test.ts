import { UPDATE_HINTS, type UpdateCall } from '@homing/openapi'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ApiWorld, type Caller, openApiWorld } from '../../../test/support/api-world.ts'
import { call, problemOf, type Reply } from '../../../test/support/calls.ts'
import { insertDomain } from '../../../test/support/feed-world.ts'
import { stopServices } from '../../compose.ts'
import { query } from '../../database/sql.ts'
import { HINT_TEXTS } from './hint-texts.ts'

const NOW = new Date('2030-06-15T12:00:00Z')
let world: ApiWorld
let ada: Caller
let bob: Caller
let id: string
let people = 0

beforeAll(async () => {
  world = await openApiWorld({}, { now: () => NOW })
})
afterAll(() => world.end())
beforeEach(async () => {
  people += 1
  ada = await world.person(`ada${people}`, 'pro')
  bob = await world.person(`bob${people}`, 'pro')
  id = (await insertDomain(world.knex, { userId: ada.id, fqdn: `home${people}.homing.test` })).id
})

/** Inserts calls as the table stores them; the n-th entry of the ring is `minutesAgo` old. */
async function insertCall(fields: {
  readonly number: number
  readonly answer: string
  readonly minutesAgo: number
  readonly isRefused?: boolean
  readonly hint?: string
}): Promise<void> {
  const at = new Date(NOW.getTime() - fields.minutesAgo * 60_000)
  await query(
    world.knex,
    `insert into update_calls values (?, ?, ?, ?, 2, ?, ?, '198.51.100.7', 'ddclient', 'dyndns2', '/nic/update', 'myip=1', ?, ?)`,
    [
      id,
      fields.isRefused === true,
      fields.number % 50,
      fields.number,
      at,
      at,
      fields.answer,
      fields.hint ?? null,
    ],
  )
}

const list = ({ headers }: Pick<Caller, 'headers'>, search = '', domainId = id): Promise<Reply> =>
  call(world.app, 'GET', `/api/domains/${domainId}/update-calls${search}`, { headers })
const shown = (reply: Reply) => [
  reply.json<UpdateCall[]>().map(({ answer }) => answer),
  reply.headers['content-range'],
]

beforeEach(async () => {
  await insertCall({ number: 1, answer: 'good', minutesAgo: 30, hint: 'prefix-sent-as-address' })
  await insertCall({ number: 1, answer: 'badauth', minutesAgo: 20, isRefused: true })
  await insertCall({ number: 2, answer: 'nochg', minutesAgo: 10 })
})

test('the newest first, with a sentence for each hint', async () => {
  const reply = await list(ada)
  expect(reply.status).toBe(200)
  expect(shown(reply)).toEqual([['nochg', 'badauth', 'good'], 'update-calls 0-2/3'])
  const [newest, , oldest] = reply.json<UpdateCall[]>()
  expect(newest).toEqual({
    id: '4',
    first_at: '2030-06-15T11:50:00.000Z',
    last_at: '2030-06-15T11:50:00.000Z',
    times: 2,
    is_refused: false,
    source_ip: '198.51.100.7',
    client: 'ddclient',
    dialect: 'dyndns2',
    path: '/nic/update',
    said: 'myip=1',
    answer: 'nochg',
    hint: null,
    hint_text: null,
  })
  expect(oldest).toMatchObject({
    hint: 'prefix-sent-as-address',
    hint_text: HINT_TEXTS['prefix-sent-as-address'],
  })
  const ids = reply.json<UpdateCall[]>().map((each) => each.id)
  expect(new Set(ids).size).toBe(3)
})

test.each([
  ['?range=[0,0]', [['nochg'], 'update-calls 0-0/3']],
  ['?range=[1,2]', [['badauth', 'good'], 'update-calls 1-2/3']],
  ['?sort=["last_at","ASC"]', [['good', 'badauth', 'nochg'], 'update-calls 0-2/3']],
  ['?filter={"is_refused":true}', [['badauth'], 'update-calls 0-0/1']],
  ['?filter={"is_refused":false}', [['nochg', 'good'], 'update-calls 0-1/2']],
])('%s', async (search, expected) => {
  expect(shown(await list(ada, encodeURI(search)))).toEqual(expected)
})

test.each(['?range=[5,9]', '?range=x', '?sort=["answer","ASC"]', '?filter={"answer":"good"}'])(
  '%s is refused',
  async (search) => {
    expect([416, 422]).toContain(problemOf(await list(ada, encodeURI(search))).status)
  },
)

test('calls older than thirty days are not listed, and codes of another version are ignored', async () => {
  await insertCall({ number: 3, answer: 'old', minutesAgo: 30 * 24 * 60 })
  await insertCall({ number: 4, answer: 'new', minutesAgo: 1, hint: 'unheard-of' })
  const reply = await list(ada)
  expect(shown(reply)[0]).toEqual(['new', 'nochg', 'badauth', 'good'])
  expect(reply.json<UpdateCall[]>()[0]).toMatchObject({ hint: null, hint_text: null })
})

test('an API key can read them', async () => {
  const { headers } = ada
  const made = await call(world.app, 'POST', '/api/api-keys/', { headers, body: { name: 'ci' } })
  const authorization = `Bearer ${made.json<{ key: string }>().key}`
  expect((await list({ headers: { authorization } })).json()).toHaveLength(3)
})

test('those of another account get the response for a name that does not exist', async () => {
  const foreign = problemOf(await list(bob))
  const missing = problemOf(await list(bob, '', '999999999'))
  expect(foreign).toMatchObject({ status: 404, code: 'not-found' })
  expect({ ...foreign, requestId: '' }).toEqual({ ...missing, requestId: '' })
})

test('a malformed id', async () => {
  expect(problemOf(await list(ada, '', 'abc'))).toMatchObject({
    status: 422,
    errors: [{ field: 'id' }],
  })
})

test('every hint has a sentence', () => {
  for (const hint of UPDATE_HINTS) expect(HINT_TEXTS[hint]).toMatch(/^[A-Z].{20,}\.$/)
})

describe('calls of update URLs', () => {
  /** Calls an update URL with a secret as the password. */
  const update = async (to: ApiWorld, secret: string, myip: string) => {
    const authorization = `Basic ${Buffer.from(`any:${secret}`).toString('base64')}`
    const url = `/nic/update?hostname=heard.homing.test&myip=${myip}`
    return (await call(to.app, 'GET', url, { headers: { authorization }, ip: '198.51.100.7' })).text
  }

  test('are in the list, also after the service was stopped', async () => {
    const other = await openApiWorld()
    const carol = await other.person('carol')
    const { id: heardId } = await insertDomain(other.knex, {
      userId: carol.id,
      fqdn: 'heard.homing.test',
    })
    const made = await call(other.app, 'POST', `/api/domains/${heardId}/update-token`, {
      headers: carol.headers,
      body: {},
    })
    const { token } = made.json<{ token: string }>()
    expect(await update(other, token, '192.0.2.1')).toBe('good 192.0.2.1\n')
    expect(await update(other, token, '192.0.2.1')).toBe('nochg 192.0.2.1\n')
    expect(await update(other, token, '192.0.2.1')).toBe('nochg 192.0.2.1\n')
    expect(await update(other, 'a password', '192.0.2.1')).toBe('badauth\n')
    await other.app.close()
    await stopServices(other.services)
    const calls = await query<object>(
      other.knex,
      `select answer, times, is_refused, host(source_ip) as ip, said from update_calls
       where domain_id = ? order by is_refused, number`,
      [heardId],
    )
    const same = { ip: '198.51.100.7', said: 'hostname=heard.homing.test myip=192.0.2.1' }
    expect(calls).toEqual([
      { answer: 'good 192.0.2.1', times: 1, is_refused: false, ...same },
      { answer: 'nochg 192.0.2.1', times: 2, is_refused: false, ...same },
      { answer: 'badauth', times: 1, is_refused: true, ...same },
    ])
    expect(JSON.stringify(calls)).not.toContain(token.slice(3))
    await other.end()
  })
})
