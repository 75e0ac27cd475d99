import { afterEach, beforeEach, expect, test } from 'vitest'
import type { components } from '@homing/openapi/client'
import { needs } from '../../test/outside-tool.ts'
import { atTerminal } from '../../test/pseudo-terminal.ts'
import { monitorListing, stateSentence } from '../src/lib/monitors.ts'
import { monitor, problem } from './fixtures.ts'
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

type Monitor = components['schemas']['Monitor']

const MONITOR = monitor()
const DOWN: Partial<Monitor> = {
  state: 'down',
  cause: 'status',
  cause_text: 'The server answered with status 502.',
}
const LIST: Record<string, Reply> = { 'GET /api/uptime/monitors': { body: [MONITOR] } }
const URL_OF_42 = '/api/uptime/domain/42'
const DOMAIN: Record<string, Reply> = {
  'GET /api/domains/fqdn/home.example.net': { body: { id: '42', fqdn: 'home.example.net' } },
  [`GET ${URL_OF_42}`]: { body: MONITOR },
}

async function run(replies: Record<string, Reply>, ...args: string[]) {
  Object.assign(server.replies, replies)
  return homing(['monitors', ...args], { HOMING_API_KEY: 'ak_key', HOMING_URL: server.url })
}
const sent = () => JSON.parse(server.asked.at(-1)?.body ?? '') as unknown
const changes = () =>
  server.asked.map(({ request }) => request).filter((request) => !request.startsWith('GET'))

test('a line for each monitor', async () => {
  const other = { ...MONITOR, ...DOWN, fqdn: 'nas.example.net', uptime_30d: null }
  const replies = { 'GET /api/uptime/monitors': { body: [MONITOR, other] } }
  expect(await run(replies)).toMatchObject({
    stdout:
      'home.example.net\thttps\tup\t2026-05-12T06:14:30.000Z\t99.69\t100\n' +
      'nas.example.net\thttps\tdown\t2026-05-12T06:14:30.000Z\t99.69\t\n',
    stderr: '2 monitors, 1 down.\n',
  })
  expect(JSON.parse((await run(LIST, '--json')).stdout)).toEqual([MONITOR])
  expect((await run(replies, '--state', 'down', '--json=fqdn')).stdout).not.toContain('home')
  const none = { 'GET /api/uptime/monitors': { body: [] } }
  expect((await run(none)).stderr).toMatch(/^None of your domains is monitored\./)
})

test('a table shows the port, why a monitor is stopped, and a dash without data', () => {
  const cells = (changed: Partial<Monitor>) =>
    monitorListing.columns.map(({ of }) => of(monitor(changed)))
  const stopped = { kind: 'tcp', port: 22, state: 'stopped', stopped_by: 'plan' } as const
  expect(cells({ ...stopped, state_since: null, uptime_24h: null })).toEqual([
    'home.example.net',
    'tcp 22',
    'stopped: plan',
    '–',
    '–',
    '100.00 %',
  ])
})

const NOW = Date.parse('2026-05-12T08:20:35.000Z')

test.each<[Partial<Monitor>, string]>([
  [{}, 'home.example.net has been up for 2 h 6 min.'],
  [DOWN, 'home.example.net has been down for 2 h 6 min. The server answered with status 502.'],
  [
    { state: 'unknown', state_since: '2026-05-12T08:20:00.000Z' },
    'The service has not been able to check home.example.net for 35 s.',
  ],
  [
    { state: 'stopped', stopped_by: 'administrator', stop_reason: 'The targets complained.' },
    'The monitor is stopped. An administrator paused it. The targets complained.',
  ],
  [
    { state: 'undecided', kind: null },
    'Nothing answered at home.example.net. Choose what to check: homing monitors update home.example.net --kind KIND',
  ],
])('the state %j as a sentence', (changed, sentence) => {
  expect(stateSentence({ ...MONITOR, ...changed }, NOW)).toBe(sentence)
})

