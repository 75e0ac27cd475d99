import { describe, expect, test } from 'vitest'
import { createApiClient } from '../client.ts'
import { operations } from '../operations/index.ts'
import type { Operation } from '../operation.ts'
import { listed, listFields } from './list.ts'
import { MockApi } from './mock-api.ts'
import { ok, problem } from './reply.ts'

const ORIGIN = 'http://api.example'

function mockWith(...handlers: Parameters<MockApi['handle']>) {
  const mock = new MockApi()
  mock.handle(...handlers)
  return { mock, api: createApiClient({ baseUrl: ORIGIN, fetch: mock.fetch }) }
}

/** The violation of a call. @throws Error if the call is valid */
async function violationOf(mock: MockApi, call: Promise<unknown>): Promise<string> {
  await expect(call).rejects.toThrow(/./)
  let message = ''
  try {
    mock.expectNoViolations()
  } catch (error) {
    message = (error as Error).message
  }
  if (message === '') throw new Error('nothing was violated')
  return message
}

describe('without a handler', () => {
  test('an operation answers its example', async () => {
    const { mock, api } = mockWith({})
    const { data, response } = await api.GET('/api/domains')
    expect(data).toEqual(operations.domains.listDomains.success.example)
    expect(response.headers.get('content-range')).toBe('items 0-0/1')
    const made = await api.POST('/api/domains', { body: { fqdn: 'home.example.net' } })
    expect([made.response.status, mock.bodiesOf('createDomain')]).toEqual([
      201,
      [{ fqdn: 'home.example.net' }],
    ])
    const gone = await api.DELETE('/api/domains/{id}', { params: { path: { id: '42' } } })
    expect(gone.response.status).toBe(204)
    const address = await api.GET('/nic/checkip', { parseAs: 'text' })
    expect(address.data).toBe('198.51.100.7\n')
    mock.expectNoViolations()
  })
})

describe('a request that the API would not take', () => {
  const send = (mock: MockApi, path: string, init: RequestInit = {}) =>
    mock.fetch(`${ORIGIN}${path}`, { headers: { 'content-type': 'application/json' }, ...init })

  test.each([
    ['GET', '/api/domain', undefined, 'there is no such operation'],
    ['PATCH', '/api/domains/42', '{}', 'there is no such operation'],
    ['GET', '/api/domains/none', undefined, 'path/id must match pattern'],
    ['GET', '/api/domains?page=2', undefined, 'query has no parameter page'],
    ['GET', '/api/domains?limit=many', undefined, 'query/limit must be integer'],
    ['GET', '/api/domains?sort=["owner","ASC"]', undefined, 'sort by owner'],
    ['GET', '/api/domains?filter={"owner":"7"}', undefined, 'filter by owner'],
    ['POST', '/api/domains', '{"fqdn":"a.b","ttl":60}', 'must NOT have additional properties'],
    ['POST', '/api/domains', '{"fqdn":7}', 'body/fqdn must be string'],
    ['POST', '/api/domains', undefined, 'body must be object'],
    ['POST', '/api/logout', '{}', 'it takes no body'],
  ])('%s %s %s: %s', async (method, path, body, words) => {
    const mock = new MockApi()
    const init = body === undefined ? { method } : { method, body }
    expect(await violationOf(mock, send(mock, path, init))).toContain(words)
    expect(mock.calls).toEqual([])
  })

  test('is one whose body is not JSON', async () => {
    const mock = new MockApi()
    const sent = mock.fetch(`${ORIGIN}/api/domains`, { method: 'POST', body: 'fqdn=a.b' })
    expect(await violationOf(mock, sent)).toContain('the body is not JSON')
  })
})

describe('an answer that the API would not give', () => {
  test('is one that does not fit the schema', async () => {
    const { mock, api } = mockWith({ listDomains: () => ok([{ id: '42' }] as never) })
    expect(await violationOf(mock, api.GET('/api/domains'))).toContain(
      "must have required property 'fqdn'",
    )
  })

  test('is a problem that the operation does not have', async () => {
    const { mock, api } = mockWith({ listDomains: () => problem('name-taken') })
    expect(await violationOf(mock, api.GET('/api/domains'))).toBe(
      'listDomains has no problem name-taken',
    )
  })

  test('is a body where the operation has none', async () => {
    const { mock, api } = mockWith({ logout: () => ok({} as never) })
    expect(await violationOf(mock, api.POST('/api/logout'))).toContain('has no body')
  })
})

