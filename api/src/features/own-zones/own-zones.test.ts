/** Claims, proofs and changes of owners of own zones, through the API. */
import type { DomainEvent, Monitor, OwnZone, WebForward } from '@homing/openapi'
import { describe, expect, test } from 'vitest'
import { revokeCredentials } from '../../credentials/working-credentials.ts'
import { DelegationChecksBusy } from '../../delegation/types.ts'
import { expectForwardFeedEqualsTables, toldForward } from '../../../test/support/forward-world.ts'
import { FIRST_ZONE, useZoneWorld } from '../../../test/support/zone-world.ts'

const t = useZoneWorld()
const SERVERS = ['ns1.homing.test', 'ns2.homing.test']

test('a claim makes a neutral zone, and the delegation proves it', async () => {
  const domain = t.freshDomain()
  const claimed = await t.claim(t.eve, domain)
  expect(claimed).toMatchObject({
    zone: domain,
    state: 'pending',
    is_vanity: false,
    proof: null,
    is_contested: false,
    tasks: [
      { method: 'delegation', type: 'NS', values: SERVERS.map((name) => `${name}.`) },
      { method: 'txt', type: 'TXT', name: `_homing-verify.${domain}` },
    ],
    expires_at: '2026-06-11T08:30:00.000Z',
    last_check: { is_right: false },
  })
  expect(Object.keys((await t.content(domain)) ?? {})).toEqual([domain])
  t.delegations.set(domain, { ns: 'right' })
  expect(await t.verify(t.eve, claimed.id)).toMatchObject({
    state: 'active',
    proof: 'delegation',
    tasks: [],
    active_at: t.clock.toISOString(),
    expires_at: null,
  })
  expect(await t.mails(t.eve)).toMatchObject([{ event: 'verified', zone: domain }])
  expect(await t.read<OwnZone[]>(t.eve, 'GET', '/api/zones')).toHaveLength(1)
  expect((await t.refused(t.mia, 'GET', `/api/zones/${claimed.id}`)).status).toBe(404)
})

test.each([
  ['com', 'is a public suffix'],
  ['github.io', 'is a public suffix'],
  ['www.brand.example', 'is below brand.example'],
  ['homing.test', 'belongs to homing.test'],
  ['mine.homing.test', 'belongs to homing.test'],
  ['a..b', 'is empty'],
  ['192.0.2.1', 'is not a domain'],
])('%s cannot be claimed', async (domain, words) => {
  expect(await t.refused(t.eve, 'POST', '/api/zones', { domain })).toMatchObject({
    status: 422,
    code: 'name-not-allowed',
    detail: expect.stringContaining(words),
  })
})

test('a plan without own zones, a second claim and the 21st zone are refused', async () => {
  const domain = t.freshDomain()
  expect(await t.refused(t.ada, 'POST', '/api/zones', { domain })).toMatchObject({
    code: 'plan-required',
    detail: 'This feature requires an Elite subscription.',
  })
  await t.claim(t.eve, domain)
  expect((await t.refused(t.eve, 'POST', '/api/zones', { domain })).code).toBe('conflict')
  for (let n = 2; n <= 20; n += 1) await t.claim(t.eve, t.freshDomain(`many${n}`))
  const more = { domain: t.freshDomain('more') }
  expect((await t.refused(t.eve, 'POST', '/api/zones', more)).code).toBe('zone-limit')
})

test('a TXT record proves the domain before it is delegated', async () => {
  const domain = t.freshDomain()
  const claimed = await t.claim(t.eve, domain)
  t.publishTxt(claimed)
  const proved = await t.verify(t.eve, claimed.id)
  expect(proved).toMatchObject({ state: 'active', proof: 'txt', last_check: { is_right: false } })
  expect(await t.mails(t.eve)).toEqual([])
  t.delegations.set(domain, { ns: 'right' })
  expect((await t.verify(t.eve, claimed.id)).last_check?.is_right).toBe(true)
  expect(await t.mails(t.eve)).toMatchObject([{ event: 'verified', zone: domain }])
})

