/**
 * The scope of a key, checked against every operation that keys can call. The route matrix checks for every operation
 * that keys from other networks, expired keys and, where keys cannot call it, all keys are refused.
 */
import {
  keyActionsOf,
  type CreatedApiKey,
  type Domain,
  KEY_ACTIONS,
  type NewApiKey,
  type NewKeyScope,
} from '@homing/openapi'
import { MAINTENANCE } from '../../../test/contract/matrix/usual-calls.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { useAccountWorld } from '../../../test/support/account-world.ts'
import { query } from '../../database/sql.ts'
import { call, problemOf, type Reply } from '../../../test/support/calls.ts'
import { type ListedOperation, listedOperations } from '../../../test/support/contract-table.ts'
import { insertDomain } from '../../../test/support/feed-world.ts'
import { insertOwnZone } from '../../../test/support/own-zone.ts'

const t = useAccountWorld()

/** Two names of Ada's, and the id of the first. */
let home: string
let nas: string
let homeId: string

beforeEach(async () => {
  home = `home${t.people}.homing.test`
  nas = `nas${t.people}.homing.test`
  // Of every plan with keys, this one includes each operation that keys can call.
  await query(t.world.knex, `update users set account_type = 'elite' where id = ?`, [t.ada.id])
  homeId = (await insertDomain(t.world.knex, { userId: t.ada.id, fqdn: home, ipv4: '192.0.2.1' }))
    .id
  await insertDomain(t.world.knex, { userId: t.ada.id, fqdn: nas, ipv4: '192.0.2.2' })
})

const make = async (fields: Partial<NewApiKey>): Promise<Reply> =>
  call(t.world.app, 'POST', '/api/api-keys/', {
    headers: t.ada.headers,
    body: { name: 'ci', ...fields },
  })
const made = async (fields: Partial<NewApiKey>) => (await make(fields)).json<CreatedApiKey>()

/** The headers of a new key with this scope. */
async function bearer(scope: NewKeyScope, fields: Partial<NewApiKey> = {}) {
  const { key } = await made({ ...fields, scope })
  return { authorization: `Bearer ${key}` }
}

const asAda = (method: 'DELETE' | 'GET' | 'POST' | 'PUT', url: string, body?: object) =>
  call(t.world.app, method, url, { headers: t.ada.headers, ...(body && { body }) })

/** Forwards Ada's first name. @returns the id of the forward */
const newForward = async () =>
  (await asAda('POST', '/api/webforward', forwardOf(homeId))).json<{ id: string }>().id
const forwardOf = (domain_id: string) => ({ domain_id, target_url: 'https://shop.example.com' })

/** Announces maintenance of Ada's first name. @returns the id of the window */
const newWindow = async () =>
  (await asAda('POST', `/api/uptime/domain/${homeId}/maintenance`, MAINTENANCE)).json<{
    id: string
  }>().id

/** A zone of Ada's. @returns the id of its claim */
const newZone = async () =>
  (await insertOwnZone(t.world.knex, t.ada.id, `own${t.people}.example`)).claimId

/** Creates a record. @returns its id */
const newRecord = async (records: string) => {
  const body = { owner: '_text', type: 'TXT', values: ['first'] }
  return (await asAda('POST', records, body)).json<{ id: string }>().id
}

/** Changes a zone or Ada's first name. @returns the id of the event, which can be undone */
async function newEvent(url: string, id: string): Promise<string> {
  const path = url.replace('{id}', id).split('/events')[0] ?? ''
  if (path.startsWith('/api/zones/')) await newRecord(`${path}/records`)
  else await asAda('PUT', path, { note: 'changed' })
  const events = await asAda('GET', `${path}/events`)
  return events.json<{ id: string }[]>()[0]?.id ?? ''
}

/** The id of the object in the path of an operation. */
async function objectOf(url: string): Promise<string> {
  if (url.startsWith('/api/zones/{id}')) return newZone()
  return url === '/api/webforward/{id}' ? newForward() : homeId
}

/** Ada's first name; of a deleted one only the status. */
async function firstName() {
  const { status, text } = await asAda('GET', `/api/domains/${homeId}`)
  return status === 200 ? text : status
}