test('several domains are turned on, with settings, and off', async () => {
  const nas = { ...MONITOR, domain_id: '43', fqdn: 'nas.example.net', state: 'pending' }
  const replies: Record<string, Reply> = {
    ...DOMAIN,
    'GET /api/domains/fqdn/nas.example.net': { body: { id: '43', fqdn: 'nas.example.net' } },
    [`PUT ${URL_OF_42}`]: { body: MONITOR },
    'PUT /api/uptime/domain/43': { body: nas },
    [`POST ${URL_OF_42}/monitor`]: { body: { ...MONITOR, state: 'pending' } },
    'POST /api/uptime/domain/43/monitor': { body: nas },
  }
  const names = ['home.example.net', 'nas.example.net', 'home.example.net']
  const flags = ['--kind', 'tcp', '--port', '0', '--expect-text', '', '--certificate-days', '0']
  expect(await run(replies, 'enable', ...names, ...flags)).toMatchObject({
    exitCode: 0,
    stdout: 'home.example.net\tpending\nnas.example.net\tpending\n',
    stderr: 'Turned on 2 monitors.\nNext: homing monitors show home.example.net\n',
  })
  expect(changes()).toEqual([
    `PUT ${URL_OF_42}`,
    `POST ${URL_OF_42}/monitor`,
    'PUT /api/uptime/domain/43',
    'POST /api/uptime/domain/43/monitor',
  ])
  const put = server.asked.find(({ request }) => request.startsWith('PUT'))
  expect(JSON.parse(put?.body ?? '')).toEqual({
    kind: 'tcp',
    port: null,
    body_text: null,
    certificate_warning_days: null,
  })
  expect(sent()).toEqual({ enable: true })
  expect((await run(replies, 'disable', 'home.example.net')).exitCode).toBe(0)
  expect(sent()).toEqual({ enable: false })
})

test('if one of the domains does not exist, none is turned on', async () => {
  const missing = problem(404, 'not-found')
  const replies = { ...DOMAIN, 'GET /api/domains/fqdn/nas.example.net': missing }
  const ended = await run(replies, 'enable', 'home.example.net', 'nas.example.net')
  expect([ended.exitCode, ended.stdout, changes()]).toEqual([5, '', []])
})

test.each([
  ['plan-required', 403, 3],
  ['conflict', 409, 6],
  ['domain-locked', 423, 8],
] as const)('a refusal with %s has its exit code', async (code, status, exitCode) => {
  const refused = { ...DOMAIN, [`POST ${URL_OF_42}/monitor`]: problem(status, code) }
  expect((await run(refused, 'enable', 'home.example.net')).exitCode).toBe(exitCode)
})

test('a change sends only what is given', async () => {
  const changed = { ...DOMAIN, [`PUT ${URL_OF_42}`]: { body: MONITOR } }
  expect((await run(changed, 'update', 'home.example.net')).exitCode).toBe(64)
  const flags = ['--no-redirects', '--interval', '120', '--no-mail-up', '--if-version', '1']
  expect((await run(changed, 'update', 'home.example.net', ...flags)).exitCode).toBe(0)
  expect(sent()).toEqual({ follows_redirects: false, interval_seconds: 120, notifies_up: false })
  expect(server.asked.at(-1)?.ifMatch).toBe('"1"')
})

test('one is shown, with the settings of its kind', async () => {
  const { stdout } = await run(DOMAIN, 'show', 'home.example.net')
  expect(stdout).toContain('24 hours\t99.69 %\n')
  expect(stdout).toContain('90 days\t–\n')
  expect(stdout).toContain('expected status\t200-399\n')
  expect(stdout).not.toContain('grace')
  const beats = { [`GET ${URL_OF_42}`]: { body: { ...MONITOR, kind: 'heartbeat' } } }
  const heartbeat = (await run(beats, 'show', 'home.example.net')).stdout
  expect(heartbeat).toContain('grace\t60 s\n')
  expect(heartbeat).not.toMatch(/^(?:port|expected status)/m)
})

