import type { Domain } from '@homing/openapi'
import { describe, expect, test } from 'vitest'
import type { Caller } from '../../../test/support/api-world.ts'
import { address, useDomainWorld } from '../../../test/support/domain-world.ts'

const t = useDomainWorld()

describe('POST /api/domains/wildcard', () => {
  const wildcard = (who: Caller, base_fqdn: string, more: object = {}) =>
    t.call(who, 'POST', '/api/domains/wildcard', { base_fqdn, ...more })

  test('follows both families of its base, and is deleted with it', async () => {
    const base = await t.made(t.ada, {
      fqdn: `${t.fresh('wild')}.homing.test`,
      record_ip: '192.0.2.1',
      record_ipv6: '2001:db8::1',
    })
    const answer = await wildcard(t.ada, base.fqdn, { rrtype: 'A', record_ip: '198.51.100.9' })
    expect(answer).toMatchObject({ status: 201 })
    const star = JSON.parse(answer.body) as Domain
    expect(star).toMatchObject({
      fqdn: `*.${base.fqdn}`,
      is_wildcard: true,
      wildcard_enabled: false,
      record_ipv4: '192.0.2.1',
      record_ipv6: '2001:db8::1',
      ttl: 60,
    })
    expect(JSON.parse((await t.call(t.ada, 'GET', `/api/domains/${base.id}`)).body)).toMatchObject({
      wildcard_enabled: true,
    })

    await t.call(t.ada, 'PUT', `/api/domains/${base.id}`, {
      record_ip: '192.0.2.2',
      record_ipv6: null,
    })
    expect(await t.served(star.fqdn)).toEqual([address('A', '192.0.2.2')])
    expect(
      await t.refused(t.ada, 'PUT', `/api/domains/${star.id}`, { record_ip: '192.0.2.3' }),
    ).toMatchObject({
      code: 'conflict',
      detail: `*.${base.fqdn} is a wildcard and follows the addresses of ${base.fqdn}. Change ${base.fqdn} instead.`,
    })
    expect((await t.call(t.ada, 'GET', `/api/domains/fqdn/*.${base.fqdn}`)).status).toBe(200)

    await t.call(t.ada, 'DELETE', `/api/domains/${base.id}`)
    expect(await t.served(star.fqdn)).toBeUndefined()
    expect((await t.call(t.ada, 'GET', `/api/domains/${star.id}`)).status).toBe(404)
  })

  test('can be deleted on its own', async () => {
    const base = await t.made(t.ada, {
      fqdn: `${t.fresh('alone')}.homing.test`,
      record_ip: '192.0.2.1',
    })
    const star = JSON.parse((await wildcard(t.ada, base.fqdn)).body) as Domain
    expect((await t.call(t.ada, 'DELETE', `/api/domains/${star.id}`)).status).toBe(204)
    expect(await t.served(base.fqdn)).toEqual([address('A', '192.0.2.1')])
    expect(await t.served(star.fqdn)).toBeUndefined()
    expect((await wildcard(t.ada, base.fqdn)).status).toBe(201)
  })

  test('stops at a withheld name, which is published as empty', async () => {
    const base = await t.made(t.ada, {
      fqdn: `${t.fresh('stop')}.homing.test`,
      record_ip: '192.0.2.1',
    })
    const below = await t.made(t.ada, { fqdn: `nas.${base.fqdn}`, record_ip: '192.0.2.2' })
    await t.withhold(below.id, 'locked')
    const star = JSON.parse((await wildcard(t.ada, base.fqdn)).body) as Domain
    expect(await t.served(below.fqdn)).toEqual([])
    await t.call(t.ada, 'DELETE', `/api/domains/${star.id}`)
    expect(await t.served(below.fqdn)).toBeUndefined()
  })

  test('is refused without the plan, an address, a domain, or a second time', async () => {
    const his = await t.made(t.bob, {
      fqdn: `${t.fresh('his')}.homing.test`,
      record_ip: '192.0.2.1',
    })
    expect(JSON.parse((await wildcard(t.bob, his.fqdn)).body)).toMatchObject({
      status: 403,
      code: 'plan-required',
    })
    expect(JSON.parse((await wildcard(t.ada, his.fqdn)).body)).toMatchObject({
      status: 404,
      code: 'not-found',
    })
    const bare = await t.made(t.ada, { fqdn: `${t.fresh('bare')}.homing.test` })
    expect(JSON.parse((await wildcard(t.ada, bare.fqdn)).body)).toMatchObject({
      status: 409,
      code: 'conflict',
    })
    await t.call(t.ada, 'PUT', `/api/domains/${bare.id}`, { record_ip: '192.0.2.1' })
    const twice = await Promise.all([wildcard(t.ada, bare.fqdn), wildcard(t.ada, bare.fqdn)])
    expect(twice.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409])
    expect(JSON.parse((await wildcard(t.ada, `*.${bare.fqdn}`)).body)).toMatchObject({
      code: 'conflict',
    })
  })
})
