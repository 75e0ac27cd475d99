/** Administrators list the web forwards of all accounts, and disable them. */
import type { AdminWebForward } from '@homing/openapi'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { Caller } from '../../../test/support/api-world.ts'
import { useForwardWorld } from '../../../test/support/web-forward-world.ts'

const t = useForwardWorld()
const SHOP = 'https://shop.example.com/start'
let boss: Caller

beforeAll(async () => {
  boss = await t.world.person('boss', 'admin')
})
beforeEach(() => t.targets.describe(SHOP, {}))

const list = (filter: object) =>
  t.read<AdminWebForward[]>(
    boss,
    'GET',
    `/api/admin/web-forwards?filter=${encodeURIComponent(JSON.stringify(filter))}`,
  )
const moderate = (id: string, body: object) =>
  t.call(boss, 'PUT', `/api/admin/web-forwards/${id}`, body)

test('the list has owner, target and check, and can be filtered', async () => {
  const made = await t.forwarded(t.ada, 'listed', { target_url: SHOP })
  expect(await list({ user_id: t.ada.id })).toEqual([
    expect.objectContaining({
      id: made.id,
      fqdn: made.fqdn,
      target_url: SHOP,
      username: t.ada.username,
      user_id: t.ada.id,
      is_disabled: false,
      hits_7d: 0,
      check_result: expect.objectContaining({ finding: 'reachable' }),
    }),
  ])
  const ids = async (filter: object) =>
    (await list({ user_id: t.ada.id, ...filter })).map(({ id }) => id)
  expect(await ids({ q: 'SHOP.example' })).toEqual([made.id])
  expect(await ids({ q: '%' })).toEqual([])
  expect(await ids({ forwarding_type: 'stealth' })).toEqual([])
  expect(await ids({ status: 'active' })).toEqual([made.id])
  expect(await ids({ status: 'disabled' })).toEqual([])
  for (const field of ['id', 'fqdn', 'target_url', 'checked_at', 'created_at']) {
    const sort = encodeURIComponent(JSON.stringify([field, 'DESC']))
    const answer = await t.call(boss, 'GET', `/api/admin/web-forwards?sort=${sort}&range=[0,0]`)
    expect(answer.status).toBe(200)
    expect(answer.headers['content-range']).toMatch(/^web-forwards 0-0\/\d+$/)
  }
  const unknown = encodeURIComponent('{"status":"gone"}')
  expect(await t.refused(boss, 'GET', `/api/admin/web-forwards?filter=${unknown}`)).toMatchObject({
    errors: [{ field: 'filter.status' }],
  })
})

test('a disabled forward has a reason, and its owner can neither change, delete nor repeat it', async () => {
  const made = await t.forwarded(t.ada, 'abused', { target_url: `${SHOP}?a=1` })
  const missing = await moderate(made.id, { is_disabled: true })
  expect(JSON.parse(missing.body)).toMatchObject({ status: 422, errors: [{ field: 'reason' }] })
  const disabled = await moderate(made.id, { is_disabled: true, reason: 'It imitates a bank.' })
  expect(JSON.parse(disabled.body)).toMatchObject({
    is_disabled: true,
    disabled_reason: 'It imitates a bank.',
    disabled_by: 'boss',
    disabled_at: expect.any(String),
  })
  const url = `/api/webforward/${made.id}`
  for (const [method, body] of [['PUT', { is_active: false }], ['DELETE']] as const) {
    expect(await t.refused(t.ada, method, url, body)).toMatchObject({
      status: 403,
      code: 'forward-disabled',
      detail: `An administrator disabled the web forward of ${made.fqdn}: It imitates a bank. Please contact support.`,
    })
  }
  const { id } = await t.domain(t.ada, 'again')
  const again = { domain_id: id, target_url: `${SHOP}?b=2` }
  const short = 'https://sho.example.com/1'
  t.targets.describe(short, { status: 302, headers: { location: SHOP } })
  const others = ['http://shop.example.com./start/#c', 'https://shop.example.com//%73tart']
  for (const target_url of [again.target_url, ...others]) {
    expect(
      await t.refused(t.ada, 'POST', '/api/webforward', { ...again, target_url }),
    ).toMatchObject({
      code: 'target-not-allowed',
      detail: 'An administrator blocked this target. Please contact support.',
    })
  }
  for (const url of ['/api/webforward', '/api/webforward/check']) {
    expect(await t.refused(t.ada, 'POST', url, { ...again, target_url: short })).toMatchObject({
      code: 'target-not-allowed',
      detail:
        'The target redirects to a URL that an administrator blocked. Please contact support.',
    })
  }
  const enabled = await moderate(made.id, { is_disabled: false })
  expect(JSON.parse(enabled.body)).toMatchObject({ is_disabled: false, disabled_reason: null })
  const { version } = JSON.parse(enabled.body) as AdminWebForward
  const twice = await moderate(made.id, { is_disabled: false })
  expect(JSON.parse(twice.body)).toMatchObject({ version })
  expect((await t.call(t.ada, 'POST', '/api/webforward', again)).status).toBe(201)
})