test('a problem comes with its status, its fields and the time to wait', async () => {
  const { mock, api } = mockWith({
    createDomain: () =>
      problem('rate-limited', { detail: 'Too many.', retryAfterSeconds: 7, errors: [] }),
  })
  const { error, response } = await api.POST('/api/domains', { body: { fqdn: 'a.b' } })
  expect(error).toMatchObject({ code: 'rate-limited', detail: 'Too many.', errors: [] })
  expect([response.status, response.headers.get('retry-after')]).toEqual([429, '7'])
  mock.expectNoViolations()
})

test('the caller is checked as in the API', async () => {
  const { mock, api } = mockWith({})
  const statuses = async () => [
    (await api.GET('/api/captcha')).response.status,
    (await api.GET('/api/me')).response.status,
    (await api.GET('/api/admin/users')).response.status,
    (await api.PUT('/api/admin/plans/{id}', { params: { path: { id: 'pro' } }, body: {} })).response
      .status,
  ]
  mock.caller = 'nobody'
  expect(await statuses()).toEqual([200, 401, 401, 401])
  mock.caller = 'user'
  expect(await statuses()).toEqual([200, 200, 403, 403])
  mock.caller = 'administrator'
  expect((await mock.fetch(`${ORIGIN}/api/admin/plans?range=[0,99]&filter={}`)).status).toBe(200)
  expect(await statuses()).toEqual([200, 200, 200, 200])
  mock.hasFreshProof = false
  expect(await statuses()).toEqual([200, 200, 200, 403])
})

test('a reset forgets handlers, calls and violations', async () => {
  const { mock, api } = mockWith({ listDomains: () => problem('name-taken') })
  mock.caller = 'nobody'
  await violationOf(mock, mock.fetch(`${ORIGIN}/nowhere`))
  mock.reset()
  mock.expectNoViolations()
  expect((await api.GET('/api/domains')).response.status).toBe(200)
  expect(mock.calls.length).toBe(1)
})

describe('lists', () => {
  const rows = [
    { id: '1', fqdn: 'b.example', ttl: 60 },
    { id: '2', fqdn: 'a.example', ttl: 3600 },
    { id: '3', fqdn: 'c.example', ttl: 300 },
  ]
  const ids = (query: Parameters<typeof listed>[1]) => {
    const reply = listed(rows, query)
    if (reply.kind === 'problem') return reply.problem.code
    return [reply.body.map(({ id }) => id), reply.headers['content-range']]
  }

  test.each([
    [{}, [['1', '2', '3'], 'items 0-2/3']],
    [{ sort: '["fqdn","DESC"]' }, [['3', '1', '2'], 'items 0-2/3']],
    [{ sort: '["ttl","ASC"]', range: '[1,1]' }, [['3'], 'items 1-1/3']],
    [{ filter: '{"q":"a.ex"}' }, [['2'], 'items 0-0/1']],
    [{ filter: '{"id":["1","3"]}' }, [['1', '3'], 'items 0-1/2']],
    [{ filter: '{"fqdn":"none"}' }, [[], 'items */0']],
    [{ range: '[3,5]' }, 'range-not-satisfiable'],
  ])('%j', (query, expected) => {
    expect(ids(query)).toEqual(expected)
  })

  test('each list of the contract says by what it can be sorted and filtered', () => {
    const lists = Object.values(operations)
      .flatMap((slice) => Object.entries(slice as Readonly<Record<string, Operation>>))
      .filter(([, { query, success }]) => success.list === true && query !== undefined)
    expect(lists.length).toBeGreaterThan(3)
    for (const [id, operation] of lists) {
      const { sort, filter } = listFields(operation)
      expect([id, sort.length > 0, filter.length > 0]).toEqual([id, true, true])
    }
  })
})
