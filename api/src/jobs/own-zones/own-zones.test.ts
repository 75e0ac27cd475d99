/** Automatic checks, mails, expiry and plans of own zones. */
import type { OwnZone } from '@homing/openapi'
import { expect, test } from 'vitest'
import { query } from '../../database/sql.ts'
import { settleAccountPlan } from '../account-plan.ts'
import { useZoneWorld } from '../../../test/support/zone-world.ts'
import { checkDueZones } from './check-due.ts'
import { keepZoneTerms } from './terms.ts'

const t = useZoneWorld()
const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

const wait = (ms: number) => (t.clock = new Date(t.clock.getTime() + ms))
const zone = (id: string) => t.read<OwnZone>(t.eve, 'GET', `/api/zones/${id}`)
const check = () => checkDueZones(t.world.services)
const terms = () => keepZoneTerms(t.world.services)
const notices = async () =>
  (await t.read<{ title: string }[]>(t.eve, 'GET', '/api/me/notices')).map(({ title }) => title)
const events = async () => (await t.mails(t.eve)).map(({ event }) => event)

async function choosePlan(plan: string): Promise<void> {
  await query(t.world.knex, 'update users set account_type = ? where id = ?', [plan, t.eve.id])
}

/** A claim of another test must not be due in this one. */
async function alone(): Promise<void> {
  await query(t.world.knex, 'update zone_claims set next_check_at = null where user_id <> ?', [
    t.eve.id,
  ])
}

test('the service checks a claim by itself, and mails when the delegation works', async () => {
  await alone()
  const domain = t.freshDomain()
  const { id, next_check_at } = await t.claim(t.eve, domain)
  expect(next_check_at).toBe(new Date(t.clock.getTime() + MINUTE_MS).toISOString())
  expect(await check()).toEqual({ checked: 0 })
  wait(MINUTE_MS)
  expect(await check()).toEqual({ checked: 1 })
  const second = new Date(t.clock.getTime() + 2 * MINUTE_MS).toISOString()
  expect(await zone(id)).toMatchObject({ state: 'pending', next_check_at: second })
  t.delegations.set(domain, { ns: 'right' })
  wait(2 * MINUTE_MS)
  expect(await check()).toEqual({ checked: 1 })
  const daily = new Date(t.clock.getTime() + DAY_MS).toISOString()
  expect(await zone(id)).toMatchObject({ state: 'active', next_check_at: daily })
  expect(await events()).toEqual(['verified'])
})

test('a delegation is broken after two failed daily checks, and works again after one', async () => {
  const domain = t.freshDomain()
  const { id } = await t.active(t.eve, domain)
  await alone()
  t.delegations.set(domain, { ns: ['ns.elsewhere.example'] })
  // A check that the owner wants does not count.
  for (let n = 0; n < 3; n += 1) await t.verify(t.eve, id)
  for (const expected of [['verified'], ['verified', 'broken'], ['verified', 'broken']]) {
    wait(DAY_MS)
    await check()
    expect(await events()).toEqual(expected)
  }
  expect((await t.mails(t.eve))[1]).toMatchObject({
    zone: domain,
    findings: expect.arrayContaining(['The parent zone names ns.elsewhere.example.']),
  })
  expect((await zone(id)).state).toBe('active')
  expect(await notices()).toContain(`The delegation of ${domain} is broken`)
  t.delegations.set(domain, { ns: 'right' })
  wait(DAY_MS)
  await check()
  expect(await events()).toEqual(['verified', 'broken', 'verified'])
  expect(await notices()).not.toContain(`The delegation of ${domain} is broken`)
})

test('a claim without proof expires, and its zone ends', async () => {
  const domain = t.freshDomain()
  const { id } = await t.claim(t.eve, domain)
  wait(30 * DAY_MS - 1)
  await terms()
  expect((await zone(id)).state).toBe('pending')
  wait(1)
  await terms()
  expect(await zone(id)).toMatchObject({ state: 'expired', next_check_at: null, tasks: [] })
  expect(await t.content(domain)).toBeUndefined()
  expect((await t.claim(t.eve, domain)).state).toBe('pending')
})

test('a smaller plan withholds the zone after 30 days and four mails, and a larger one restores it', async () => {
  const domain = t.freshDomain()
  const { id } = await t.active(t.eve, domain)
  const home = await t.made(t.eve, { fqdn: `home.${domain}`, record_ip: '203.0.113.7' })
  const before = await t.content(domain)
  await choosePlan('pro')
  await terms()
  const end = new Date(t.clock.getTime() + 30 * DAY_MS).toISOString()
  expect(await zone(id)).toMatchObject({ state: 'active', withheld_at: end })
  expect(await notices()).toContain(`DNS answers for ${domain} until 2026-06-11 08:30 UTC`)
  for (const days of [1, 22, 6]) {
    wait(days * DAY_MS)
    await terms()
    expect(await t.content(domain)).toEqual(before)
  }
  wait(DAY_MS)
  await terms()
  await terms()
  await settleAccountPlan(t.world.knex, t.eve.id)
  // The session has expired.
  t.eve = { ...t.eve, headers: await t.world.signIn(t.eve.id) }
  expect(await zone(id)).toMatchObject({ state: 'withheld', next_check_at: null })
  expect(await events()).toEqual([
    'verified',
    'withheld-soon',
    'withheld-soon',
    'withheld-soon',
    'withheld',
  ])
  expect(await t.content(domain)).toBeUndefined()
  expect(await notices()).toContain(`DNS does not answer for ${domain}`)
  expect(await t.read(t.eve, 'GET', `/api/domains/${home.id}`)).toMatchObject({
    withheld_by: ['over_limit'],
  })
  expect((await t.refused(t.eve, 'POST', `/api/zones/${id}/verify`)).code).toBe('plan-required')
  await choosePlan('elite')
  await terms()
  await settleAccountPlan(t.world.knex, t.eve.id)
  expect(await zone(id)).toMatchObject({ state: 'active', withheld_at: null })
  expect(await t.content(domain)).toEqual(before)
})

test('a blocked account’s zone is not served, and neither is one with a locked name', async () => {
  const domain = t.freshDomain()
  const { id } = await t.active(t.eve, domain)
  const before = await t.content(domain)
  const enable = (enabled: boolean) =>
    query(t.world.knex, 'update users set enabled = ? where id = ?', [enabled, t.eve.id])
  await enable(false)
  await settleAccountPlan(t.world.knex, t.eve.id)
  expect(await t.content(domain)).toBeUndefined()
  await enable(true)
  await settleAccountPlan(t.world.knex, t.eve.id)
  expect(await t.content(domain)).toEqual(before)
  expect((await zone(id)).state).toBe('active')
})
