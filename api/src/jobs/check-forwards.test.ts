/** The daily check of the targets of stealth forwards. */
import type { WebForward } from '@homing/openapi'
import { expect, test } from 'vitest'
import { useForwardWorld } from '../../test/support/web-forward-world.ts'
import { query } from '../database/sql.ts'
import { checkForwards, CLAIM } from './check-forwards.ts'

const t = useForwardWorld()
const SHOP = 'https://shop.example.com/'
const DAY_MS = 86_400_000

const forward = async () => (await t.read<WebForward[]>(t.ada, 'GET', '/api/webforward'))[0]
const nextDay = () => (t.clock = new Date(t.clock.getTime() + DAY_MS))

test('a target that begins to refuse frames is redirected to, until it allows them again', async () => {
  t.targets.describe(SHOP, {})
  await t.forwarded(t.ada, 'daily', { target_url: SHOP, forwarding_type: 'stealth' })
  expect(await checkForwards(t.world.services)).toEqual({ checked: 0, changed: 0 })
  t.targets.describe(SHOP, { headers: { 'content-security-policy': "frame-ancestors 'none'" } })
  nextDay()
  expect(await checkForwards(t.world.services)).toEqual({ checked: 1, changed: 1 })
  expect(await forward()).toMatchObject({
    fallback: 'frames-refused',
    uses_stealth_flag: false,
    version: 2,
    last_checked_at: t.clock.toISOString(),
  })
  nextDay()
  t.targets.describe(SHOP, 'timeout')
  expect(await checkForwards(t.world.services)).toEqual({ checked: 1, changed: 0 })
  expect(await forward()).toMatchObject({
    fallback: 'frames-refused',
    check_result: { finding: 'no-answer' },
    version: 2,
  })
  nextDay()
  t.targets.describe(SHOP, {})
  expect(await checkForwards(t.world.services)).toEqual({ checked: 1, changed: 1 })
  expect(await forward()).toMatchObject({
    fallback: null,
    uses_stealth_flag: true,
    version: 3,
  })
})

test('two workers check each forward once; redirects and paused forwards are not checked', async () => {
  t.targets.describe(SHOP, {})
  for (const label of ['one', 'two', 'three']) {
    await t.forwarded(t.ada, label, { target_url: SHOP, forwarding_type: 'stealth' })
  }
  await t.forwarded(t.ada, 'redirect', { target_url: SHOP })
  const stealth = { target_url: SHOP, forwarding_type: 'stealth', is_active: false }
  await t.forwarded(t.ada, 'paused', stealth)
  nextDay()
  const done = await Promise.all([checkForwards(t.world.services), checkForwards(t.world.services)])
  // The forward of the test above is due again, too.
  expect(done.reduce((sum, { checked }) => sum + checked, 0)).toBe(4)
  const stopping = AbortSignal.abort()
  nextDay()
  expect(await checkForwards(t.world.services, stopping)).toEqual({ checked: 0, changed: 0 })
})

test('a target whose check failed is due again ten minutes later, not a day', async () => {
  const { id } = await t.forwarded(t.ada, 'failed', {
    target_url: SHOP,
    forwarding_type: 'stealth',
  })
  const lastCheck = async () =>
    (await t.read<WebForward[]>(t.ada, 'GET', '/api/webforward')).find((each) => each.id === id)
      ?.last_checked_at
  const created = t.clock.toISOString()
  nextDay()
  const target = () => Promise.reject(new Error('a fault of the service'))
  const failing = checkForwards({ ...t.world.services, outgoing: { target } })
  await expect(failing).rejects.toThrow('targets could not be checked')
  expect(await checkForwards(t.world.services)).toEqual({ checked: 0, changed: 0 })
  expect(await lastCheck()).toBe(created)
  t.clock = new Date(t.clock.getTime() + 600_000)
  await checkForwards(t.world.services)
  expect(await lastCheck()).toBe(t.clock.toISOString())
})

test('a claim reads the due forwards from an index, in its order', async () => {
  const plan = await t.world.knex.transaction(async (trx) => {
    // Of a small table, everything else is cheaper.
    await trx.raw('set local enable_seqscan = off')
    return query<{ 'QUERY PLAN': string }>(trx, `explain ${CLAIM}`, [t.clock, 8, t.clock])
  })
  const text = plan.map((row) => row['QUERY PLAN']).join('\n')
  expect(text).toMatch(/Index Scan using web_forwards_check .*\n +Index Cond/)
  expect(text).not.toContain('Sort')
})