/** A valid call of an operation about Ada's first name. */
async function callOf({ method, url, bodyExample, id }: ListedOperation) {
  if (id === 'restoreDomain') await asAda('DELETE', `/api/domains/${homeId}`)
  const objectId = await objectOf(url)
  const eventId = url.includes('{event_id}') ? await newEvent(url, objectId) : ''
  const [records = ''] = url.replace('{id}', objectId).split('/{record_id}')
  const recordId = url.includes('{record_id}') ? await newRecord(records) : ''
  const windowId = url.includes('{window}') ? await newWindow() : ''
  const path = url
    .replace('{id}', objectId)
    .replace('{fqdn}', home)
    .replace('{event_id}', eventId)
    .replace('{record_id}', recordId)
    .replace('{window}', windowId)
  const bodies: Readonly<Record<string, object>> = {
    createDomain: { fqdn: `new${t.people}.homing.test` },
    createWildcard: { base_fqdn: home },
    createMaintenanceWindow: MAINTENANCE,
    createWebForward: forwardOf(homeId),
    updateWebForward: { status_code: 302 },
    checkWebForward: forwardOf(homeId),
    changeDomains: { operations: [{ op: 'change', fqdn: home, record_ip: '192.0.2.9' }] },
    changeDomainRecords: ONE_RECORD,
    changeZoneRecords: ONE_RECORD,
    updateDomainRecord: { values: ['second'] },
    updateZoneRecord: { values: ['second'] },
  }
  if (id === 'checkNewDomain') return { method, url: `${path}?fqdn=new${t.people}.homing.test` }
  return { method, url: path, body: bodies[id] ?? bodyExample }
}

const ONE_RECORD = {
  operations: [{ op: 'create', owner: '_one', type: 'TXT', values: ['one'] }],
}

const ofKeys = listedOperations.filter(({ access }) => access === 'caller')
const updates = listedOperations.filter(({ access }) => access === 'update')

async function ask(operation: ListedOperation, headers: Record<string, string>): Promise<Reply> {
  const { method, url, body } = await callOf(operation)
  return call(t.world.app, method, url, { headers, ...(method === 'GET' ? {} : { body }) })
}

test('each operation that keys can call has an action, and no other operation does', () => {
  const saying = listedOperations.filter(({ keyAction }) => keyAction !== undefined)
  expect(saying).toEqual(
    listedOperations.filter(({ access }) => access === 'caller' || access === 'update'),
  )
  expect(ofKeys.length).toBeGreaterThanOrEqual(11)
})

describe.each(ofKeys)('$id', (operation) => {
  const actions = keyActionsOf(operation)

  test('accepts a key for this action and this name', async () => {
    const headers = await bearer({ actions: [...actions], domains: ['*.homing.test', '*.example'] })
    expect((await ask(operation, headers)).status).toBeLessThan(300)
  })

  test('refuses a key for all other actions', async () => {
    const headers = await bearer({
      actions: KEY_ACTIONS.filter((action) => !actions.includes(action)),
    })
    const problem = problemOf(await ask(operation, headers))
    expect(problem).toMatchObject({ status: 403, code: 'key-scope' })
    expect(problem.detail).toContain(`not allowed to ${actions[0]}`)
  })
})

describe('a key for another name', () => {
  /** Operations that are not about one existing name. */
  const OF_NO_NAME = [
    'listAvailableZones',
    'listDomains',
    'createDomain',
    'checkNewDomain',
    'exportDomains',
    'listDeletedDomains',
    'listWebForwards',
    'getWebForwardUsage',
    'getUptimeSummary',
    'listMonitors',
    'getDnsSummary',
    'getDnsStats',
    'getQuerySeries',
    'exportQueries',
    'listOwnZones',
    'getRecordUsage',
    // Its response has a problem for each line; the tests of batches and the route matrix check it.
    'changeDomains',
  ]
  const outside = () => bearer({ domains: [nas] })

  test.each(ofKeys.filter(({ id }) => !OF_NO_NAME.includes(id)))(
    '$id finds and changes nothing',
    async (operation) => {
      const { method, url, body } = await callOf(operation)
      const before = await firstName()
      const headers = await outside()
      const asked = { headers, ...(method === 'GET' ? {} : { body }) }
      expect(problemOf(await call(t.world.app, method, url, asked)).status).toBe(404)
      expect(await firstName()).toEqual(before)
    },
  )

  test('the list has only the names in its scope, and counts no others', async () => {
    const reply = await call(t.world.app, 'GET', '/api/domains', { headers: await outside() })
    expect(reply.json<Domain[]>().map(({ fqdn }) => fqdn)).toEqual([nas])
    expect(reply.headers['content-range']).toBe('domains 0-0/1')
  })

  test('a name outside its scope cannot be created', async () => {
    const body = { fqdn: `new${t.people}.homing.test` }
    const reply = await call(t.world.app, 'POST', '/api/domains', {
      headers: await outside(),
      body,
    })
    expect(problemOf(reply)).toMatchObject({ status: 403, code: 'key-scope' })
  })
})

test('a key that expires is refused from that moment on', async () => {
  const headers = await bearer({}, { expires_at: new Date(t.clock.getTime() + 1000).toISOString() })
  const list = async () => (await call(t.world.app, 'GET', '/api/domains', { headers })).status
  expect(await list()).toBe(200)
  t.clock = new Date(t.clock.getTime() + 1000)
  expect(await list()).toBe(401)
})

