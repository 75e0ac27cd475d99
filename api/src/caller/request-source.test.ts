/** The network and client of a call, which the session stores. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ApiWorld, openApiWorld, PASSWORD } from '../../test/support/api-world.ts'
import { call } from '../../test/support/calls.ts'
import { query } from '../database/sql.ts'

let alone: ApiWorld
let behindProxy: ApiWorld

beforeAll(async () => {
  alone = await openApiWorld()
  behindProxy = await openApiWorld({ trustProxy: ['127.0.0.1', '10.0.0.0/8'] })
  for (const world of [alone, behindProxy]) await world.person('ada')
})
afterAll(async () => {
  await alone.end()
  await behindProxy.end()
})

async function remembered(world: ApiWorld, ip: string, headers: Record<string, string> = {}) {
  const body = { username_or_email: 'ada', password: PASSWORD }
  const reply = await call(world.app, 'POST', '/api/login', { body, ip, headers })
  expect(reply.status).toBe(200)
  const [row] = await query<{ ip: string; agent: string | null }>(
    world.knex,
    'select host(ip) as ip, user_agent as agent from sessions order by id desc limit 1',
  )
  return row
}

test.each([
  ['198.51.100.7', '198.51.100.7'],
  ['::ffff:198.51.100.7', '198.51.100.7'],
  ['2001:db8::7', '2001:db8::7'],
  ['fe80::7%eth0', 'fe80::7'],
])('a connection from %s is of %s', async (ip, expected) => {
  expect(await remembered(alone, ip)).toMatchObject({ ip: expected })
})

test('an untrusted proxy is ignored', async () => {
  const headers = { 'x-forwarded-for': '203.0.113.1', forwarded: 'for=203.0.113.1' }
  expect(await remembered(alone, '127.0.0.1', headers)).toMatchObject({ ip: '127.0.0.1' })
})

describe('behind a trusted proxy', () => {
  test.each([
    ['203.0.113.1', '203.0.113.1'],
    ['192.0.2.66, 203.0.113.1', '203.0.113.1'],
    ['203.0.113.1, 10.1.2.3', '203.0.113.1'],
    ['unknown', '127.0.0.1'],
    ['203.0.113.1:4711', '127.0.0.1'],
  ])('%s is of %s', async (told, expected) => {
    const headers = { 'x-forwarded-for': told }
    expect(await remembered(behindProxy, '127.0.0.1', headers)).toMatchObject({ ip: expected })
  })
})

test('at most two hundred characters of a client’s name are kept', async () => {
  const row = await remembered(alone, '127.0.0.1', { 'user-agent': 'x'.repeat(5_000) })
  expect(row?.agent).toBe('x'.repeat(200))
})

test('a client’s name cannot control the terminal', async () => {
  const headers = { 'user-agent': 'router\u009b31m/1\u007f.\u00e9' }
  expect(await remembered(alone, '192.0.2.1', headers)).toMatchObject({
    agent: 'router31m/1.\u00e9',
  })
})
