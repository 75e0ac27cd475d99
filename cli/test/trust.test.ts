import { afterEach, beforeEach, expect, test } from 'vitest'
import type { components } from '@homing/openapi/client'
import { trustListing } from '../src/lib/trust.ts'
import { problem } from './fixtures.ts'
import { fakeServer, type FakeServer, homing, type Reply } from './support.ts'

let server: FakeServer
beforeEach(async () => {
  server = await fakeServer({})
})
afterEach(() => server.close())

const POLICY: components['schemas']['TrustPolicy'] = {
  id: '5',
  name: 'deploy',
  issuer: 'https://token.actions.githubusercontent.com',
  audience: 'https://dns.example.net',
  repository: 'ada/home',
  repository_id: null,
  repository_owner_id: null,
  branch: 'main',
  environment: 'live',
  subject: null,
  scope: { domains: ['home.example.net'], actions: null, record_types: null, networks: null },
  created_at: '2026-05-12T08:30:00.000Z',
  last_used_at: null,
  last_used_ip: null,
  last_subject: null,
}

async function run(replies: Record<string, Reply>, args: string[], input = '') {
  Object.assign(server.replies, replies)
  return homing(args, { HOMING_API_KEY: 'ak_key', HOMING_URL: server.url }, input)
}

test('a line for each pipeline', async () => {
  const list = { 'GET /api/trust-policies/': { body: [POLICY] } }
  expect((await run(list, ['trust'])).stdout).toBe(
    '5\tdeploy\thttps://token.actions.githubusercontent.com\tada/home\tmain\t\n',
  )
  expect(JSON.parse((await run(list, ['trust', '--json'])).stdout)).toEqual([POLICY])
  const cells = trustListing.columns.map(({ of }) => of(POLICY))
  expect(cells).toEqual([
    '5',
    'deploy',
    'ada/home, branch main, environment live',
    'on home.example.net',
    'never',
  ])
  const none = { 'GET /api/trust-policies/': { body: [] } }
  expect((await run(none, ['trust'])).stderr).toMatch(/^You trust no pipelines\./)
})

test('a pipeline is trusted by flags', async () => {
  const made = { 'POST /api/trust-policies/': { status: 201, body: POLICY } }
  const flags = ['--issuer', 'github', '--repository', 'ada/home', '--branch', 'main']
  const ids = ['--repository-id', '74', '--repository-owner-id', '65']
  const scope = ['--environment', 'live', '--domain', 'home.example.net']
  const ended = await run(made, ['trust', 'add', 'deploy', ...flags, ...ids, ...scope])
  expect(ended).toMatchObject({ exitCode: 0, stdout: '5\n' })
  expect(ended.stderr).toContain('the audience https://dns.example.net')
  expect(JSON.parse(server.asked[0]?.body ?? '')).toEqual({
    name: 'deploy',
    issuer: 'https://token.actions.githubusercontent.com',
    repository: 'ada/home',
    repository_id: '74',
    repository_owner_id: '65',
    branch: 'main',
    environment: 'live',
    scope: { domains: ['home.example.net'] },
  })
  expect((await run(made, ['trust', 'add', 'deploy'])).exitCode).toBe(64)
})

test('one is removed after confirmation', async () => {
  const gone = { 'DELETE /api/trust-policies/5': { status: 204 } }
  expect((await run(gone, ['trust', 'remove', '5'])).exitCode).toBe(64)
  expect(server.asked).toEqual([])
  expect(await run(gone, ['trust', 'remove', '5', '-y'])).toMatchObject({
    exitCode: 0,
    stdout: '5\n',
  })
})

test('a token from standard input is exchanged for a key, and neither is repeated', async () => {
  const exchange = 'POST /api/trust-policies/5/exchange'
  const key = { key: 'ak_new', expires_at: '2026-05-12T08:45:00.000Z', scope: POLICY.scope }
  const done = { [exchange]: { status: 201, body: key } }
  const ended = await run(done, ['trust', 'exchange', '5', '--debug'], 'eyJ.the.token\n')
  expect(ended).toMatchObject({ exitCode: 0, stdout: 'ak_new\n' })
  expect(ended.stderr).not.toMatch(/ak_new|eyJ/)
  // The call needs no sign-in, so it sends no key.
  expect(server.asked[0]).toMatchObject({
    authorization: undefined,
    body: '{"token":"eyJ.the.token"}',
  })
  const refused = { [exchange]: problem(401, 'wrong-credentials') }
  expect((await run(refused, ['trust', 'exchange', '5'], 'eyJ.the.token\n')).exitCode).toBe(4)
  expect((await run(done, ['trust', 'exchange', '5'])).exitCode).toBe(4)
})
