import { operations, type Operation } from '@homing/openapi'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ApiWorld, type Caller, openApiWorld } from '../../test/support/api-world.ts'
import { call, problemOf } from '../../test/support/calls.ts'
import { query } from '../database/sql.ts'

let world: ApiWorld
let ada: Caller
let key: string

beforeAll(async () => {
  world = await openApiWorld()
  ada = await world.person('ada')
  key = await keyOf(ada)
})
afterAll(() => world.end())

async function keyOf(caller: Caller): Promise<string> {
  const { headers } = caller
  const reply = await call(world.app, 'POST', '/api/api-keys/', { headers, body: { name: 'ci' } })
  return reply.json<{ key: string }>().key
}

const tokenOf = ({ headers }: Caller) => headers['authorization']?.slice('Bearer '.length) ?? ''
const cookieOf = (caller: Caller) => ({ cookie: `homing_session=${tokenOf(caller)}` })
const zones = (headers: Record<string, string>) =>
  call(world.app, 'GET', '/api/zones/available', { headers })
const write = (headers: Record<string, string>) =>
  call(world.app, 'POST', '/api/domains', { headers, body: { fqdn: 'x' } })

const guarded = Object.values(operations)
  .flatMap((slice) => Object.entries(slice as Readonly<Record<string, Operation>>))
  .filter(([, { access }]) => access !== 'public' && access !== 'update')
  .map(([id, { access, method, url }]) => ({
    id,
    access,
    method,
    url: url.replaceAll(/\{\w+\}/g, '1'),
  }))

// The route matrix tests all other refused callers, operation by operation.
describe('every operation that requires a caller', () => {
  test.each(guarded)('$id: 401 without credentials', async ({ method, url }) => {
    const reply = await call(world.app, method, url)
    expect(reply.status).toBe(401)
    expect(reply.headers['www-authenticate']).toBe('Bearer')
    expect(problemOf(reply)).toMatchObject({
      code: 'unauthenticated',
      detail: 'Authentication required',
    })
  })
})

describe('a session', () => {
  test('as Bearer, whatever the case of the word', async () => {
    for (const word of ['Bearer', 'bearer', 'BEARER']) {
      expect((await zones({ authorization: `${word} ${tokenOf(ada)}` })).status).toBe(200)
    }
  })

  test('as a cookie reads from anywhere, and writes only from our own pages', async () => {
    expect((await zones(cookieOf(ada))).status).toBe(200)
    for (const site of [
      { origin: 'http://localhost:8080' },
      { origin: 'http://127.0.0.1:9000', host: '127.0.0.1:9000' },
      { 'sec-fetch-site': 'same-origin' },
    ]) {
      expect((await write({ ...cookieOf(ada), ...site })).status).toBe(422)
    }
  })

  test('as a cookie requests rare and costly operations only from our own pages, or without a page', async () => {
    const ask = (site: string) =>
      call(world.app, 'GET', '/api/me/export', {
        headers: { ...cookieOf(ada), 'sec-fetch-site': site },
      })
    for (const site of ['cross-site', 'same-site']) {
      expect(problemOf(await ask(site)).code).toBe('cross-site')
    }
    for (const site of ['same-origin', 'none']) expect((await ask(site)).status).toBe(200)
  })

  test('as Bearer writes from anywhere', async () => {
    expect((await write({ ...ada.headers, origin: 'https://elsewhere.example' })).status).toBe(422)
  })

  test('the header takes precedence over the cookie', async () => {
    const headers = { ...cookieOf(ada), authorization: `Bearer ${'x'.repeat(43)}` }
    expect((await zones(headers)).status).toBe(401)
  })

  test.each([
    '',
    'Bearer',
    'Bearer ',
    'Bearer x',
    `Bearer ${'x'.repeat(43)}`,
    `Bearer ${'x'.repeat(5000)}`,
    'Bearer a b',
    'Basic YWRhOnBhc3N3b3Jk',
    'Digest username="ada"',
    'ak_x',
    'Bearer ak_',
    `Bearer ak_${'x'.repeat(36)}`,
    'Bearer ünïcode',
    `Bearer ' or 1=1 --`,
  ])('with the header %j: 401', async (authorization) => {
    const reply = await zones({ authorization })
    expect(reply.status).toBe(401)
    expect(problemOf(reply).code).toBe('unauthenticated')
  })

  test('with two headers: 401', async () => {
    await world.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = world.app.server.address() as AddressInfo
    const reply = await new Promise<string>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1')
      const header = `Authorization: Bearer ${tokenOf(ada)}\r\n`
      socket.end(
        `GET /api/zones/available HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${header}${header}\r\n`,
      )
      let text = ''
      socket.on('data', (octets) => (text += octets.toString()))
      socket.on('error', reject)
      socket.on('end', () => resolve(text))
    })
    expect(reply).toMatch(/^HTTP\/1\.1 401 /)
    expect(reply).toContain('more than one Authorization header')
  })
})

describe('an API key', () => {
  const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` })

  test('reads and writes domains', async () => {
    expect((await zones(bearer(key))).status).toBe(200)
    const reply = await call(world.app, 'POST', '/api/domains', {
      headers: bearer(key),
      body: { fqdn: 'by-key.homing.test' },
    })
    expect(reply.status).toBe(201)
  })

  test('is refused as soon as the plan has no keys', async () => {
    const caller = await world.person('shrinking')
    const secret = await keyOf(caller)
    expect((await zones(bearer(secret))).status).toBe(200)
    await query(world.knex, `update users set account_type = 'free' where id = ?`, [caller.id])
    expect(problemOf(await zones(bearer(secret))).code).toBe('plan-required')
    await query(world.knex, `update users set enabled = false where id = ?`, [caller.id])
    expect(problemOf(await zones(bearer(secret))).code).toBe('account-disabled')
  })
})
