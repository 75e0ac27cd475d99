import type { DomainCheck } from '@homing/openapi'
import assert from 'node:assert/strict'
import { describe, expect, test } from 'vitest'
import { type Caller, openApiWorld } from '../../../../test/support/api-world.ts'
import { call, problemOf } from '../../../../test/support/calls.ts'
import { useDomainWorld } from '../../../../test/support/domain-world.ts'
import { query } from '../../../database/sql.ts'

const t = useDomainWorld()

async function check(who: Caller, fqdn: string): Promise<DomainCheck> {
  const url = `/api/domains/availability?fqdn=${encodeURIComponent(fqdn)}`
  const answer = await t.call(who, 'GET', url)
  assert.equal(answer.status, 200, answer.body)
  return JSON.parse(answer.body) as DomainCheck
}

describe('GET /api/domains/availability', () => {
  test('a free name, in its stored form', async () => {
    const fqdn = `${t.fresh('zoë')}.homing.test`
    expect(await check(t.ada, ` ${fqdn.toUpperCase()} `)).toEqual({
      fqdn: expect.stringMatching(/^xn--.*\.homing\.test$/),
      zone: 'homing.test',
      available: true,
    })
    const label = t.fresh('label')
    const url = `/api/domains/availability?fqdn=${label}&zone=eu.homing.test`
    const answer = await t.call(t.ada, 'GET', url)
    expect(JSON.parse(answer.body)).toMatchObject({ fqdn: `${label}.eu.homing.test` })
  })

  test('each reason, in the code and the words of the registration', async () => {
    const own = await t.made(t.ada, { fqdn: `${t.fresh('own')}.homing.test` })
    const others = await t.made(t.bob, { fqdn: `${t.fresh('others')}.homing.test` })
    const kept = await t.made(t.bob, { fqdn: `${t.fresh('kept')}.homing.test` })
    await t.call(t.bob, 'DELETE', `/api/domains/${kept.id}`)
    const locked = `${t.fresh('locked')}.homing.test`
    await query(t.world.knex, 'insert into locked_names (fqdn) values (?)', [locked])
    const names = [
      [own.fqdn, 'name-taken'],
      [others.fqdn, 'name-taken'],
      [`x.${others.fqdn}`, 'name-taken'],
      [kept.fqdn, 'name-reserved'],
      [locked, 'name-not-allowed'],
      ['www.homing.test', 'name-not-allowed'],
      ['paypa1-login.homing.test', 'name-not-allowed'],
      ['-x-.homing.test', 'name-not-allowed'],
      ['x.eu.homing.test.homing.test.homing.test', 'name-not-allowed'],
      ['home', 'validation-failed'],
    ] as const
    for (const [fqdn, code] of names) {
      const found = await check(t.ada, fqdn)
      const registration = await t.refused(t.ada, 'POST', '/api/domains', { fqdn })
      expect(registration.code).toBe(code)
      expect(found).toMatchObject({ available: false, code, detail: registration.detail })
    }
  })

  test('the limit of the plan', async () => {
    for (let n = 0; n < 5; n += 1) {
      await t.made(t.bob, { fqdn: `${t.fresh(`full${n}`)}.homing.test` })
    }
    const fqdn = `${t.fresh('sixth')}.homing.test`
    expect(await check(t.bob, fqdn)).toMatchObject({ available: false, code: 'domain-limit' })
    expect(await check(t.ada, fqdn)).toMatchObject({ available: true })
  })

  test('an account is stopped after 600 checks in an hour, from whatever network', async () => {
    const world = await openApiWorld({ rateLimits: true })
    try {
      const { id, headers } = await world.person('scanner')
      await world.services.rateLimits.take('availability-account', id, 1, 600)
      const url = '/api/domains/availability?fqdn=x.homing.test'
      const reply = await call(world.app, 'GET', url, { headers, ip: '203.0.113.200' })
      expect(problemOf(reply)).toMatchObject({ code: 'rate-limited' })
      expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0)
    } finally {
      await world.end()
    }
  })
})
