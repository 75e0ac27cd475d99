/** The options for a browser to create a passkey, and the results that are refused. */
import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Oddity } from '../../../test/support/authenticator.ts'
import { problemOf } from '../../../test/support/calls.ts'
import { usePasskeyPeople } from '../../../test/support/passkey-world.ts'
import { expire } from '../../jobs/expire.ts'
import { query } from '../../database/sql.ts'
import type { SessionPrincipal } from '../../caller/principal.ts'
import { startPasskey } from './add-passkey.ts'
import { makeChallenge } from './challenges.ts'

const t = usePasskeyPeople()
const faultOf = (reply: Parameters<typeof problemOf>[0]) => problemOf(reply).errors?.[0]?.field

describe('the options for a browser', () => {
  test('name this service as configured, whatever the Host header is', async () => {
    const headers = { ...t.ada.headers, host: 'evil.test', 'x-forwarded-host': 'evil.test' }
    const creation = await t.pages.creation({ headers })
    expect(creation).toMatchObject({
      rp: { id: 'localhost', name: 'Homing' },
      user: { name: t.ada.username, displayName: t.ada.username },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
      excludeCredentials: [],
      timeout: 300_000,
    })
    expect(creation.pubKeyCredParams.map(({ alg }) => alg)).toEqual([-8, -7, -257])
  })

  test('have a different challenge of 256 bits each time, stored as a digest', async () => {
    const challenges = [await t.pages.creation(t.ada), await t.pages.creation(t.ada)].map(
      ({ challenge }) => challenge,
    )
    expect(new Set(challenges).size).toBe(2)
    expect(challenges.map((text) => Buffer.from(text, 'base64url').length)).toEqual([32, 32])
    const [kept] = await query<{ digest: Buffer }>(
      t.world.knex,
      `select digest from passkey_challenges order by expires_at desc limit 1`,
    )
    expect(challenges).not.toContain(kept?.digest.toString('base64url'))
  })

  test('have a random, permanent id of the account', async () => {
    const [first, second] = [await t.pages.creation(t.ada), await t.pages.creation(t.ada)]
    const others = await t.pages.creation(t.bob)
    expect(first.user.id).toBe(second.user.id)
    expect(Buffer.from(first.user.id, 'base64url')).toHaveLength(32)
    expect(others.user.id).not.toBe(first.user.id)
  })

  test('are replaced by a reason where browsers would create none', async () => {
    const publicUrl = new URL('http://192.0.2.1')
    const services = { ...t.world.services, config: { ...t.world.services.config, publicUrl } }
    const asking = startPasskey(services, {
      kind: 'session',
      sessionId: '1',
    } as unknown as SessionPrincipal)
    await expect(asking).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('Passkeys require a host name'),
    })
  })

  test('list the passkeys of the account, so that none is created twice', async () => {
    const { authenticator } = await t.pages.added(t.ada)
    expect((await t.pages.creation(t.ada)).excludeCredentials).toEqual([
      { id: authenticator.id, type: 'public-key', transports: ['usb'] },
    ])
    expect((await t.pages.creation(t.bob)).excludeCredentials).toEqual([])
  })
})

