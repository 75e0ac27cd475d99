import type { Domain, Monitor, UptimeSummary } from '@homing/openapi'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ApiWorld, type Caller, openApiWorld } from '../../../test/support/api-world.ts'
import { call, problemOf } from '../../../test/support/calls.ts'
import { insertDomain } from '../../../test/support/feed-world.ts'
import { query } from '../../database/sql.ts'

let world: ApiWorld
let ada: Caller
let host: string
let id: string
let people = 0

beforeAll(async () => {
  world = await openApiWorld()
})
afterAll(() => world.end())
beforeEach(async () => {
  people += 1
  ada = await world.person(`ada${people}`, 'pro')
  host = `home${people}.homing.test`
  id = (await insertDomain(world.knex, { userId: ada.id, fqdn: host, ipv4: '192.0.2.1' })).id
})

type Headers = Readonly<Record<string, string>>
const urlOf = (domainId: string, rest = '') => `/api/uptime/domain/${domainId}${rest}`
const get = (url: string, who: Caller = ada) =>
  call(world.app, 'GET', url, { headers: who.headers })
const send = (
  method: 'POST' | 'PUT' | 'DELETE',
  url: string,
  body?: unknown,
  headers: Headers = {},
) => call(world.app, method, url, { headers: { ...ada.headers, ...headers }, body })
const turn = (enable: boolean, domainId = id) =>
  send('POST', urlOf(domainId, '/monitor'), { enable })
const read = async (domainId = id) => (await get(urlOf(domainId))).json<Monitor>()
const domainOf = async () => (await get(`/api/domains/${id}`)).json<Domain>()

describe('turning a monitor on and off', () => {
  test('answers at once, and the domain shows it', async () => {
    expect(await domainOf()).toMatchObject({
      monitor_enabled: false,
      monitor_kind: null,
      monitor_state: null,
    })
    expect(await read()).toMatchObject({
      state: 'off',
      is_enabled: false,
      interval_seconds: 60,
      version: 1,
    })
    const reply = await turn(true)
    expect(reply.status).toBe(200)
    expect(reply.headers['etag']).toBe('"1"')
    expect(reply.json()).toMatchObject({
      fqdn: host,
      state: 'pending',
      is_enabled: true,
      kind: null,
      uptime_24h: null,
      min_interval_seconds: 60,
    })
    expect(await domainOf()).toMatchObject({
      monitor_enabled: true,
      monitor_kind: null,
      monitor_state: 'pending',
    })
    expect((await turn(false)).json()).toMatchObject({ state: 'off', is_enabled: false })
    expect(await domainOf()).toMatchObject({ monitor_enabled: false, monitor_state: 'off' })
  })
})
