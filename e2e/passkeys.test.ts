/**
 * Passkeys in a real browser with the whole service: Chromium runs the ceremony on a page at `PUBLIC_URL`, with a virtual
 * authenticator.
 */
import type { AddedPasskey, LoginAnswer, Me, Passkey, Problem } from '@homing/openapi'
import { beforeAll, describe, expect, test } from 'vitest'
import { needs } from '../test/outside-tool.ts'
import { type Account, registerAccount } from './support/accounts.ts'
import type { WatchedPage } from './support/browser.ts'
import { useSharedDashboard } from './support/dashboard.ts'
import { messagesTo } from './support/mailbox.ts'
import {
  type AuthenticatorKind,
  PasskeyPage,
  PHONE_KEY,
  TOUCHED_KEY,
  withoutAutofill,
} from './support/passkey-page.ts'
import { eventually } from './support/stack.ts'

/** The response to a correct password when a passkey is the second step. */
const SECOND_STEP = { requires_second_factor: true, methods: ['passkey', 'recovery_code'] }

describe('passkeys', needs('chromium'), () => {
  const world = useSharedDashboard()
  let pia: Account
  let eve: Account
  beforeAll(async () => {
    pia = await registerAccount(world().stack, 'pia')
    eve = await registerAccount(world().stack, 'eve')
  })

  /** A page at `PUBLIC_URL`, whose host name passkeys belong to, or at another host name of the service. */
  async function open(
    kind: AuthenticatorKind,
    host = 'localhost',
  ): Promise<WatchedPage & { readonly at: PasskeyPage }> {
    const baseURL = world().stack.url.replace('127.0.0.1', host)
    const watched = await world().open({ baseURL, isFresh: true })
    await withoutAutofill(watched.page)
    await watched.page.goto('/login')
    return { ...watched, at: await PasskeyPage.of(watched.page, kind) }
  }

  const logIn = async (at: PasskeyPage, { username, password }: Account) =>
    (await at.call<LoginAnswer>('POST', '/api/login', { username_or_email: username, password }))
      .body
  const logOut = (at: PasskeyPage) => at.call('POST', '/api/logout')
  const whoIs = async (at: PasskeyPage) => (await at.call<Me>('GET', '/api/me')).body.username

  async function secondStep(at: PasskeyPage, account: Account): Promise<number> {
    const answer = await logIn(at, account)
    expect(answer).toMatchObject(SECOND_STEP)
    if (!('login_token' in answer)) throw new Error('a second step follows')
    return (await at.show('/api/login/passkey', { login_token: answer.login_token })).status
  }

  test('a passkey is added, is the second step, signs in alone, confirms the identity, and is removed', async () => {
    const watched = await open(PHONE_KEY)
    const { at } = watched
    await logIn(at, pia)
    const added = await at.add<AddedPasskey>('phone')
    expect(added.status).toBe(201)
    expect(added.body).toMatchObject({
      name: 'phone',
      transports: ['internal'],
      last_used_at: null,
    })
    expect(added.body.recovery_codes).toHaveLength(10)
    expect(await at.held()).toMatchObject([{ rpId: 'localhost', isResidentCredential: true }])
    // The browser recognises the passkey and does not create a second one.
    await expect(at.add('phone again')).rejects.toThrow('InvalidStateError')

    await logOut(at)
    expect(await secondStep(at, pia)).toBe(200)
    expect(await whoIs(at)).toBe('pia')
    await logOut(at)
    expect((await at.show('/api/login/passkey', {})).status).toBe(200)
    expect(await whoIs(at)).toBe('pia')
    const confirmed = await at.show('/api/me/confirm/passkey')
    expect(confirmed).toMatchObject({ status: 200, body: { token: 'session' } })

    const [passkey] = (await at.call<Passkey[]>('GET', '/api/me/passkeys')).body
    expect(passkey?.last_used_at).not.toBeNull()
    expect((await at.call('DELETE', `/api/me/passkeys/${passkey?.id}`)).status).toBe(204)
    await logOut(at)
    watched.expectStatus('/api/login/passkey', 401)
    const refused = await at.show<Problem>('/api/login/passkey', {})
    expect(refused.body.code).toBe('wrong-credentials')
    expect(await logIn(at, pia)).toMatchObject({ token: 'session' })
    const told = await eventually(
      async () =>
        (await messagesTo(world().stack.dataDir, 'pia@mail.example')).map((m) => m.subject),
      (subjects) => subjects.some((subject) => subject?.includes('passkey was removed')),
    )
    expect(told).toContainEqual(expect.stringContaining('passkey was added'))
    await watched.close()
  })

  test('a key without user verification is a second step, but not enough alone; a copy of it is refused', async () => {
    const watched = await open(TOUCHED_KEY)
    const { at } = watched
    await logIn(at, eve)
    expect((await at.add('key')).status).toBe(201)
    const before = await at.held()
    await logOut(at)
    expect(await secondStep(at, eve)).toBe(200)
    await logOut(at)
    await expect(at.show('/api/login/passkey', {})).rejects.toThrow('NotAllowedError')

    await at.putBack(before)
    watched.expectStatus('/api/login/passkey', 401)
    expect(await secondStep(at, eve)).toBe(401)
    await watched.close()
  })

  test('a page at another host name of the service gets no signature', async () => {
    const carol = await registerAccount(world().stack, 'carol')
    const watched = await open(PHONE_KEY, '127.0.0.1')
    const { at } = watched
    await logIn(at, carol)
    await expect(at.add('phone')).rejects.toThrow('SecurityError')
    expect(await at.held()).toEqual([])
    await watched.close()
  })
})
