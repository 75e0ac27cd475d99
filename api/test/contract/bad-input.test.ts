/**
 * Bad input for every route, enumerated from the contract: each is answered by a problem document, none by a
 * 5xx, and nothing is changed. Hostile values in every field are in `hostile-input.test.ts`.
 */
import { USERNAME_PATTERN } from '@homing/openapi'
import type { TObject, TSchema } from 'typebox'
import * as contract from '@homing/openapi'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ApiWorld, type Caller, openApiWorld } from '../support/api-world.ts'
import { call, problemOf, type Reply } from '../support/calls.ts'
import { HOSTILE_TEXTS } from '../support/hostile-values.ts'
import { type ListedOperation, listedOperations } from '../support/contract-table.ts'
import { query } from '../../src/database/sql.ts'

let world: ApiWorld
let admin: Caller

beforeAll(async () => {
  world = await openApiWorld()
  admin = await world.person('boss', 'admin')
})
afterAll(() => world.end())

const operations = listedOperations.filter(({ access }) => access !== 'update')
const withBody = operations.filter(({ body }) => body !== undefined)

/** The schema of a body: the component that the operation refers to. */
function fieldsOf({ body }: ListedOperation): Readonly<Record<string, TSchema>> {
  const { $ref } = body as { $ref?: string }
  const component = contract.components.find(({ $id }) => `${$id}#` === $ref) as TObject | undefined
  if (component === undefined) throw new Error('a body is a named component')
  return component.properties
}

/** A path with ids and names that nothing has. */
/** Plans have names for ids, and no others are well-formed; of anything else it is nothing that exists. */
const idAt = (url: string) => (url.startsWith('/api/admin/plans/') ? 'free' : '999999999')
const pathOf = ({ url }: ListedOperation) =>
  url.replaceAll(/\{(\w+)\}/g, (_, name) => (name === 'id' ? idAt(url) : 'nothing.homing.test'))

const send = (operation: ListedOperation, body: unknown, headers: Record<string, string> = {}) =>
  call(world.app, operation.method, pathOf(operation), {
    headers: { ...admin.headers, ...headers },
    body,
  })

/** Bodies that are right but for one field: the contract's examples, in zones that exist here. */
function sampleOf({ id, bodyExample }: ListedOperation): Readonly<Record<string, unknown>> {
  if (id === 'createDomain') return { fqdn: 'sample.homing.test', zone: 'homing.test' }
  return bodyExample as Record<string, unknown>
}

/** How much every table holds. */
async function contents(): Promise<unknown> {
  return query(
    world.knex,
    `select (select count(*) from users) as users, (select count(*) from domains) as domains,
            (select count(*) from api_keys) as keys, (select count(*) from sessions) as sessions,
            (select count(*) from mail_links) as links, (select count(*) from pgboss.job) as jobs,
            (select sum(serial) from zone_serials) as serials,
            (select md5(string_agg(u::text, '' order by id)) from users u) as accounts`,
  )
}

async function changesNothing(attempt: () => Promise<void>): Promise<void> {
  const before = await contents()
  await attempt()
  expect(await contents()).toEqual(before)
}

/** Whether an answer to bad input is as it must be. */
function expectRefusal(reply: Reply): void {
  expect(reply.status).toBeGreaterThanOrEqual(400)
  expect(reply.status).toBeLessThan(500)
  problemOf(reply)
}

/** The answer to a parameter of a path that is nothing: a refusal, except where the question is whether it is something. */
function expectAnswerAbout({ id }: ListedOperation, value: string, reply: Reply): void {
  if (id !== 'checkUsername' || value.length > 256) return expectRefusal(reply)
  // Some of the values are well-formed names.
  const isName = new RegExp(USERNAME_PATTERN).test(value)
  const possible = isName
    ? [
        { available: false, reason: 'taken' },
        { available: true, reason: null },
      ]
    : [{ available: false, reason: 'invalid' }]
  expect(possible).toContainEqual(reply.json())
}

