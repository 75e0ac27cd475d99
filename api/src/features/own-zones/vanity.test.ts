/** Vanity name servers: set-up, status, verification and removal. */
import type { OwnZone, VanityStatus, VanityVerification } from '@homing/openapi'
import { expect, test } from 'vitest'
import { useZoneWorld } from '../../../test/support/zone-world.ts'

const t = useZoneWorld()
const STATUS = '/api/vanity-ns/status'
const status = () => t.read<VanityStatus>(t.eve, 'GET', STATUS)
const setUp = (domain: string) =>
  t.read<VanityStatus>(t.eve, 'POST', '/api/vanity-ns/setup', { domain })
const verify = () => t.read<VanityVerification>(t.eve, 'POST', '/api/vanity-ns/verify')

const glue = (domain: string) =>
  [1, 2].map((n) => [`ns${n}.${domain}`, [{ type: 'A', ttl: 3600, rdata: ['127.0.0.1'] }]])

/** What DNS serves of a zone without content. */
const neutral = (domain: string) => ({
  [domain]: [{ type: 'NS', ttl: 3600, rdata: [`ns1.${domain}.`, `ns2.${domain}.`] }],
  ...Object.fromEntries(glue(domain)),
})

test('another plan sees why the feature is not available', async () => {
  expect(await t.read(t.ada, 'GET', STATUS)).toEqual({
    available: false,
    configured: false,
    verified: false,
    verification_pending: false,
    nameservers: null,
    zones_count: 0,
    message: 'This feature requires an Elite subscription.',
    zone: null,
  })
  const refused = await t.refused(t.ada, 'POST', '/api/vanity-ns/setup', {
    domain: t.freshDomain(),
  })
  expect(refused).toMatchObject({
    code: 'plan-required',
    detail: 'This feature requires an Elite subscription.',
  })
  expect((await t.refused(t.eve, 'POST', '/api/vanity-ns/verify')).code).toBe('not-found')
})

test('set-up serves the name servers and their glue, and the delegation verifies them', async () => {
  const domain = t.freshDomain()
  const made = await setUp(domain)
  expect(made).toMatchObject({
    available: true,
    configured: true,
    verified: false,
    verification_pending: true,
    nameservers: {
      ns1: { hostname: `ns1.${domain}`, ip: '127.0.0.1', ipv6: null },
      ns2: { hostname: `ns2.${domain}`, ip: '127.0.0.1', ipv6: null },
    },
    zone: { zone: domain, state: 'pending', is_vanity: true },
  })
  expect(await t.content(domain)).toEqual(neutral(domain))
  expect(await setUp(domain)).toEqual(made)
  expect(await verify()).toMatchObject({
    status: 'pending',
    message: 'Verification failed. Please check your glue records.',
  })
  t.delegations.set(domain, { ns: 'right' })
  expect(await verify()).toMatchObject({
    status: 'verified',
    message: 'Verification successful! Your vanity nameservers are now active.',
    zone: { state: 'active' },
  })
  expect(await status()).toMatchObject({ verified: true, verification_pending: false })
  expect(await t.mails(t.eve)).toMatchObject([{ event: 'verified', isVanity: true }])
  const other = { domain: t.freshDomain('other') }
  expect((await t.refused(t.eve, 'POST', '/api/vanity-ns/setup', other)).code).toBe('conflict')
})

test('a delegation that proves nothing is not called wrong', async () => {
  const domain = t.freshDomain()
  await setUp(domain)
  await t.claim(t.mia, domain)
  t.delegations.set(domain, { ns: 'right' })
  expect(await verify()).toMatchObject({
    status: 'pending',
    message:
      'Verification failed. The name servers are correct, but you have not proved that you own the domain.',
    zone: { state: 'pending', last_check: { is_right: true } },
  })
})