test('incidents are read page by page', async () => {
  const incident = {
    id: '31',
    state: 'down',
    started_at: '2026-05-12T06:10:00.000Z',
    ended_at: null,
    duration_seconds: 270,
    cause: 'status',
    cause_text: 'The server answered with status 502.',
  }
  const replies: Record<string, Reply> = {
    ...DOMAIN,
    [`GET ${URL_OF_42}/incidents`]: { body: Array.from({ length: 100 }, () => incident) },
  }
  const flags = ['--limit', '150', '--state', 'down']
  const { stdout } = await run(replies, 'incidents', 'home.example.net', ...flags)
  expect(stdout.split('\n')[0]).toBe(
    '2026-05-12T06:10:00.000Z\t\tdown\t270\tstatus\tThe server answered with status 502.',
  )
  const asked = server.asked.slice(-2).map(({ request }) => new URL(request, server.url))
  expect(asked.map(({ searchParams }) => searchParams.get('range'))).toEqual([
    '[0,99]',
    '[100,149]',
  ])
  const past = problem(416, 'range-not-satisfiable')
  expect(
    await run({ [`GET ${URL_OF_42}/incidents`]: past }, 'incidents', 'home.example.net'),
  ).toMatchObject({ exitCode: 0, stdout: '', stderr: 'home.example.net has no incidents.\n' })
})

test('a heartbeat URL is printed alone, and replaced only on request', async () => {
  const secret = { token: 'hb_x', url: 'https://homing.example/api/uptime/heartbeat/hb_x' }
  const replies = {
    ...DOMAIN,
    [`POST ${URL_OF_42}/heartbeat-token`]: { status: 201, body: secret },
  }
  expect((await run(replies, 'heartbeat', 'home.example.net')).stdout).toBe(`${secret.url}\n`)
  const known = { [`GET ${URL_OF_42}`]: { body: { ...MONITOR, has_heartbeat_token: true } } }
  expect((await run(known, 'heartbeat', 'home.example.net')).exitCode).toBe(6)
  expect((await run(known, 'heartbeat', 'home.example.net', '--replace')).exitCode).toBe(0)
  expect(changes()).toHaveLength(2)
})

test('a test mail is requested, and refused with its reason', async () => {
  const url = `POST ${URL_OF_42}/test-notification`
  const sends = { ...DOMAIN, [url]: { status: 202 } }
  expect((await run(sends, 'test', 'home.example.net')).stdout).toBe('home.example.net\n')
  const refused = { [url]: problem(429, 'rate-limited') }
  expect((await run(refused, 'test', 'home.example.net')).exitCode).toBe(3)
})

test('the mails about a monitor', async () => {
  const mail = {
    id: '12',
    message: 'down',
    channel: 'mail',
    recipient: 'ada@example.net',
    created_at: '2026-05-12T06:10:20.000Z',
    outcome: 'skipped',
    sent_at: null,
  }
  const replies = { ...DOMAIN, [`GET ${URL_OF_42}/notifications`]: { body: [mail] } }
  expect((await run(replies, 'notifications', 'home.example.net')).stdout).toBe(
    '2026-05-12T06:10:20.000Z\tdown\tskipped\tada@example.net\t\n',
  )
})

test('a terminal draws 24 hours and 90 days', needs('script'), async () => {
  const part = (changed: object) => ({
    from: '2026-05-11T00:00:00.000Z',
    to: '2026-05-12T00:00:00.000Z',
    up_seconds: 0,
    down_seconds: 0,
    unknown_seconds: 0,
    maintenance_seconds: 0,
    uptime: null,
    checks: 0,
    failures: 0,
    latency_ms: null,
    ...changed,
  })
  const parts = [part({}), part({ up_seconds: 5, down_seconds: 1 }), part({ up_seconds: 9 })]
  Object.assign(server.replies, DOMAIN, { [`GET ${URL_OF_42}/history`]: { body: { parts } } })
  const environment = { HOMING_API_KEY: 'ak_key', HOMING_URL: server.url }
  const { shown } = await atTerminal(
    [LAUNCHER, 'monitors', 'show', 'home.example.net'],
    [],
    shellEnvironment(environment),
  )
  expect(shown).toMatch(/^last 24 hours +▄$/m)
  expect(shown).toMatch(/^last 90 days +·▄$/m)
  expect(shown).toContain('▄ partly down')
  const resolutions = server.asked
    .map(({ request }) => new URL(request, server.url).searchParams.get('resolution'))
    .filter((resolution) => resolution !== null)
  expect(resolutions.toSorted()).toEqual(['1d', '5m'])
})
