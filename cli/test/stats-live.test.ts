import type { components } from '@homing/openapi/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { problem } from './fixtures.ts'
import { fakeServer, type FakeServer, homing, type Replies, type Reply } from './support.ts'

let server: FakeServer
beforeEach(async () => {
  server = await fakeServer({})
})
afterEach(() => server.close())

const DOMAIN: Record<string, Reply> = {
  'GET /api/domains/fqdn/home.example.net': { body: { id: '42', fqdn: 'home.example.net' } },
}

async function run(replies: Replies, ...args: string[]) {
  Object.assign(server.replies, replies)
  return homing(['stats', 'live', ...args], { HOMING_API_KEY: 'ak_key', HOMING_URL: server.url })
}

const QUERY: components['schemas']['LiveQuery'] = {
  at: '2026-05-12T09:30:00.000Z',
  domain_id: '42',
  qname: 'home.example.net',
  type: 'A',
  rcode: 'NOERROR',
  transport: 'udp',
  network: '198.51.100.0/24',
  sample: 1,
}
const NAS = { ...QUERY, domain_id: '43', qname: 'nas.example.net', sample: 10 }
const event = (name: string, data: object) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
const stream = (...events: string[]): Reply => ({
  headers: { 'content-type': 'text/event-stream' },
  body: `: hello\n\n${events.join('')}`,
})
const STREAM_URL = 'GET /api/stream'

test('live queries are lines, of all domains or of one', async () => {
  const events = [event('heartbeat', { at: QUERY.at }), event('query', QUERY), event('query', NAS)]
  const replies = { ...DOMAIN, [STREAM_URL]: stream(...events) }
  expect(await run(replies, '--limit', '2')).toMatchObject({
    exitCode: 0,
    stdout:
      '2026-05-12T09:30:00.000Z\thome.example.net\tA\tNOERROR\tudp\t198.51.100.0/24\t1\n' +
      '2026-05-12T09:30:00.000Z\tnas.example.net\tA\tNOERROR\tudp\t198.51.100.0/24\t10\n',
    stderr: 'Waiting for queries for your domains. End with Ctrl-C.\n',
  })
  expect(server.asked.at(-1)?.request).toBe('GET /api/stream?queries=true')
  const one = await run(replies, 'home.example.net', '--limit', '1', '--json=qname,sample')
  expect(one.stdout).toBe('{"qname":"home.example.net","sample":1}\n')
})

test('a lost connection is made again', async () => {
  let connections = 0
  const replies: Replies = {
    [STREAM_URL]: () => {
      connections += 1
      return connections === 1
        ? stream(event('query', QUERY), event('end', { reason: 'stopping' }))
        : stream(event('query', NAS))
    },
  }
  const { stdout, stderr } = await run(replies, '--limit', '2', '--json=qname')
  expect(stdout).toBe('{"qname":"home.example.net"}\n{"qname":"nas.example.net"}\n')
  expect([connections, stderr]).toEqual([2, ''])
})

test.each<[string, Record<string, Reply>, number, RegExp]>([
  ['a plan without analytics', { [STREAM_URL]: problem(403, 'plan-required') }, 3, /This is why/],
  [
    'the end of the session',
    { [STREAM_URL]: stream(event('end', { reason: 'session-ended' })) },
    4,
    /Sign in again/,
  ],
  ['an API key', { [STREAM_URL]: problem(403, 'forbidden') }, 4, /HOMING_API_KEY/],
  ['a web page', { [STREAM_URL]: { body: 'hello' } }, 1, /not as a Homing API/],
  ['a proxy', { [STREAM_URL]: { status: 502, body: 'sorry' } }, 7, /cannot serve/],
  ['a strange event', { [STREAM_URL]: stream('event: query\ndata: {}\n\n') }, 1, /not a Homing/],
])('live queries end with %s', async (_, replies, exitCode, message) => {
  expect(await run(replies)).toMatchObject({
    exitCode,
    stdout: '',
    stderr: expect.stringMatching(message),
  })
})
