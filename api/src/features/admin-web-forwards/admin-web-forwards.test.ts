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
  expect(await t.refused(t.ada, 'POST', '/api/webforward', again)).toMatchObject({
    code: 'target-not-allowed',
    detail: 'An administrator blocked this target. Please contact support.',
  })
  const enabled = await moderate(made.id, { is_disabled: false })
  expect(JSON.parse(enabled.body)).toMatchObject({ is_disabled: false, disabled_reason: null })
  const { version } = JSON.parse(enabled.body) as AdminWebForward
  const twice = await moderate(made.id, { is_disabled: false })
  expect(JSON.parse(twice.body)).toMatchObject({ version })
  expect((await t.call(t.ada, 'POST', '/api/webforward', again)).status).toBe(201)
})
