import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type ApiWorld, openApiWorld } from '../../test/support/api-world.ts'
import { call } from '../../test/support/calls.ts'

interface Line {
  readonly msg: string
  readonly [field: string]: unknown
}

let world: ApiWorld
let lines: Line[] = []

beforeAll(async () => {
  const write = (text: string) => void lines.push(JSON.parse(text) as Line)
  world = await openApiWorld({ trustProxy: ['127.0.0.1'] }, { log: pino({}, { write }) })
})
afterAll(() => world.end())
beforeEach(() => {
  lines = []
})

const requests = () => lines.filter(({ msg }) => msg === 'request')

test('a line has the route, and nothing that was sent', async () => {
  await call(world.app, 'GET', '/api/domains/fqdn/secret.homing.test?token=secret', {
    headers: { authorization: 'Bearer secret', cookie: 'homing_session=secret' },
    body: '{"password":"secret"}',
    ip: '198.51.100.7',
  })
  expect(requests()).toEqual([
    expect.objectContaining({
      method: 'GET',
      route: '/api/domains/fqdn/:fqdn',
      status: 401,
      ms: expect.any(Number),
      ip: '198.51.100.7',
    }),
  ])
  expect(JSON.stringify(lines)).not.toContain('secret')
})

test('a line has the caller, the key, and the reason for a refusal', async () => {
  const ada = await world.person('ada', 'pro')
  const { headers } = ada
  const made = await call(world.app, 'POST', '/api/api-keys', { headers, body: { name: 'ci' } })
  const { id, key } = made.json<{ id: string; key: string }>()
  lines = []
  await call(world.app, 'GET', '/api/admin/users', { headers })
  await call(world.app, 'GET', '/api/me', { headers: { authorization: `Bearer ${key}` } })
  await call(world.app, 'PUT', '/api/profile', { headers, body: { role: 'admin' } })
  await call(world.app, 'GET', '/api/me', { headers })
  await call(world.app, 'GET', '/api/me')
  expect(
    requests().map(({ status, account, key: by, refusal }) => [status, account, by, refusal]),
  ).toEqual([
    [403, ada.id, undefined, 'forbidden'],
    [403, ada.id, id, 'forbidden'],
    [422, ada.id, undefined, 'validation-failed'],
    [200, ada.id, undefined, undefined],
    [401, undefined, undefined, 'unauthenticated'],
  ])
})

test.each([
  ['::ffff:198.51.100.7', undefined, '198.51.100.7'],
  ['fe80::7%eth0', undefined, 'fe80::7'],
  ['127.0.0.1', '203.0.113.1', '203.0.113.1'],
  ['127.0.0.1', '203.0.113.1:4711', '127.0.0.1'],
  ['127.0.0.1', 'unknown"\\n{"msg":"forged"}', '127.0.0.1'],
])('a caller at %s with the proxy header %j is %s', async (ip, told, expected) => {
  const headers = told === undefined ? {} : { 'x-forwarded-for': told }
  await call(world.app, 'GET', '/api/health', { ip, headers })
  expect(requests().map((line) => line['ip'])).toEqual([expected])
})