describe.each(withBody)('$method $url', (operation) => {
  const fields = Object.keys(fieldsOf(operation))
  const sample = sampleOf(operation)

  test.each([
    ['', 'malformed-request'],
    ['{', 'malformed-request'],
    ['{"a":1,}', 'malformed-request'],
    [`{'a':1}`, 'malformed-request'],
    ['{"a":NaN}', 'malformed-request'],
    ['\ufeff', 'malformed-request'],
    ['{"__proto__":{"admin":true}}', 'malformed-request'],
    ['{"constructor":{"prototype":{"admin":true}}}', 'malformed-request'],
    ['null', 'validation-failed'],
    ['[]', 'validation-failed'],
    ['"text"', 'validation-failed'],
    ['7', 'validation-failed'],
    [`${'['.repeat(20_000)}${']'.repeat(20_000)}`, 'validation-failed'],
  ])('the body %.40s', async (body, code) => {
    await changesNothing(async () => {
      const reply = await send(operation, body)
      expectRefusal(reply)
      expect(problemOf(reply).code).toBe(code)
    })
  })

  test('octets that are not UTF-8', async () => {
    const reply = await world.app.inject({
      method: operation.method,
      url: pathOf(operation),
      headers: { ...admin.headers, 'content-type': 'application/json' },
      payload: Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
    })
    expect(reply.json()).toMatchObject({
      status: 400,
      detail: 'The body is not valid UTF-8. Encode it as UTF-8.',
    })
  })

  test('more than 100 KiB', async () => {
    const reply = await send(operation, { [fields[0] ?? 'a']: 'x'.repeat(100 * 1024) })
    expect(problemOf(reply)).toMatchObject({ status: 413, code: 'body-too-large' })
  })

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/jsonp',
    'x',
  ])('as %s', async (type) => {
    await changesNothing(async () => {
      const reply = await send(operation, JSON.stringify(sample), { 'content-type': type })
      expect(problemOf(reply)).toMatchObject({ status: 415, code: 'unsupported-media-type' })
    })
  })

  test('a field that nobody knows is named', async () => {
    await changesNothing(async () => {
      const reply = await send(operation, { ...sample, is_admin: true })
      const problem = problemOf(reply)
      expect(problem.status).toBe(422)
      expect(problem.errors).toEqual([expect.objectContaining({ field: 'is_admin' })])
    })
  })

  test.each([{ a: 1 }, [1], 7.25, true])('%j is of no field’s type', async (value) => {
    for (const [field, schema] of Object.entries(fieldsOf(operation))) {
      if (typeof value === (schema as { type?: string }).type) continue
      await changesNothing(async () => {
        const reply = await send(operation, { ...sample, [field]: value })
        expect(reply.status).toBe(422)
        const [fault] = problemOf(reply).errors ?? []
        expect(fault?.field.split('.')[0]).toBe(field)
      })
    }
  })
})

describe.each(operations.filter(({ query: parameters }) => parameters !== undefined))(
  '$method $url',
  (operation) => {
    test('a parameter twice, or broken escapes', async () => {
      for (const search of ['range=[0,1]&range=[0,2]', 'filter=%', 'sort=%ff%fe', '%00=1']) {
        const reply = await call(world.app, operation.method, `${pathOf(operation)}?${search}`, {
          headers: admin.headers,
        })
        expect(reply.status).toBeLessThan(500)
      }
    })
  },
)

