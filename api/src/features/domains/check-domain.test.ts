/** Checks whether a label is available in the zones on offer, without an account. */
import type { DomainAvailability } from '@homing/openapi'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ApiWorld, type Caller, openApiWorld } from '../../../test/support/api-world.ts'
import { call, problemOf } from '../../../test/support/calls.ts'
import { query } from '../../database/sql.ts'

let world: ApiWorld
let ada: Caller
beforeAll(async () => {
  world = await openApiWorld()
  ada = await world.person('ada')
})
afterAll(() => world.end())

const ask = (label: string, headers = {}) =>
  call(world.app, 'GET', `/api/zones/availability?label=${encodeURIComponent(label)}`, {
    headers,
  })
/** The zones in which a label is available. */
const zonesFor = async (label: string) =>
  (await ask(label))
    .json<DomainAvailability[]>()
    .filter(({ available }) => available)
    .map(({ zone }) => zone)
const register = async (fqdn: string) =>
  (await call(world.app, 'POST', '/api/domains', { headers: ada.headers, body: { fqdn } })).json<{
    id: string
  }>()

test('the response has each zone on offer, with the full name', async () => {
  expect((await ask(' Free ')).json()).toEqual([
    { fqdn: 'free.eu.homing.test', zone: 'eu.homing.test', available: true },
    { fqdn: 'free.homing.test', zone: 'homing.test', available: true },
  ])
  expect((await ask('zoë')).json<DomainAvailability[]>()[1]?.fqdn).toBe('xn--zo-ija.homing.test')
})

describe('not available, without a reason', () => {
  test('a registered name, only in its zone, and also for its owner', async () => {
    await register('taken.homing.test')
    expect(await zonesFor('taken')).toEqual(['eu.homing.test'])
    const [, own] = (await ask('taken', ada.headers)).json<DomainAvailability[]>()
    expect(own).toEqual({ fqdn: 'taken.homing.test', zone: 'homing.test', available: false })
  })

  test('a name above a registered domain', async () => {
    await register('x.above.homing.test')
    expect(await zonesFor('above')).toEqual(['eu.homing.test'])
  })

  test('a deleted name that is reserved for its last owner', async () => {
    const { id } = await register('kept.homing.test')
    await call(world.app, 'DELETE', `/api/domains/${id}`, { headers: ada.headers })
    expect(await zonesFor('kept')).toEqual(['eu.homing.test'])
  })

  test('a name that an administrator locked', async () => {
    await query(world.knex, `insert into locked_names (fqdn) values ('locked.eu.homing.test')`)
    expect(await zonesFor('locked')).toEqual(['homing.test'])
  })

  test.each(['www', 'admin', 'paypa1-login'])('a reserved name: %s', async (label) => {
    expect(await zonesFor(label)).toEqual([])
  })

  test('the name of a zone inside the zone', async () => {
    expect(await zonesFor('eu')).toEqual(['eu.homing.test'])
  })
})

test('an available name can be registered', async () => {
  expect(await zonesFor('mine')).toEqual(['eu.homing.test', 'homing.test'])
  expect((await register('mine.homing.test')).id).toMatch(/^\d+$/)
  expect(await zonesFor('mine')).toEqual(['eu.homing.test'])
})

test('a call needs one connection, however many zones are on offer', async () => {
  let running = 0
  let most = 0
  const begin = () => (most = Math.max(most, (running += 1)))
  const end = () => (running -= 1)
  const { knex } = world
  knex.on('query', begin).on('query-response', end)
  expect(await zonesFor('calm')).toHaveLength(2)
  knex.off('query', begin).off('query-response', end)
  expect(most).toBe(1)
})

test.each([
  ['a.b', 'validation-failed'],
  ['home.homing.test', 'validation-failed'],
  ['-home', 'name-not-allowed'],
  ['ho me', 'name-not-allowed'],
  ['x'.repeat(64), 'name-not-allowed'],
  ['', 'validation-failed'],
])('%j is not a label: %s', async (label, code) => {
  expect(problemOf(await ask(label))).toMatchObject({ code, errors: [{ field: 'label' }] })
})