test('other zones use the name servers, which then cannot be removed', async () => {
  const [domain, using] = [t.freshDomain(), t.freshDomain('using')]
  const early = { domain: using, uses_vanity: true }
  expect((await t.refused(t.eve, 'POST', '/api/zones', early)).code).toBe('conflict')
  const { zone } = await setUp(domain)
  const user = await t.claim(t.eve, using, { uses_vanity: true })
  expect(user).toMatchObject({
    is_vanity: true,
    nameservers: [{ hostname: `ns1.${domain}` }, { hostname: `ns2.${domain}` }],
  })
  expect(await t.content(using)).toEqual({ [using]: neutral(domain)[domain] })
  expect((await status()).zones_count).toBe(1)
  expect((await t.refused(t.eve, 'DELETE', '/api/vanity-ns')).code).toBe('conflict')
  const confirm = { confirm: domain }
  expect(await t.refused(t.eve, 'DELETE', `/api/zones/${zone?.id}`, confirm)).toMatchObject({
    code: 'conflict',
    detail: `${using} uses the vanity name servers in ${domain}. Delete this zone first.`,
  })
  await t.call(t.eve, 'DELETE', `/api/zones/${user.id}`, { confirm: using })
  expect((await t.call(t.eve, 'DELETE', '/api/vanity-ns')).status).toBe(204)
  expect(await status()).toMatchObject({ configured: false })
  const services = [{ hostname: 'ns1.homing.test' }, { hostname: 'ns2.homing.test' }]
  const [left] = await t.read<OwnZone[]>(t.eve, 'GET', '/api/zones')
  expect(left).toMatchObject({ zone: domain, is_vanity: false, nameservers: services })
  expect(Object.keys((await t.content(domain)) ?? {})).toEqual([domain])
})

test('an active zone becomes that of the name servers, and must be verified again', async () => {
  const domain = t.freshDomain()
  const { id } = await t.active(t.eve, domain)
  t.delegations.set(domain, { ns: ['ns1.homing.test', 'ns2.homing.test'] })
  expect(await setUp(domain)).toMatchObject({ verified: false, zone: { id, state: 'active' } })
  expect(await t.content(domain)).toEqual(neutral(domain))
  t.delegations.set(domain, { ns: 'right' })
  expect((await verify()).status).toBe('verified')
})

test('a record that stood in the place of a name server does not come back beside it', async () => {
  const domain = t.freshDomain()
  const { id } = await t.active(t.eve, domain)
  for (const fields of [
    { owner: 'ns1', type: 'CNAME', values: ['a.example.com'] },
    { owner: 'ns2', type: 'TXT', values: ['kept'] },
  ]) {
    await t.read(t.eve, 'POST', `/api/zones/${id}/records`, fields)
  }
  const other = await t.claim(t.mia, domain)
  t.publishTxt(other)
  expect((await t.verify(t.mia, other.id)).state).toBe('active')
  const { zone } = await setUp(domain)
  if (zone !== null) t.publishTxt(zone)
  expect((await verify()).zone).toMatchObject({ state: 'active', records: 1 })
  const content = await t.content(domain)
  expect(content?.[`ns1.${domain}`]).toMatchObject([{ type: 'A' }])
  expect(content?.[`ns2.${domain}`]).toMatchObject([{ type: 'A' }, { type: 'TXT' }])
})

test('the name servers of a lost zone do not stay in others', async () => {
  const [domain, using] = [t.freshDomain(), t.freshDomain('using')]
  await setUp(domain)
  t.delegations.set(domain, { ns: 'right' })
  await verify()
  const { id } = await t.claim(t.eve, using, { uses_vanity: true })
  const other = await t.claim(t.mia, domain)
  t.publishTxt(other)
  expect((await t.verify(t.mia, other.id)).state).toBe('active')
  expect(await status()).toMatchObject({ configured: false, zones_count: 0 })
  expect(await t.read(t.eve, 'GET', `/api/zones/${id}`)).toMatchObject({
    is_vanity: false,
    nameservers: [{ hostname: 'ns1.homing.test' }, { hostname: 'ns2.homing.test' }],
  })
  expect(await t.content(using)).toEqual({
    [using]: [{ type: 'NS', ttl: 3600, rdata: ['ns1.homing.test.', 'ns2.homing.test.'] }],
  })
})
