import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { components } from '@homing/openapi/client'
import { needs } from '../../test/outside-tool.ts'
import { atTerminal, type Typed } from '../../test/pseudo-terminal.ts'
import { CHECKING, forwardListing } from '../src/lib/forwards.ts'
import { problem } from './fixtures.ts'
import {
  fakeServer,
  type FakeServer,
  homing,
  LAUNCHER,
  type Reply,
  shellEnvironment,
} from './support.ts'

let server: FakeServer
beforeEach(async () => {
  server = await fakeServer({})
})
afterEach(() => server.close())

type Forward = components['schemas']['WebForward']

const FORWARD: Forward = {
  id: '9',
  domain_id: '42',
  fqdn: 'home.example.net',
  target_url: 'https://shop.example.com/start',
  forwarding_type: 'redirect',
  status_code: 302,
  title: null,
  description: null,
  keywords: null,
  forward_path: true,
  forward_query: true,
  is_active: true,
  fallback: null,
  uses_stealth_flag: false,
  hits_7d: 128,
  last_checked_at: null,
  check_result: null,
  disabled_reason: null,
  created_at: '2026-05-12T08:30:00.000Z',
  version: 1,
}
const LIST: Record<string, Reply> = { 'GET /api/webforward': { body: [FORWARD] } }
const DOMAIN: Record<string, Reply> = {
  'GET /api/domains/fqdn/home.example.net': { body: { id: '42', fqdn: 'home.example.net' } },
}

async function run(replies: Record<string, Reply>, ...args: string[]) {
  Object.assign(server.replies, replies)
  return homing(['forwards', ...args], { HOMING_API_KEY: 'ak_key', HOMING_URL: server.url })
}
const sent = () => JSON.parse(server.asked.at(-1)?.body ?? '') as unknown

test('a line for each forward', async () => {
  expect((await run(LIST)).stdout).toBe(
    'home.example.net\thttps://shop.example.com/start\tredirect\t302\tactive\t128\n',
  )
  expect(JSON.parse((await run(LIST, '--json')).stdout)).toEqual([FORWARD])
  const stealth: Forward = { ...FORWARD, forwarding_type: 'stealth', fallback: 'frames-refused' }
  const cells = (forward: Forward) => forwardListing.columns.map(({ of }) => of(forward))
  expect(cells(stealth)[2]).toBe('redirect 302 (frames-refused)')
  expect(cells({ ...stealth, fallback: null, is_active: false }).slice(2)).toEqual([
    'stealth',
    '128',
    'never',
    'paused',
  ])
  const none = { 'GET /api/webforward': { body: [] } }
  expect((await run(none)).stderr).toMatch(/^You have no web forwards\./)
})

test('a domain is forwarded once, and the warning is shown', async () => {
  const body = { ...FORWARD, warning: 'The certificate has expired.' }
  const made = { ...DOMAIN, 'POST /api/webforward': { status: 201, body } }
  const flags = ['--stealth', '--title', 'My shop', '--status', '307', '--no-path', '--no-active']
  const ended = await run(made, 'add', 'home.example.net', 'shop.example.com', ...flags)
  expect(ended).toMatchObject({
    exitCode: 0,
    stdout: 'home.example.net\thttps://shop.example.com/start\n',
  })
  expect(ended.stderr).toContain('Forwarded. Note: The certificate has expired.')
  expect(sent()).toEqual({
    domain_id: '42',
    target_url: 'shop.example.com',
    forwarding_type: 'stealth',
    title: 'My shop',
    status_code: 307,
    forward_path: false,
    is_active: false,
  })
})

test('texts of a page are refused for a redirect, which has no page', async () => {
  const text = ['--description', 'My shop']
  expect((await run(DOMAIN, 'add', 'home.example.net', 'x.example.com', ...text)).exitCode).toBe(64)
  expect(server.asked).toEqual([])
})

test.each([
  ['stealth-limit', 403, 3],
  ['plan-required', 403, 3],
  ['target-not-allowed', 422, 8],
  ['conflict', 409, 6],
] as const)('a refusal with %s has its exit code', async (code, status, exitCode) => {
  const refused = { ...DOMAIN, 'POST /api/webforward': problem(status, code) }
  expect((await run(refused, 'add', 'home.example.net', 'shop.example.com')).exitCode).toBe(
    exitCode,
  )
})