describe.each(updates)('$id', ({ method, url, query }) => {
  const withdraws = url === '/nic/delete'

  /** The answer to an update of names with a key. */
  async function said(key: string, names: string): Promise<string> {
    const path = url
      .replace('{key}', key)
      .replace('{domains}', names)
      .replace('{token}', key)
      .replace('{ip}', '192.0.2.9')
    const place = ['hostname', 'domains', 'zone'].find((name) => query?.properties[name])
    const address = url.startsWith('/update') ? 'ip' : url === '/api/update' ? 'ipv4' : 'myip'
    const search = new URLSearchParams({ token: key })
    if (!url.includes('{domains}') && place !== undefined) search.set(place, names)
    if (!withdraws && !url.includes('{ip}')) search.set(address, '192.0.2.9')
    const reply = await call(t.world.app, method, `${path}?${search.toString()}`)
    return reply.text.trim()
  }
  const isDone = (text: string) => /^(good|OK|addresses updated)/.test(text)

  test('a key for this name updates it, and no other', async () => {
    const { key } = await made({ scope: { domains: [home], actions: ['update'] } })
    expect(isDone(await said(key, home))).toBe(true)
    expect(await said(key, nas)).toMatch(/nohost|KO|zone not found/)
  })

  test('a key for IPv6 addresses neither sets nor removes an IPv4 address', async () => {
    const { key } = await made({ scope: { record_types: ['AAAA'] } })
    expect(await said(key, home)).toMatch(/dnserr|KO/)
  })
})

describe('records', () => {
  const change = (headers: Record<string, string>, body: object) =>
    call(t.world.app, 'PUT', `/api/domains/${homeId}`, { headers, body })

  test('a key for one type sets no other, and does not delete the name with one', async () => {
    const headers = await bearer({ record_types: ['AAAA'] })
    expect((await change(headers, { record_ipv6: '2001:db8::1' })).status).toBe(200)
    for (const reply of [
      await change(headers, { record_ipv4: '192.0.2.7', record_ipv6: '2001:db8::2' }),
      await change(headers, { record_ipv4: null }),
      await call(t.world.app, 'DELETE', `/api/domains/${homeId}`, { headers }),
      await call(t.world.app, 'POST', '/api/domains/wildcard', {
        headers,
        body: { base_fqdn: home },
      }),
      await call(t.world.app, 'POST', '/api/domains', {
        headers,
        body: { fqdn: `new${t.people}.homing.test`, record_ipv4: '192.0.2.8' },
      }),
    ]) {
      expect(problemOf(reply)).toMatchObject({ status: 403, code: 'key-scope' })
    }
  })
})

describe('update URLs', () => {
  const update = async (key: string, search: string) =>
    (await call(t.world.app, 'GET', `/nic/update?token=${key}&${search}`)).text.trim()

  test('a request without a name updates the only name in the key’s scope', async () => {
    const { key } = await made({ scope: { domains: [home] } })
    expect(await update(key, 'myip=192.0.2.10')).toBe('good 192.0.2.10')
    const { key: all } = await made({})
    expect(await update(all, 'myip=192.0.2.11')).toBe('notfqdn')
    const { key: outside } = await made({ scope: { domains: ['none.homing.test'] } })
    expect(await update(outside, 'myip=192.0.2.12')).toBe('notfqdn')
  })

  test('only names in the scope follow into a prefix', async () => {
    const below = `pc.${home}`
    const { id } = await insertDomain(t.world.knex, { userId: t.ada.id, fqdn: below })
    const own = { headers: t.ada.headers }
    const url = `/api/domains/${id}`
    await call(t.world.app, 'PUT', url, { ...own, body: { record_ipv6: '2001:db8:1::7' } })
    const ipv6 = async () => (await call(t.world.app, 'GET', url, own)).json<Domain>().record_ipv6
    const search = `hostname=${home}&myip=192.0.2.20&ip6lanprefix=2001:db8:2::/64`
    const { key } = await made({ scope: { domains: [home] } })
    expect(await update(key, search)).toBe('good 192.0.2.20')
    expect(await ipv6()).toBe('2001:db8:1::7')
    const { key: wide } = await made({ scope: { domains: [home, `*.${home}`] } })
    expect(await update(wide, search)).toBe('good 192.0.2.20')
    expect(await ipv6()).toBe('2001:db8:2::7')
  })

  test('a wildcard requires a key that may create', async () => {
    const search = `hostname=${home}&myip=192.0.2.21&wildcard=ON`
    const has = async () =>
      (
        await call(t.world.app, 'GET', `/api/domains/${homeId}`, { headers: t.ada.headers })
      ).json<Domain>().wildcard_enabled
    const { key } = await made({ scope: { actions: ['update'] } })
    expect(await update(key, search)).toBe('good 192.0.2.21')
    expect(await has()).toBe(false)
    const { key: maker } = await made({ scope: { actions: ['update', 'create'], domains: [home] } })
    expect(await update(maker, search)).toBe('nochg 192.0.2.21')
    expect(await has()).toBe(true)
  })
})