describe('refusals', () => {
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
    const reply = await t.pages.add(t.ada, t.pages.authenticator(), odd)
    expect([reply.status, faultOf(reply)]).toEqual([422, 'credential'])
    expect(await t.pages.list(t.ada)).toEqual([])
  })

  test('a challenge a second time, after a right or a wrong response', async () => {
    const creation = await t.pages.creation(t.ada)
    const add = (odd = {}) =>
      t.pages.post(
        '/api/me/passkeys',
        { name: 'key', credential: t.pages.authenticator().create(creation, odd) },
        t.ada,
      )
    expect((await add({ origin: 'https://evil.test' })).status).toBe(422)
    expect(faultOf(await add())).toBe('credential')
    expect(await t.pages.list(t.ada)).toEqual([])
  })

  test('ten concurrent calls with one response, except one', async () => {
    const credential = t.pages.authenticator().create(await t.pages.creation(t.ada))
    const sent = Array.from({ length: 10 }, () =>
      t.pages.post('/api/me/passkeys', { name: 'key', credential }, t.ada),
    )
    const statuses = (await Promise.all(sent)).map(({ status }) => status)
    expect(statuses.toSorted((a, b) => a - b)).toEqual([
      201,
      ...Array.from({ length: 9 }, () => 422),
    ])
    expect(await t.pages.list(t.ada)).toHaveLength(1)
  })

  test('a challenge of an earlier page, of another session, and of another account', async () => {
    const first = await t.pages.creation(t.ada)
    const second = await t.pages.creation(t.ada)
    const elsewhere = { headers: await t.world.signIn(t.ada.id) }
    const attempts = [
      [first, t.ada],
      [second, elsewhere],
      [second, t.bob],
    ] as const
    for (const [creation, person] of attempts) {
      const credential = t.pages.authenticator().create(creation)
      const reply = await t.pages.post('/api/me/passkeys', { name: 'key', credential }, person)
      expect(faultOf(reply)).toBe('credential')
    }
    const credential = t.pages.authenticator().create(second)
    expect(
      (await t.pages.post('/api/me/passkeys', { name: 'key', credential }, t.ada)).status,
    ).toBe(201)
  })

  test('a challenge for signing in', async () => {
    const creation = await t.pages.creation(t.ada)
    const { challenge } = await t.pages.request()
    const credential = t.pages.authenticator().create({ ...creation, challenge })
    const reply = await t.pages.post('/api/me/passkeys', { name: 'key', credential }, t.ada)
    expect(faultOf(reply)).toBe('credential')
  })

  test('a session that ends during the call', async () => {
    const session = { purpose: 'register', sessionId: '999999999' } as const
    await expect(makeChallenge(t.world.services, session)).rejects.toMatchObject({
      code: 'unauthenticated',
    })
  })

  test('a challenge after five minutes, and the worker removes it', async () => {
    const creation = await t.pages.creation(t.ada)
    t.clock = new Date(t.clock.getTime() + 300_000)
    const credential = t.pages.authenticator().create(creation)
    const reply = await t.pages.post('/api/me/passkeys', { name: 'key', credential }, t.ada)
    expect(faultOf(reply)).toBe('credential')
    expect((await expire(t.world.knex, t.clock))['passkey_challenges']).toBeGreaterThan(0)
    expect(await query(t.world.knex, 'select 1 from passkey_challenges')).toEqual([])
  })

  test('a passkey that another account has', async () => {
    const authenticator = t.pages.authenticator()
    await t.pages.add(t.ada, authenticator)
    for (const person of [t.ada, t.bob]) {
      expect(problemOf(await t.pages.add(person, authenticator)).code).toBe('conflict')
    }
    expect(await t.pages.list(t.bob)).toEqual([])
  })

  test.each(['', '   ', 'x'.repeat(51), 'a\tb'])('the name %j', async (name) => {
    expect(faultOf(await t.pages.add(t.ada, t.pages.authenticator(), { name }))).toBe('name')
    const { passkey } = await t.pages.added(t.ada)
    expect(faultOf(await t.rename(passkey.id, { name }, t.ada))).toBe('name')
  })

  test('more than twenty', async () => {
    const creation = await t.pages.creation(t.ada)
    await fill(20)
    const credential = t.pages.authenticator().create(creation)
    const limit = {
      status: 403,
      code: 'passkey-limit',
      detail: 'An account can have at most 20 passkeys. Remove one first.',
    }
    const added = await t.pages.post('/api/me/passkeys', { name: 'key', credential }, t.ada)
    expect(problemOf(added)).toMatchObject(limit)
    expect(problemOf(await t.pages.start(t.ada))).toMatchObject(limit)
    expect(await t.pages.list(t.ada)).toHaveLength(20)
  })

  test('more than twenty by many concurrent sessions', async () => {
    await fill(19)
    const sessions = await Promise.all([1, 2, 3, 4].map(() => t.world.signIn(t.ada.id)))
    const answers = await Promise.all(
      sessions.map(async (headers) => {
        const credential = t.pages.authenticator().create(await t.pages.creation({ headers }))
        return () => t.pages.post('/api/me/passkeys', { name: 'key', credential }, { headers })
      }),
    )
    const replies = await Promise.all(answers.map((answer) => answer()))
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
    const rows = await query(t.world.knex, 'select 1 from passkeys where user_id = ?', [t.ada.id])
    expect(rows).toHaveLength(20)
  })

  async function fill(count: number): Promise<void> {
    await query(
      t.world.knex,
      `insert into passkeys (user_id, name, credential_id, public_key, sign_count, transports,
                             is_synced, is_backed_up, created_at)
       select ?, 'key', uuid_send(gen_random_uuid()), '\\xa0', 0, '{}', false, false, now()
       from generate_series(1, ?)`,
      [t.ada.id, count],
    )
  }

  test.each([
    ['nothing', undefined, 422],
    ['no credential', { name: 'key' }, 422],
    ['a credential that is a text', { name: 'key', credential: 'x' }, 422],
    ['an empty one', { name: 'key', credential: {} }, 422],
    [
      'one that is not base64url',
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
    expect((await t.pages.post('/api/me/passkeys', body, t.ada)).status).toBe(status)
  })
})