describe('the delegation proves nothing', () => {
  test('if the domain was delegated before the claim', async () => {
    const domain = t.freshDomain()
    t.delegations.set(domain, { ns: 'right' })
    const claimed = await t.claim(t.eve, domain)
    expect(claimed).toMatchObject({ state: 'pending', is_contested: true })
    expect(claimed.tasks.map(({ method }) => method)).toEqual(['txt', 'ns'])
    expect((await t.verify(t.eve, claimed.id)).state).toBe('pending')
    const [third = ''] = claimed.tasks[1]?.values ?? []
    expect(third).toMatch(new RegExp(`^[a-z2-7]{26}\\.verify\\.${FIRST_ZONE}\\.$`))
    t.delegations.set(domain, { ns: [...SERVERS, third.slice(0, -1)] })
    expect(await t.verify(t.eve, claimed.id)).toMatchObject({ state: 'active', proof: 'ns' })
  })

  test('if no parent server said whether it was delegated before', async () => {
    const domain = t.freshDomain()
    t.delegations.set(domain, 'silent')
    const { id } = await t.claim(t.eve, domain)
    t.delegations.set(domain, { ns: 'right' })
    expect(await t.verify(t.eve, id)).toMatchObject({ state: 'pending', is_contested: true })
  })

  test('if another account claims the domain', async () => {
    const domain = t.freshDomain()
    const [hers, his] = [await t.claim(t.eve, domain), await t.claim(t.mia, domain)]
    t.delegations.set(domain, { ns: 'right' })
    expect(await t.verify(t.eve, hers.id)).toMatchObject({ state: 'pending', is_contested: true })
    // The other account may have set the delegation, and now it gives up.
    await t.call(t.mia, 'DELETE', `/api/zones/${his.id}`, { confirm: domain })
    expect(await t.verify(t.eve, hers.id)).toMatchObject({ state: 'pending', is_contested: true })
  })

  test('if another account proved the domain and left it', async () => {
    const domain = t.freshDomain()
    const [hers, his] = [await t.claim(t.eve, domain), await t.claim(t.mia, domain)]
    t.publishTxt(his)
    expect(await t.verify(t.mia, his.id)).toMatchObject({ state: 'active', proof: 'txt' })
    t.delegations.set(domain, { ns: 'right' })
    await t.call(t.mia, 'DELETE', `/api/zones/${his.id}`, { confirm: domain })
    expect(await t.verify(t.eve, hers.id)).toMatchObject({ state: 'pending', is_contested: true })
  })
})

test('the delegation proves a domain that another account left before it was delegated', async () => {
  const domain = t.freshDomain()
  const [hers, his] = [await t.claim(t.eve, domain), await t.claim(t.mia, domain)]
  await t.call(t.mia, 'DELETE', `/api/zones/${his.id}`, { confirm: domain })
  expect(await t.verify(t.eve, hers.id)).toMatchObject({ state: 'pending', is_contested: false })
  t.delegations.set(domain, { ns: 'right' })
  expect(await t.verify(t.eve, hers.id)).toMatchObject({ state: 'active', proof: 'delegation' })
})

test('the checks that owners cause are counted by their outcome', async () => {
  const counts = async () => {
    const { body } = await t.world.app.inject({ url: '/metrics' })
    const found = body.matchAll(/^homing_api_delegation_checks_total\{outcome="(\w+)"\} (\d+)/gm)
    return new Map(Array.from(found, ([, outcome = '', count]) => [outcome, Number(count)]))
  }
  const before = await counts()
  const { id } = await t.active(t.eve, t.freshDomain())
  t.delegations.pause = async () => Promise.reject(new DelegationChecksBusy())
  const busy = await t.refused(t.eve, 'POST', `/api/zones/${id}/verify`)
  expect(busy).toMatchObject({ status: 503, code: 'unavailable' })
  t.delegations.pause = undefined
  const more = [...(await counts())].map(([key, n]) => [key, n - (before.get(key) ?? 0)])
  expect(Object.fromEntries(more)).toMatchObject({ wrong: 1, right: 1, busy: 1 })
})

test('what a hostile parent zone says is stored and shown', async () => {
  const domain = t.freshDomain()
  t.delegations.set(domain, { ns: ['ns\u0000.\uD800<b>.example'] })
  const { last_check } = await t.claim(t.eve, domain)
  expect(last_check?.facts[0]?.found).toEqual(['ns\uFFFD.\uFFFD<b>.example'])
})