describe.each(operations)('$method $url', (operation) => {
  const accepted = contract.acceptedQuery(operation)
  const ask = (search: string) =>
    call(world.app, operation.method, `${pathOf(operation)}?${search}`, {
      headers: admin.headers,
      ...(operation.body === undefined ? {} : { body: sampleOf(operation) }),
    })

  if (accepted === undefined) {
    test('a parameter that it does not have is ignored', async () => {
      const reply = await ask('utm_source=mail')
      const plain = await call(world.app, operation.method, pathOf(operation))
      expect(reply.status).toBe(plain.status)
    })
    return
  }

  test('a parameter that it does not have is named, and nothing happens', async () => {
    await changesNothing(async () => {
      const problem = problemOf(await ask('dry_run=true'))
      expect(problem).toMatchObject({ status: 422, code: 'validation-failed' })
      expect(problem.errors).toEqual([expect.objectContaining({ field: 'dry_run' })])
      for (const name of accepted) expect(problem.detail).toContain(name)
    })
  })
})

test('names of parameters that nobody would type are not repeated', async () => {
  const names = HOSTILE_TEXTS.filter(({ length }) => length < 2_000)
  for (const name of [...names, '__proto__', 'a'.repeat(65)]) {
    const reply = await call(world.app, 'GET', `/api/domains?${encodeURIComponent(name)}x%00=1`, {
      headers: admin.headers,
    })
    expect(problemOf(reply).errors).toEqual([expect.objectContaining({ field: 'query' })])
    expect(reply.text).not.toContain('a'.repeat(65))
  }
})

describe.each(operations.filter(({ params }) => params !== undefined))(
  '$method $url',
  (operation) => {
    test('hostile values in the path', async () => {
      await changesNothing(async () => {
        for (const value of HOSTILE_TEXTS) {
          if (value.length > 2_000) continue
          // These are steps of a path and no parameter.
          if (/^\.{0,2}$/.test(value)) continue
          const url = operation.url.replace(/\{\w+\}/, encodeURIComponent(value))
          const { body, bodyExample } = operation
          const reply = await call(world.app, operation.method, url, {
            headers: admin.headers,
            ...(body === undefined ? {} : { body: bodyExample }),
          })
          expect(reply.status).toBeLessThan(500)
          expectAnswerAbout(operation, value, reply)
        }
      })
    })
  },
)

describe('requests outside the contract', () => {
  test.each(['/nothing', '/api', '/api/nothing', '/api/domains/1/2/3', '/API/ME', '/.env'])(
    '%s is 404',
    async (url) => {
      expect(problemOf(await call(world.app, 'GET', url)).code).toBe('not-found')
    },
  )

  test.each(['/api/%', '/api/me%zz', '/api/domains/%ff'])('%s is not well formed', async (url) => {
    const reply = await call(world.app, 'GET', url, { headers: admin.headers })
    expect(reply.status).toBe(400)
    expect(problemOf(reply).code).toBe('malformed-request')
  })

  test.each([
    ['no HTTP', 'hello\r\n\r\n', 400, 'malformed-request'],
    [
      'a space in a header’s name',
      'GET / HTTP/1.1\r\nHost: x\r\nA B: c\r\n\r\n',
      400,
      'malformed-request',
    ],
    [
      'two lengths',
      'POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      400,
      'malformed-request',
    ],
    ['no Host', 'GET /api/health HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'malformed-request'],
    [
      'an expectation that nobody knows',
      'GET /api/me HTTP/1.1\r\nHost: x\r\nExpect: an answer\r\nConnection: close\r\n\r\n',
      401,
      'unauthenticated',
    ],
    [
      'headers without end',
      `GET / HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`,
      431,
      'header-too-large',
    ],
  ])('%s', async (_, octets, status, code) => {
    if (!world.app.server.listening) await world.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = world.app.server.address() as AddressInfo
    const text = await new Promise<string>((resolve, reject) => {
      let got = ''
      const socket = connect(port, '127.0.0.1', () => socket.write(octets))
      socket.on('data', (part) => (got += part.toString()))
      socket.on('error', reject)
      socket.on('close', () => resolve(got))
    })
    const [head = '', body = ''] = text.split('\r\n\r\n')
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(head).toContain('content-type: application/problem+json')
    expect(JSON.parse(body)).toMatchObject({ status, code })
  })
})
