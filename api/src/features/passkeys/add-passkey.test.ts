/** What a browser is given to make a passkey, and what is refused of what it gives. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ApiWorld, type Caller, openApiWorld } from '../../../test/support/api-world.ts'
import type { Oddity } from '../../../test/support/authenticator.ts'
import { call, problemOf } from '../../../test/support/calls.ts'
import { PasskeyPages } from '../../../test/support/passkeys.ts'
import { expire } from '../../jobs/expire.ts'
import { query } from '../../sql.ts'
import type { SessionPrincipal } from '../../principal.ts'
import { startPasskey } from './add-passkey.ts'
import { makeChallenge } from './challenges.ts'

let world: ApiWorld
let pages: PasskeyPages
let clock = new Date()
let ada: Caller
let bob: Caller
let people = 0

beforeAll(async () => {
  world = await openApiWorld({ productName: 'Homing' }, { now: () => clock })
  pages = new PasskeyPages(world)
})
afterAll(() => world.end())
beforeEach(async () => {
  people += 1
  clock = new Date()
  ada = await world.person(`ada${people}`, 'free')
  bob = await world.person(`bob${people}`, 'free')
})

const rename = (id: string, body: unknown, { headers }: Pick<Caller, 'headers'>) =>
  call(world.app, 'PUT', `/api/me/passkeys/${id}`, { headers, body })
const faultOf = (reply: Parameters<typeof problemOf>[0]) => problemOf(reply).errors?.[0]?.field

describe('what a browser is given', () => {
  test('names this service as configured, whatever the request says of its host', async () => {
    const headers = { ...ada.headers, host: 'evil.test', 'x-forwarded-host': 'evil.test' }
    const creation = await pages.creation({ headers })
    expect(creation).toMatchObject({
      rp: { id: 'localhost', name: 'Homing' },
      user: { name: ada.username, displayName: ada.username },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
      excludeCredentials: [],
      timeout: 300_000,
    })
    expect(creation.pubKeyCredParams.map(({ alg }) => alg)).toEqual([-8, -7, -257])
  })

  test('a challenge of 256 bits, another each time, which is not kept as it is', async () => {
    const challenges = [await pages.creation(ada), await pages.creation(ada)].map(
      ({ challenge }) => challenge,
    )
    expect(new Set(challenges).size).toBe(2)
    expect(challenges.map((text) => Buffer.from(text, 'base64url').length)).toEqual([32, 32])
    const [kept] = await query<{ digest: Buffer }>(
      world.knex,
      `select digest from passkey_challenges order by expires_at desc limit 1`,
    )
    expect(challenges).not.toContain(kept?.digest.toString('base64url'))
  })

  test('a name of the account that is random, and stays', async () => {
    const [first, second] = [await pages.creation(ada), await pages.creation(ada)]
    const others = await pages.creation(bob)
    expect(first.user.id).toBe(second.user.id)
    expect(Buffer.from(first.user.id, 'base64url')).toHaveLength(32)
    expect(others.user.id).not.toBe(first.user.id)
  })

  test('nothing where browsers would make none, but the reason', async () => {
    const publicUrl = new URL('http://192.0.2.1')
    const services = { ...world.services, config: { ...world.services.config, publicUrl } }
    const asking = startPasskey(services, {
      kind: 'session',
      sessionId: '1',
    } as unknown as SessionPrincipal)
    await expect(asking).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('Passkeys need a name'),
    })
  })

  test('the passkeys that the account has, so that none is made twice', async () => {
    const { authenticator } = await pages.added(ada)
    expect((await pages.creation(ada)).excludeCredentials).toEqual([
      { id: authenticator.id, type: 'public-key', transports: ['usb'] },
    ])
    expect((await pages.creation(bob)).excludeCredentials).toEqual([])
  })
})

describe('what is refused', () => {
  test.each([
    ['of a page elsewhere', { origin: 'https://evil.test' }],
    ['of the same host at another port', { origin: 'http://localhost:1' }],
    ['that names another service', { rpId: 'evil.test' }],
    ['of another ceremony', { type: 'webauthn.get' }],
    ['in a frame of another site', { crossOrigin: true }],
    ['that nobody touched', { isPresent: false }],
    ['with a challenge that nobody made', { challenge: randomBytes(32).toString('base64url') }],
    ['with a challenge of no form', { challenge: 'x\0' }],
    ['that somebody vouches for', { attestation: ['packed', new Map([['x5c', []]])] }],
  ] as [string, Oddity][])('a passkey %s', async (_, odd) => {
    const reply = await pages.add(ada, pages.authenticator(), odd)
    expect([reply.status, faultOf(reply)]).toEqual([422, 'credential'])
    expect(await pages.list(ada)).toEqual([])
  })

  test('a challenge a second time, whether it was answered rightly or not', async () => {
    const creation = await pages.creation(ada)
    const add = (odd = {}) =>
      pages.post(
        '/api/me/passkeys',
        { name: 'key', credential: pages.authenticator().create(creation, odd) },
        ada,
      )
    expect((await add({ origin: 'https://evil.test' })).status).toBe(422)
    expect(faultOf(await add())).toBe('credential')
    expect(await pages.list(ada)).toEqual([])
  })

  test('one answer, sent ten times at once, but for one', async () => {
    const credential = pages.authenticator().create(await pages.creation(ada))
    const sent = Array.from({ length: 10 }, () =>
      pages.post('/api/me/passkeys', { name: 'key', credential }, ada),
    )
    const statuses = (await Promise.all(sent)).map(({ status }) => status)
    expect(statuses.toSorted((a, b) => a - b)).toEqual([
      201,
      ...Array.from({ length: 9 }, () => 422),
    ])
    expect(await pages.list(ada)).toHaveLength(1)
  })

  test('a challenge of an earlier page, of another session, and of somebody else', async () => {
    const first = await pages.creation(ada)
    const second = await pages.creation(ada)
    const elsewhere = { headers: await world.signIn(ada.id) }
    const attempts = [
      [first, ada],
      [second, elsewhere],
      [second, bob],
    ] as const
    for (const [creation, person] of attempts) {
      const credential = pages.authenticator().create(creation)
      const reply = await pages.post('/api/me/passkeys', { name: 'key', credential }, person)
      expect(faultOf(reply)).toBe('credential')
    }
    const credential = pages.authenticator().create(second)
    expect((await pages.post('/api/me/passkeys', { name: 'key', credential }, ada)).status).toBe(
      201,
    )
  })

  test('a challenge that was made to sign in by', async () => {
    const creation = await pages.creation(ada)
    const { challenge } = await pages.request()
    const credential = pages.authenticator().create({ ...creation, challenge })
    const reply = await pages.post('/api/me/passkeys', { name: 'key', credential }, ada)
    expect(faultOf(reply)).toBe('credential')
  })

  test('a session that ends while it asks', async () => {
    const session = { purpose: 'register', sessionId: '999999999' } as const
    await expect(makeChallenge(world.services, session)).rejects.toMatchObject({
      code: 'unauthenticated',
    })
  })

  test('a challenge after five minutes, and the worker removes it', async () => {
    const creation = await pages.creation(ada)
    clock = new Date(clock.getTime() + 300_000)
    const credential = pages.authenticator().create(creation)
    const reply = await pages.post('/api/me/passkeys', { name: 'key', credential }, ada)
    expect(faultOf(reply)).toBe('credential')
    expect((await expire(world.knex, clock))['passkey_challenges']).toBeGreaterThan(0)
    expect(await query(world.knex, 'select 1 from passkey_challenges')).toEqual([])
  })

  test('a passkey that somebody has already', async () => {
    const authenticator = pages.authenticator()
    await pages.add(ada, authenticator)
    for (const person of [ada, bob]) {
      expect(problemOf(await pages.add(person, authenticator)).code).toBe('conflict')
    }
    expect(await pages.list(bob)).toEqual([])
  })

  test.each(['', '   ', 'x'.repeat(51), 'a\tb'])('the name %j', async (name) => {
    expect(faultOf(await pages.add(ada, pages.authenticator(), { name }))).toBe('name')
    const { passkey } = await pages.added(ada)
    expect(faultOf(await rename(passkey.id, { name }, ada))).toBe('name')
  })

  test('more than twenty', async () => {
    const creation = await pages.creation(ada)
    await fill(20)
    const credential = pages.authenticator().create(creation)
    const limit = {
      status: 403,
      code: 'passkey-limit',
      detail: 'An account holds 20 passkeys. Remove one first.',
    }
    const added = await pages.post('/api/me/passkeys', { name: 'key', credential }, ada)
    expect(problemOf(added)).toMatchObject(limit)
    expect(problemOf(await pages.start(ada))).toMatchObject(limit)
    expect(await pages.list(ada)).toHaveLength(20)
  })

  test('more than twenty of many sessions at once', async () => {
    await fill(19)
    const sessions = await Promise.all([1, 2, 3, 4].map(() => world.signIn(ada.id)))
    const answers = await Promise.all(
      sessions.map(async (headers) => {
        const credential = pages.authenticator().create(await pages.creation({ headers }))
        return () => pages.post('/api/me/passkeys', { name: 'key', credential }, { headers })
      }),
    )
    const replies = await Promise.all(answers.map((answer) => answer()))
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
    const rows = await query(world.knex, 'select 1 from passkeys where user_id = ?', [ada.id])
    expect(rows).toHaveLength(20)
  })

  async function fill(count: number): Promise<void> {
    await query(
      world.knex,
      `insert into passkeys (user_id, name, credential_id, public_key, sign_count, transports,
                             is_synced, is_backed_up, created_at)
       select ?, 'key', uuid_send(gen_random_uuid()), '\\xa0', 0, '{}', false, false, now()
       from generate_series(1, ?)`,
      [ada.id, count],
    )
  }

  test.each([
    ['nothing', undefined, 422],
    ['no credential', { name: 'key' }, 422],
    ['a credential that is a text', { name: 'key', credential: 'x' }, 422],
    ['an empty one', { name: 'key', credential: {} }, 422],
    [
      'one that is no base64url',
      {
        name: 'key',
        credential: {
          id: '+/=',
          rawId: '+/=',
          type: 'public-key',
          response: { clientDataJSON: '{}', attestationObject: '{}' },
        },
      },
      422,
    ],
  ])('%s', async (_, body, status) => {
    expect((await pages.post('/api/me/passkeys', body, ada)).status).toBe(status)
  })
})