test('host names of proofs have the addresses of the name servers', async () => {
  await t.claim(t.eve, t.freshDomain())
  expect(await t.served(`*.verify.${FIRST_ZONE}`)).toMatchObject([
    { type: 'A', rdata: ['127.0.0.1'] },
  ])
})

test('a later proof withdraws the zone, and the former owner gets its content back by proving it again', async () => {
  const domain = t.freshDomain()
  const { id } = await t.active(t.eve, domain)
  const mail = { owner: '@', type: 'MX', values: ['10 mail.example.com'] }
  await t.read(t.eve, 'POST', `/api/zones/${id}/records`, mail)
  const history = await t.read(t.eve, 'GET', `/api/zones/${id}/events`)
  const home = await t.made(t.eve, { fqdn: `home.${domain}`, record_ip: '203.0.113.7' })
  await t.made(t.eve, { fqdn: domain, record_ip: '203.0.113.8' })
  expect(await t.read(t.eve, 'GET', `/api/zones/${id}`)).toMatchObject({ records: 1, domains: 2 })
  const before = await t.content(domain)
  const other = await t.claim(t.mia, domain)
  t.publishTxt(other)
  expect(await t.verify(t.mia, other.id)).toMatchObject({
    state: 'active',
    proof: 'txt',
    domains: 0,
  })
  expect(Object.keys((await t.content(domain)) ?? {})).toEqual([domain])
  expect(await t.read(t.eve, 'GET', `/api/zones/${id}`)).toMatchObject({
    state: 'lost',
    records: 0,
  })
  expect(await t.mails(t.eve)).toMatchObject([{ event: 'verified' }, { event: 'lost' }])
  expect((await t.refused(t.eve, 'GET', `/api/domains/${home.id}`)).status).toBe(404)
  expect((await t.refused(t.eve, 'POST', `/api/zones/${id}/verify`)).code).toBe('conflict')
  // The new owner can register the name.
  await t.made(t.mia, { fqdn: `home.${domain}`, record_ip: '203.0.113.9' })
  const again = await t.claim(t.eve, domain)
  t.publishTxt(again)
  expect(await t.verify(t.eve, again.id)).toMatchObject({ state: 'active', records: 1, domains: 2 })
  expect(await t.content(domain)).toEqual(before)
  expect((await t.call(t.eve, 'GET', `/api/domains/${home.id}`)).status).toBe(200)
  expect(await t.read(t.eve, 'GET', `/api/zones/${again.id}/events`)).toEqual(history)
  expect((await t.refused(t.mia, 'POST', `/api/zones/${other.id}/verify`)).code).toBe('conflict')
})