test('a target with a long URL is also blocked behind a redirect', async () => {
  const long = `${SHOP}/${'x'.repeat(1_000)}`
  t.targets.describe(long, {})
  const made = await t.forwarded(t.ada, 'long', { target_url: long })
  await moderate(made.id, { is_disabled: true, reason: 'It imitates a bank.' })
  const short = 'https://sho.example.com/2'
  t.targets.describe(short, { status: 302, headers: { location: long } })
  const check = await t.refused(t.ada, 'POST', '/api/webforward/check', { target_url: short })
  expect(check.code).toBe('target-not-allowed')
})

test('a paused forward to the same target cannot be resumed while the other one is disabled', async () => {
  const made = await t.forwarded(t.ada, 'imitation', { target_url: SHOP })
  const spare = await t.forwarded(t.ada, 'spare', { target_url: SHOP, is_active: false })
  await moderate(made.id, { is_disabled: true, reason: 'It imitates a bank.' })
  const url = `/api/webforward/${spare.id}`
  expect(await t.refused(t.ada, 'PUT', url, { is_active: true })).toMatchObject({
    code: 'target-not-allowed',
    detail: 'An administrator blocked this target. Please contact support.',
  })
  expect(await t.read(t.ada, 'PUT', url, { status_code: 307 })).toMatchObject({ is_active: false })
  await moderate(made.id, { is_disabled: false })
  expect(await t.read(t.ada, 'PUT', url, { is_active: true })).toMatchObject({ is_active: true })
})

test('the owner of a disabled forward cannot get rid of it with its domain', async () => {
  const { id, domain_id, fqdn } = await t.forwarded(t.ada, 'escape', { target_url: SHOP })
  await t.call(t.ada, 'POST', '/api/domains/wildcard', { base_fqdn: fqdn })
  await moderate(id, { is_disabled: true, reason: 'It imitates a bank.' })
  const detail = `An administrator disabled the web forward of ${fqdn}: It imitates a bank. The domain cannot be deleted while it is disabled. Please contact support.`
  for (const url of [`/api/domains/${domain_id}`, `/api/domains/fqdn/${fqdn}`]) {
    expect(await t.refused(t.ada, 'DELETE', url)).toMatchObject({
      status: 403,
      code: 'forward-disabled',
      detail,
    })
  }
  const operations = [{ op: 'delete', id: domain_id }]
  const batch = await t.refused(t.ada, 'POST', '/api/domains/bulk', { operations })
  expect(batch).toMatchObject({
    code: 'batch-refused',
    verdicts: [{ ok: false, code: 'forward-disabled', detail }],
  })
  expect(await list({ domain_id })).toMatchObject([{ id, is_disabled: true }])

  // Its wildcard has no forward of its own.
  expect((await t.call(t.ada, 'DELETE', `/api/domains/fqdn/*.${fqdn}`)).status).toBe(204)
  await moderate(id, { is_disabled: false })
  expect((await t.call(t.ada, 'DELETE', `/api/domains/${domain_id}`)).status).toBe(204)
})
