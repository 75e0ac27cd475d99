import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { HttpError } from 'react-admin'
import { changedFields, dataProvider } from './dataProvider.ts'

interface SentRequest {
  readonly method: string
  readonly path: string
  readonly body: unknown
}

const asked: SentRequest[] = []
let answers: Response[] = []
let ifMatch: string | null = null

const list = (total: string, body: unknown, status = 200) =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', 'content-range': total },
  })
const problem = (status: number, fields: object = {}) =>
  new Response(
    JSON.stringify({ detail: 'In plain words.', code: 'conflict', requestId: 'r-1', ...fields }),
    { status, headers: { 'content-type': 'application/problem+json; charset=utf-8' } },
  )

beforeEach(() => {
  asked.length = 0
  vi.stubGlobal('fetch', async (input: string | Request, options: RequestInit = {}) => {
    const request = input instanceof Request ? input : new Request(`http://x${input}`, options)
    const url = new URL(request.url)
    const text = await request.text()
    ifMatch = request.headers.get('if-match')
    asked.push({
      method: request.method,
      path: url.pathname + url.search,
      body: text === '' ? undefined : JSON.parse(text),
    })
    const answer = answers.shift()
    if (answer === undefined) throw new TypeError('fetch failed')
    return answer
  })
})
afterEach(() => vi.unstubAllGlobals())

const page = { pagination: { page: 2, perPage: 25 }, sort: { field: 'id', order: 'DESC' as const } }

/** The error of a failing call. */
async function failureOf(call: Promise<unknown>): Promise<HttpError> {
  const failure: unknown = await call.then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(failure).toBeInstanceOf(HttpError)
  return failure as HttpError
}

describe('lists', () => {
  test('are requested as the contract defines', async () => {
    answers = [list('users 25-25/26', [{ id: '1' }])]
    const { data, total } = await dataProvider.getList('users', { ...page, filter: { q: 'ada' } })
    expect([data, total]).toEqual([[{ id: '1' }], 26])
    const { path } = asked[0] ?? { path: '' }
    const search = new URL(path, 'http://x').searchParams
    expect(path).toMatch(/^\/api\/admin\/users\?/)
    expect(Object.fromEntries(search)).toEqual({
      sort: '["id","DESC"]',
      range: '[25,49]',
      filter: '{"q":"ada"}',
    })
  })

  test('a page after the last is empty and has the total', async () => {
    answers = [problem(416, { code: 'range-not-satisfiable' }), list('users 0-0/7', [{ id: '1' }])]
    expect(await dataProvider.getList('users', page)).toEqual({ data: [], total: 7 })
  })
})

describe('a change', () => {
  const before = {
    id: '7',
    username: 'ada',
    account_type: 'free',
    enabled: true,
    email: 'ada@example.net',
    given_name: null,
    surname: 'L',
  }

  test('sends only the changed fields', async () => {
    answers = [list('', { ...before, account_type: 'pro' })]
    const data = { ...before, account_type: 'pro', given_name: '' }
    await dataProvider.update('users', { id: '7', data, previousData: before })
    expect(asked).toEqual([
      { method: 'PUT', path: '/api/admin/users/7', body: { account_type: 'pro', given_name: '' } },
    ])
  })

  test.each([
    [{ given_name: undefined }, {}],
    [{ surname: null }, { surname: null }],
    [{ surname: undefined }, { surname: null }],
    [{ username: 'other', domain_count: 9 }, {}],
    [{ enabled: false }, { enabled: false }],
  ])('%j sends %j', (change, sent) => {
    expect(
      changedFields('users', { data: { ...before, ...change }, previousData: before }),
    ).toEqual(sent)
  })

  test('of a record with a version is refused when somebody else changed it', async () => {
    answers = [list('', { id: 'pro', ttl: 61, version: 4 })]
    const previousData = { id: 'pro', ttl: 60, abilities: ['wildcard'], version: 3 }
    const data = { ...previousData, ttl: 61, abilities: ['wildcard'] }
    await dataProvider.update('plans', { id: 'pro', data, previousData })
    expect(asked).toEqual([{ method: 'PUT', path: '/api/admin/plans/pro', body: { ttl: 61 } }])
    expect(ifMatch).toBe('"3"')
  })

  test('of a resource without editable fields sends none', () => {
    expect(changedFields('domains', { data: { ttl: 1 }, previousData: { id: '7' } })).toEqual({})
  })
})

describe('an error of the API', () => {
  test('has the API’s message, the messages by field and the request id', async () => {
    answers = [problem(409, { errors: [{ field: 'email', message: 'Taken.' }] })]
    const call = dataProvider.update('users', {
      id: '7',
      data: { email: 'x@y.z' },
      previousData: { id: '7' },
    })
    expect(await failureOf(call)).toMatchObject({
      message: 'In plain words.',
      status: 409,
      body: { code: 'conflict', requestId: 'r-1', errors: { email: 'Taken.' } },
    })
  })

  test.each([
    [
      'a proxy’s page',
      () => new Response('<html>', { status: 502 }),
      502,
      /temporarily unavailable/,
    ],
    [
      'something else',
      () => new Response('nope', { status: 418 }),
      418,
      /unexpected response \(status 418\)/,
    ],
  ])('%s has an understandable message', async (_, answer, status, words) => {
    answers = [answer()]
    const failure = await failureOf(dataProvider.getOne('users', { id: '7' }))
    expect([failure.status, failure.message]).toEqual([status, expect.stringMatching(words)])
  })

  test('without a response says so', async () => {
    answers = []
    const failure = await failureOf(dataProvider.getOne('users', { id: '7' }))
    expect(failure.message).toMatch(/Cannot reach the service/)
  })
})

describe('locking', () => {
  test('has its own calls', async () => {
    answers = [list('', { id: '9', fqdn: 'a.homing.test' }), list('', { id: '9' })]
    await dataProvider.setLocked('9', true)
    await dataProvider.setLocked('9', false)
    expect(asked.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /api/admin/domains/9/lock',
      'POST /api/admin/domains/9/unlock',
    ])
  })

  test('is cleared by the id of the lock', async () => {
    answers = [new Response(null, { status: 204 })]
    await dataProvider.clearLock('5')
    expect(asked).toMatchObject([{ method: 'DELETE', path: '/api/admin/locked-names/5' }])
  })

  test('that is refused says why', async () => {
    answers = [problem(409), problem(404)]
    for (const refused of [dataProvider.setLocked('9', true), dataProvider.clearLock('5')]) {
      expect((await failureOf(refused)).message).toBe('In plain words.')
    }
  })
})