test('a change sends only what is given', async () => {
  const changed = { ...LIST, 'PUT /api/webforward/9': { body: FORWARD } }
  expect((await run(changed, 'update', 'home.example.net')).exitCode).toBe(64)
  for (const texts of [
    ['--no-stealth', '--title', 'x'],
    ['--keywords', 'x'],
  ]) {
    const refused = await run(changed, 'update', 'home.example.net', ...texts)
    expect([refused.exitCode, refused.stderr]).toEqual([
      64,
      expect.stringContaining('only for a stealth page. Give --stealth.'),
    ])
  }
  const flags = ['--target', 'other.example.com', '--no-query']
  expect((await run(changed, 'update', 'HOME.example.net', ...flags)).exitCode).toBe(0)
  expect(sent()).toEqual({ target_url: 'other.example.com', forward_query: false })
})

test('one is shown, and removed after confirmation', async () => {
  const gone = { ...LIST, 'DELETE /api/webforward/9': { status: 204 } }
  expect((await run(gone, 'show', 'home.example.net')).stdout).toContain('type\tredirect 302\n')
  expect((await run(gone, 'show', 'HOME.example.net.')).exitCode).toBe(0)
  const international = [{ ...FORWARD, fqdn: 'xn--bro-hoa.example.net' }]
  const list = { 'GET /api/webforward': { body: international } }
  expect((await run(list, 'show', 'Büro.example.net')).exitCode).toBe(0)
  expect((await run(gone, 'show', 'other.example.net')).exitCode).toBe(5)
  expect((await run(gone, 'remove', 'home.example.net')).exitCode).toBe(64)
  expect(await run(gone, 'remove', 'home.example.net', '-y')).toMatchObject({
    exitCode: 0,
    stdout: 'home.example.net\n',
  })
})

test('a target that does not work ends with the reason', async () => {
  const check = {
    target_url: 'https://shop.example.com/',
    finding: 'reachable',
    message: 'The target answers with status 200.',
    hops: [{ url: 'https://shop.example.com/', status: 200 }],
    frames: 'refused',
    fallback: 'frames-refused',
    checked_at: '2026-05-12T08:30:00.000Z',
  }
  const works = { ...DOMAIN, 'POST /api/webforward/check': { body: check } }
  const ended = await run(works, 'check', 'shop.example.com', '--domain', 'home.example.net')
  expect(ended.stdout).toContain('way\thttps://shop.example.com/ (200)\n')
  expect(ended.stderr).toBe(
    'The target answers with status 200.\nA stealth forward would redirect instead: frames-refused.\n',
  )
  expect(sent()).toEqual({ target_url: 'shop.example.com', domain_id: '42' })
  const broken = { ...check, finding: 'tls', message: 'The certificate has expired.' }
  const breaks = { 'POST /api/webforward/check': { body: broken } }
  const fails = await run(breaks, 'check', 'x.com')
  expect(fails).toMatchObject({ exitCode: 8, stdout: expect.stringContaining('finding\ttls\n') })
  expect(fails.stderr).toContain('The certificate has expired.')
  const asJson = await run(breaks, 'check', 'x.com', '--json')
  expect([asJson.exitCode, JSON.parse(asJson.stdout)]).toEqual([8, broken])
})

describe('at a terminal', needs('script'), () => {
  const at = async (replies: Record<string, Reply>, args: string[], typing: Typed[] = []) => {
    Object.assign(server.replies, replies)
    const environment = { HOMING_API_KEY: 'ak_key', HOMING_URL: server.url }
    return atTerminal([LAUNCHER, 'forwards', ...args], typing, shellEnvironment(environment))
  }

  test('a removal asks first', async () => {
    const question: Typed = ['Remove the web forward of home.example.net?', 'n\r']
    const ended = await at(LIST, ['remove', 'home.example.net'], [question])
    expect(ended.exitCode).toBe(1)
    expect(ended.shown).toContain('Nothing was removed.')
    expect(server.asked).toHaveLength(1)
  })

  test('what the command waits for is shown, and erased before the result', async () => {
    const changed = { ...LIST, 'PUT /api/webforward/9': { body: FORWARD } }
    const { shown } = await at(changed, ['update', 'home.example.net', '--status', '302'])
    expect(shown).toContain(`${CHECKING}\r${FORWARD.fqdn}`)
    const quiet = await at(changed, ['update', 'home.example.net', '--status', '302', '-q'])
    expect(quiet.shown).not.toContain(CHECKING)
  })
})
