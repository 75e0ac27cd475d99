import type { CreatedApiKey, Domain } from '@homing/openapi'
import { describe, expect, test } from 'vitest'
import type { Caller } from '../../../test/support/api-world.ts'
import { useDomainWorld } from '../../../test/support/domain-world.ts'
import { insertDomain } from '../../../test/support/feed-world.ts'

const t = useDomainWorld()

const asked = (who: Caller, fqdn: string) => t.refused(who, 'POST', '/api/domains', { fqdn })

/** A name that existed before its word was protected. */
const insertName = (owner: Caller, fqdn: string) =>
  insertDomain(t.world.knex, { userId: owner.id, fqdn, ipv4: '192.0.2.1' })

describe('a name that imitates another party', () => {
  test.each([
    ['www.homing.test'],
    ['paypa1-login.homing.test'],
    ['RNICROSOFT365.homing.test'],
    ['ebay-cars.homing.test'],
    ['secure-chase-x7.homing.test'],
    ['chase.homing.test'],
    ['paypal.home.homing.test'],
    ['chase.verify.homing.test'],
    ['pаypal.homing.test', 'xn--pypal-4ve.homing.test'],
    ['homing-support.homing.test'],
    ['homing.homing.test'],
    ['eu-homing-test.homing.test'],
    ['paypal-login.eu.homing.test'],
  ])(
    '%s is refused like a reserved one, and nothing is created',
    async (fqdn, kept = fqdn.toLowerCase()) => {
      const message = `${kept} is reserved. Choose another name.`
      const { type, title, status, code, detail, errors } = await asked(t.ada, fqdn)
      expect({ title, status, code, detail, errors }).toEqual({
        title: 'Name not allowed',
        status: 422,
        code: 'name-not-allowed',
        detail: message,
        errors: [{ field: 'fqdn', message }],
      })
      expect(type).toBe((await asked(t.ada, 'www.homing.test')).type)
      expect(JSON.parse((await t.call(t.ada, 'GET', '/api/domains')).body)).toEqual([])
    },
  )

  test('harmless names are allowed', async () => {
    for (const label of ['apple-pie', 'chase-family', 'visage', 'meta-data', 'pineapple']) {
      const { fqdn } = await t.made(t.ada, { fqdn: `${t.fresh(label)}.homing.test` })
      expect((await t.made(t.ada, { fqdn: `www.${fqdn}` })).fqdn).toBe(`www.${fqdn}`)
    }
  })

  test('is refused before its owner is checked, and takes no place of the plan', async () => {
    await insertName(t.ada, 'netflix-billing.homing.test')
    expect((await asked(t.bob, 'netflix-billing.homing.test')).code).toBe('name-not-allowed')
    expect((await asked(t.bob, 'netfl1x-billing.homing.test')).code).toBe('name-not-allowed')
  })
})

describe.each([
  ['its word was protected', 'paypal-status.homing.test'],
  ['its label was reserved', 'mta-sts.homing.test'],
])('a name that existed before %s', (_, fqdn) => {
  test('stays and can be updated, and gets no wildcard', async () => {
    await insertName(t.ada, fqdn)
    const changed = await t.call(t.ada, 'PUT', `/api/domains/fqdn/${fqdn}`, {
      record_ip: '192.0.2.7',
    })
    expect(changed.status).toBe(200)
    const problem = await t.refused(t.ada, 'POST', '/api/domains/wildcard', { base_fqdn: fqdn })
    const message = `${fqdn} is reserved. Choose another name.`
    expect(problem).toMatchObject({
      status: 422,
      code: 'name-not-allowed',
      errors: [{ field: 'base_fqdn', message }],
    })
    expect((await t.call(t.ada, 'DELETE', `/api/domains/fqdn/${fqdn}`)).status).toBe(204)
    expect((await asked(t.ada, fqdn)).code).toBe('name-not-allowed')
  })
})

describe('an administrator', () => {
  test('can register it, with a wildcard; not a reserved name, and not with a key', async () => {
    const admin = await t.world.person(t.fresh('boss'), 'admin')
    const domain = await t.made(admin, {
      fqdn: `${t.fresh('homing-support')}.homing.test`,
      record_ip: '192.0.2.1',
    })
    const wildcard = await t.call(admin, 'POST', '/api/domains/wildcard', {
      base_fqdn: domain.fqdn,
    })
    expect(wildcard.status).toBe(201)
    expect(JSON.parse(wildcard.body) as Domain).toMatchObject({ fqdn: `*.${domain.fqdn}` })
    expect((await asked(admin, 'www.homing.test')).code).toBe('name-not-allowed')

    const key = await t.call(admin, 'POST', '/api/api-keys', { name: 'for pipelines' })
    const { key: secret } = JSON.parse(key.body) as Partial<CreatedApiKey>
    expect([key.status, typeof secret]).toEqual([201, 'string'])
    const withKey = { ...admin, headers: { authorization: `Bearer ${secret}` } }
    expect((await asked(withKey, 'paypal-support.homing.test')).code).toBe('name-not-allowed')
  })
})

test('refusals are counted by rule', async () => {
  const counted = async () => {
    const { body } = await t.call(undefined, 'GET', '/metrics')
    const lines = body.matchAll(/^homing_api_names_refused_total\{rule="(\w+)"\} (\d+)$/gm)
    return Object.fromEntries([...lines].map(([, rule = '', count]) => [rule, Number(count)]))
  }
  const before = await counted()
  for (const label of ['www', 'my-paypal', 'ebay-cars', 'dhl-cars', 'apple-login', 'apple']) {
    await asked(t.bob, `${label}.homing.test`)
  }
  const after = await counted()
  expect(Object.entries(after).map(([rule, count]) => [rule, count - (before[rule] ?? 0)])).toEqual(
    [
      ['reserved', 1],
      ['contained', 1],
      ['part', 2],
      ['joined', 1],
      ['alone', 1],
    ],
  )
})
