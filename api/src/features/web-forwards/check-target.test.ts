/** What the check of a target finds: redirects, circles, certificates and frames. */
import type { TargetCheck } from '@homing/openapi'
import { expect, test } from 'vitest'
import { useForwardWorld } from '../../../test/support/web-forward-world.ts'

const t = useForwardWorld()
const START = 'https://start.example.com/'
const check = (target_url: string, more: object = {}) =>
  t.read<TargetCheck>(t.ada, 'POST', '/api/webforward/check', { target_url, ...more })

test('redirects are followed, and nothing is saved', async () => {
  t.targets.describe(START, { status: 301, headers: { location: '/next' } })
  const next = new URL('/next', START).href
  t.targets.describe(next, { status: 302, headers: { location: 'http://end.example.com' } })
  t.targets.describe('http://end.example.com/', { headers: { 'x-frame-options': 'sameorigin' } })
  expect(await check('start.example.com')).toEqual({
    target_url: START,
    finding: 'reachable',
    message: 'The target answers with status 200.',
    hops: [
      { url: START, status: 301 },
      { url: next, status: 302 },
      { url: 'http://end.example.com/', status: 200 },
    ],
    frames: 'refused',
    fallback: 'frames-refused',
    checked_at: t.clock.toISOString(),
  })
  expect(await t.read(t.ada, 'GET', '/api/webforward')).toEqual([])
})

test('a redirect to a look-alike is refused like the look-alike', async () => {
  t.targets.describe(START, { status: 302, headers: { location: 'https://paypa1.example.com/' } })
  const url = '/api/webforward/check'
  expect(await t.refused(t.ada, 'POST', url, { target_url: START })).toMatchObject({
    status: 422,
    code: 'target-not-allowed',
    detail:
      'The target redirects to paypa1.example.com, which imitates a protected name. Use another target.',
  })
})

test('long URLs are cut in the result, and followed whole', async () => {
  const long = `${START}${'x'.repeat(1_000)}`
  t.targets.describe(START, { status: 302, headers: { location: long } })
  t.targets.describe(long, {})
  expect((await check(START)).hops).toEqual([
    { url: START, status: 302 },
    { url: `${long.slice(0, 299)}…`, status: 200 },
  ])
})

test('at most five redirects are followed', async () => {
  t.targets.describe(START, { status: 302, headers: { location: START } })
  const before = t.targets.asked.length
  expect(await check(START)).toMatchObject({ finding: 'too-many-redirects', frames: 'unknown' })
  expect(t.targets.asked.length - before).toBe(6)
})

test.each([
  ['tls-expired', 'tls'],
  ['tls-name-mismatch', 'tls'],
  ['dns', 'unknown-host'],
  ['dns-unavailable', 'no-answer'],
  ['timeout', 'no-answer'],
  ['refused', 'no-answer'],
  ['connection-lost', 'no-answer'],
  ['private-address', 'private-address'],
  ['own-address', 'leads-back'],
  ['invalid-response', 'invalid-answer'],
  ['too-large', 'invalid-answer'],
] as const)('a request that fails with %s: %s', async (code, finding) => {
  t.targets.describe(START, code)
  expect(await check(START)).toMatchObject({
    finding,
    message: `The request failed: ${code}.`,
    hops: [{ url: START, status: null }],
    frames: 'unknown',
    fallback: null,
  })
})

test.each(['javascript:alert(1)', 'http://[bad', 'ftp://x.example.com/'])(
  'a redirect to %s is not followed to another scheme',
  async (location) => {
    t.targets.describe(START, { status: 302, headers: { location } })
    for (const url of ['javascript:alert(1)', 'ftp://x.example.com/']) {
      t.targets.describe(url, 'scheme-not-allowed')
    }
    expect((await check(START)).finding).toBe('invalid-answer')
  },
)

test('a forwarded domain is followed in the database, not requested', async () => {
  t.targets.describe(START, {})
  const made = await t.forwarded(t.ada, 'passed', { target_url: START, status_code: 302 })
  expect(await check(`http://${made.fqdn}/`)).toMatchObject({
    finding: 'reachable',
    hops: [
      { url: `http://${made.fqdn}/`, status: 302 },
      { url: START, status: 200 },
    ],
  })
  const back = await check(`http://${made.fqdn}/`, { domain_id: made.domain_id })
  expect(back).toMatchObject({ finding: 'leads-back', hops: [{ status: null }] })
  expect(t.targets.asked.filter((url) => url.includes(made.fqdn))).toEqual([])
})

test('without a domain, no domain of an account is taken for it', async () => {
  const { fqdn } = await t.made(t.ada, { fqdn: 'any.homing.test', record_ip: '203.0.113.7' })
  t.targets.describe(`http://${fqdn}/`, {})
  expect((await check(`http://${fqdn}/`)).finding).toBe('reachable')
})

test('a policy that names the domain allows frames of this domain only', async () => {
  const domain = await t.domain(t.ada, 'named')
  const policy = `frame-ancestors http://${domain.fqdn}`
  t.targets.describe(START, { headers: { 'content-security-policy': policy } })
  expect((await check(START, { domain_id: domain.id })).frames).toBe('allowed')
  expect((await check(START)).frames).toBe('refused')
})

test('a free plan and another account’s domain are refused', async () => {
  const body = { target_url: START }
  const url = '/api/webforward/check'
  expect((await t.refused(t.bob, 'POST', url, body)).code).toBe('plan-required')
  const his = await t.domain(t.bob, 'his')
  expect((await t.refused(t.ada, 'POST', url, { ...body, domain_id: his.id })).status).toBe(404)
})