test('web forwards and monitors come back with the zone, except for a target that was blocked meanwhile', async () => {
  const domain = t.freshDomain()
  await t.active(t.eve, domain)
  const forwarded = async (label: string, fields: object): Promise<WebForward> => {
    const { id } = await t.made(t.eve, { fqdn: `${label}.${domain}`, record_ip: '203.0.113.7' })
    const target_url = `https://${label}.example.com/`
    return t.read(t.eve, 'POST', '/api/webforward', { domain_id: id, target_url, ...fields })
  }
  const shop = await forwarded('shop', { status_code: 302 })
  await t.read(t.eve, 'POST', '/api/domains/wildcard', { base_fqdn: shop.fqdn })
  const blocked = await forwarded('blocked', {})
  const monitor = `/api/uptime/domain/${shop.domain_id}`
  await t.read(t.eve, 'POST', `${monitor}/monitor`, { enable: true })
  await t.read(t.eve, 'PUT', monitor, { kind: 'tcp', port: 22, confirmations: 3 })
  const window = { starts_at: '2026-05-13T08:00:00.000Z', ends_at: '2026-05-13T09:00:00.000Z' }
  await t.read(t.eve, 'POST', `${monitor}/maintenance`, { ...window, note: 'Backup' })
  const served = (await t.content(domain))?.[shop.fqdn]
  const told = (await toldForward(t.world.knex, shop.fqdn)) as Record<string, unknown>
  const { since: _since, id: _id, ...policy } = told

  const other = await t.claim(t.mia, domain)
  t.publishTxt(other)
  await t.verify(t.mia, other.id)
  expect(await t.read(t.eve, 'GET', '/api/webforward')).toEqual([])
  expect(await toldForward(t.world.knex, shop.fqdn)).toBeUndefined()
  const boss = await t.world.person('boss', 'admin')
  const block = { target: blocked.target_url, scope: 'host', reason: 'It imitates a shop.' }
  await t.read(boss, 'POST', '/api/admin/blocked-targets', block)

  const again = await t.claim(t.eve, domain)
  t.publishTxt(again)
  await t.verify(t.eve, again.id)
  const found = await t.read<WebForward[]>(t.eve, 'GET', '/api/webforward')
  expect(found).toMatchObject([{ fqdn: shop.fqdn, target_url: shop.target_url, status_code: 302 }])
  expect((await t.content(domain))?.[shop.fqdn]).toEqual(served)
  for (const name of [shop.fqdn, `*.${shop.fqdn}`]) {
    expect(await toldForward(t.world.knex, name)).toMatchObject(policy)
  }
  const [ended] = await t.read<DomainEvent[]>(
    t.eve,
    'GET',
    `/api/domains/${blocked.domain_id}/events`,
  )
  expect(ended).toMatchObject({ kind: 'forward-ended', actor: 'system' })
  expect(await t.read<Monitor>(t.eve, 'GET', monitor)).toMatchObject({ port: 22, confirmations: 3 })
  expect(await t.read(t.eve, 'GET', `${monitor}/maintenance`)).toMatchObject([{ note: 'Backup' }])
  await expectForwardFeedEqualsTables(t.world.knex)
})

test('a forward that an administrator disabled comes back disabled, and blocks its target meanwhile', async () => {
  const domain = t.freshDomain()
  await t.active(t.eve, domain)
  const { id } = await t.made(t.eve, { fqdn: `home.${domain}`, record_ip: '203.0.113.7' })
  const fields = { domain_id: id, target_url: 'https://login.example.com/' }
  const made = await t.read<WebForward>(t.eve, 'POST', '/api/webforward', fields)
  const boss = await t.world.person('chief', 'admin')
  const moderation = { is_disabled: true, reason: 'It imitates a bank.' }
  await t.read(boss, 'PUT', `/api/admin/web-forwards/${made.id}`, moderation)
  const other = await t.claim(t.mia, domain)
  t.publishTxt(other)
  await t.verify(t.mia, other.id)
  const hers = await t.made(t.mia, { fqdn: `home.${domain}`, record_ip: '203.0.113.9' })
  const again = { ...fields, domain_id: hers.id }
  expect((await t.refused(t.mia, 'POST', '/api/webforward', again)).code).toBe('target-not-allowed')
  const claim = await t.claim(t.eve, domain)
  t.publishTxt(claim)
  await t.verify(t.eve, claim.id)
  expect(await t.read(t.eve, 'GET', '/api/webforward')).toMatchObject([
    { fqdn: `home.${domain}`, disabled_reason: moderation.reason },
  ])
  expect(await toldForward(t.world.knex, `home.${domain}`)).toBeUndefined()
})

test('revoked update tokens do not come back with the zone', async () => {
  const domain = t.freshDomain()
  await t.active(t.eve, domain)
  const { id, fqdn } = await t.made(t.eve, { fqdn: `home.${domain}`, record_ip: '203.0.113.7' })
  await t.read(t.eve, 'POST', `/api/domains/${id}/update-token`, {})
  const other = await t.claim(t.mia, domain)
  t.publishTxt(other)
  await t.verify(t.mia, other.id)
  await t.world.knex.transaction((trx) => revokeCredentials(trx, t.eve.id))
  const claim = await t.claim(t.eve, domain)
  t.publishTxt(claim)
  await t.verify(t.eve, claim.id)
  expect(await t.read(t.eve, 'GET', `/api/domains/${id}`)).toMatchObject({ fqdn })
  expect((await t.refused(t.eve, 'GET', `/api/domains/${id}/update-token`)).status).toBe(404)
})
