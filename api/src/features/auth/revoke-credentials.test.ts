/** Setting another password: the credentials that keep working, and revoking them in the same step. */
import type { CreatedApiKey, CreatedUpdateToken, LoginAnswer, PasswordSet } from '@homing/openapi'
import { beforeEach, describe, expect, test } from 'vitest'
import { type Caller, PASSWORD } from '../../../test/support/api-world.ts'
import type { Authenticator } from '../../../test/support/authenticator.ts'
import { bearer, call, problemOf } from '../../../test/support/calls.ts'
import { insertDomain } from '../../../test/support/feed-world.ts'
import { untilSomebodyWaits } from '../../../test/support/lock-waits.ts'
import { KeepingMailer, linkTokenOf, runJobs } from '../../../test/support/mail.ts'
import { PasskeyPages } from '../../../test/support/passkeys.ts'
import { addApp, codeAt, secondStep } from '../../../test/support/second-factor.ts'
import { useTrustWorld } from '../../../test/support/trust-world.ts'
import { countWorkingCredentials } from '../../credentials/working-credentials.ts'
import { query } from '../../database/sql.ts'

const NEXT = 'another good password'
const ALL = { api_keys: 1, update_tokens: 1, trust_policies: 1, passkeys: 1 }
const NONE = { api_keys: 0, update_tokens: 0, trust_policies: 0, passkeys: 0 }
const t = useTrustWorld()
const mailer = new KeepingMailer()

/** A person with one credential of each kind. */
interface Credentials {
  readonly key: string
  /** The credentials of a pipeline. */
  readonly exchanged: string
  readonly updateToken: string
  readonly passkey: Authenticator
  readonly recoveryCodes: readonly string[]
  readonly fqdn: string
}

const post = (url: string, body?: unknown, headers?: Caller['headers']) =>
  call(t.world.app, 'POST', url, { headers, body })
const pages = () => new PasskeyPages(t.world)

async function credentialsOf(who: Caller): Promise<Credentials> {
  const fqdn = `home-of-${who.username}.homing.test`
  const { id } = await insertDomain(t.world.knex, { userId: who.id, fqdn, ipv4: '192.0.2.1' })
  const policy = await t.make({ repository: 'ada/home' }, who)
  const exchanged = await t.exchange(policy.json<{ id: string }>().id)
  const made = await post('/api/api-keys/', { name: 'ci' }, who.headers)
  const token = await post(`/api/domains/${id}/update-token`, {}, who.headers)
  const { authenticator, passkey } = await pages().added(who)
  return {
    key: made.json<CreatedApiKey>().key,
    exchanged: exchanged.json<{ key: string }>().key,
    updateToken: token.json<CreatedUpdateToken>().token,
    passkey: authenticator,
    recoveryCodes: passkey.recovery_codes ?? [],
    fqdn,
  }
}

/** The credentials that work. */
async function workingOf(credentials: Credentials): Promise<string[]> {
  const { key, exchanged, updateToken, passkey, fqdn } = credentials
  const byKey = async (token: string) =>
    (await call(t.world.app, 'GET', '/api/domains', { headers: bearer(token) })).status === 200
  const update = await call(t.world.app, 'GET', `/u/${updateToken}?hostname=${fqdn}&myip=192.0.2.1`)
  const works = {
    key: await byKey(key),
    exchanged: await byKey(exchanged),
    updateToken: /^(good|nochg|OK)/.test(update.text),
    passkey: (await pages().signIn(passkey)).status === 200,
  }
  return Object.entries(works).flatMap(([name, isWorking]) => (isWorking ? [name] : []))
}

const EVERYTHING = ['key', 'exchanged', 'updateToken', 'passkey']

let ada: Credentials
let bob: Credentials
beforeEach(async () => {
  ada = await credentialsOf(t.ada)
  bob = await credentialsOf(t.bob)
  await runJobs(t.world.services, mailer)
  mailer.sent.length = 0
})

/** The token of a link that sets Ada's password. */
async function resetToken(): Promise<string> {
  await post('/api/forgot-password', { email: `${t.ada.username}@mail.test` })
  await runJobs(t.world.services, mailer)
  return linkTokenOf(mailer.sent.at(-1))
}
const reset = async (fields: object = {}) =>
  post('/api/reset-password', { token: await resetToken(), new_password: NEXT, ...fields })
const change = (fields: object = {}) =>
  post(
    '/api/change-password',
    { current_password: PASSWORD, new_password: NEXT, ...fields },
    t.ada.headers,
  )

/** The newest mail, on one line. */
async function told(): Promise<string> {
  await runJobs(t.world.services, mailer)
  const mail = mailer.sent.at(-1)
  expect(mail?.subject).toBe('Homing: Your password was changed')
  return (mail?.text ?? '').replaceAll(/\s+/g, ' ')
}

const passwordStep = async () => {
  const body = { username_or_email: t.ada.username, password: NEXT }
  return (await post('/api/login', body)).json<LoginAnswer & { login_token: string }>()
}

describe('a password reset', () => {
  test('keeps other credentials, and counts them before, after and in the mail', async () => {
    const token = await resetToken()
    const before = await call(t.world.app, 'GET', `/api/verify-reset-token/${token}`)
    expect(before.json()).toEqual({ username: t.ada.username, working_credentials: ALL })
    const reply = await post('/api/reset-password', { token, new_password: NEXT })
    expect(reply.json<PasswordSet>().working_credentials).toEqual(ALL)
    expect(await workingOf(ada)).toEqual(EVERYTHING)
    const text = await told()
    expect(text).toContain(
      'These credentials still work: 1 API key, 1 update token, 1 trusted pipeline, and 1 passkey.',
    )
    expect(text).toContain('set a new password and choose to revoke them')
  })

  test('revokes all of them on request, only of this account', async () => {
    expect(await workingOf(ada)).toEqual(EVERYTHING)
    const reply = await reset({ revoke_credentials: true })
    expect(reply.json<PasswordSet>().working_credentials).toEqual(NONE)
    expect(await workingOf(ada)).toEqual([])
    expect(await workingOf(bob)).toEqual(EVERYTHING)
    const text = await told()
    expect(text).toContain(
      'no longer work: 1 API key, 1 update token, 1 trusted pipeline, and 1 passkey.',
    )
    expect(text).not.toContain('still work:')
    expect(text).toContain('Signing in still requires a second factor')
  })

  test('does not remove the second factor with the last passkey: a recovery code is required', async () => {
    await reset({ revoke_credentials: true })
    const { login_token, ...step } = await passwordStep()
    expect(step).toMatchObject({ requires_second_factor: true, methods: ['recovery_code'] })
    const [recovery_code] = ada.recoveryCodes
    const done = await secondStep(t.world, { login_token, recovery_code })
    expect(done.status).toBe(200)
    // Until another factor is added.
    const headers = bearer(done.json<{ token: string }>().token)
    const owner = { ...t.ada, headers }
    const factors = async () =>
      (await call(t.world.app, 'GET', '/api/me/second-factors', { headers })).json()
    expect(await factors()).toMatchObject({ is_on: true, methods: ['recovery_code'], passkeys: 0 })
    const { secret } = await addApp(t.world, owner, t.clock)
    expect(await factors()).toMatchObject({ is_on: true, methods: ['totp', 'recovery_code'] })
    const again = await passwordStep()
    const code = codeAt(secret, t.clock)
    expect((await secondStep(t.world, { login_token: again.login_token, code })).status).toBe(200)
    expect((await call(t.world.app, 'DELETE', '/api/me/totp', { headers })).status).toBe(204)
    expect(await factors()).toMatchObject({ is_on: false, methods: [] })
  })

  test('if no recovery code is left, nobody can sign in until an administrator resets the factor', async () => {
    await query(t.world.knex, 'delete from recovery_codes where user_id = ?', [t.ada.id])
    await reset({ revoke_credentials: true })
    expect(await passwordStep()).toMatchObject({ requires_second_factor: true, methods: [] })
    const admin = await t.world.person(`admin${t.people}`, 'admin')
    const url = `/api/admin/users/${t.ada.id}/second-factors`
    expect((await call(t.world.app, 'DELETE', url, { headers: admin.headers })).status).toBe(204)
    expect(await passwordStep()).toHaveProperty('token')
  })

  test.each([undefined, false])('revokes nothing with revoke_credentials %s', async (wish) => {
    await reset({ revoke_credentials: wish })
    expect(await workingOf(ada)).toEqual(EVERYTHING)
  })

  test('changes nothing when it is refused', async () => {
    const wrong = { token: 'x'.repeat(43), revoke_credentials: true }
    expect(problemOf(await reset(wrong)).code).toBe('link-invalid')
    expect(problemOf(await reset({ revoke_credentials: 'yes' })).errors).toEqual([
      expect.objectContaining({ field: 'revoke_credentials' }),
    ])
    expect(await workingOf(ada)).toEqual(EVERYTHING)
  })
})

describe('changing the password', () => {
  test('counts other credentials, and keeps them', async () => {
    expect((await change()).json<PasswordSet>().working_credentials).toEqual(ALL)
    expect(await workingOf(ada)).toEqual(EVERYTHING)
    expect(await told()).toContain('These credentials still work: 1 API key,')
  })

  test('revokes all of them on request, with the second factor; the session stays', async () => {
    const reply = await change({ revoke_credentials: true })
    expect(reply.json<PasswordSet>().working_credentials).toEqual(NONE)
    expect(await workingOf(ada)).toEqual([])
    expect(await workingOf(bob)).toEqual(EVERYTHING)
    expect((await call(t.world.app, 'GET', '/api/me', { headers: t.ada.headers })).status).toBe(200)
    expect(await told()).toContain('From now on, signing in requires only your password.')
    expect(await passwordStep()).toHaveProperty('token')
  })

  test('revokes nothing with a wrong current password', async () => {
    const wrong = await change({ current_password: 'wrong', revoke_credentials: true })
    expect(wrong.status).toBe(422)
    expect(await workingOf(ada)).toEqual(EVERYTHING)
  })
})

test('all kinds are counted in one statement, so that the numbers belong together', async () => {
  const { knex } = t.world
  const statements: string[] = []
  const note = ({ sql }: { readonly sql: string }) => {
    if (/from "(?:api_keys|update_tokens|trust_policies|passkeys)"/.test(sql)) statements.push(sql)
  }
  knex.on('query', note)
  expect(await countWorkingCredentials(knex, t.ada.id, t.clock)).toEqual(ALL)
  knex.off('query', note)
  expect(statements).toHaveLength(1)
})

test('expired keys are not counted; a rotated key counts as one', async () => {
  const made = await post('/api/api-keys/', { name: 'short' }, t.ada.headers)
  const { id } = made.json<CreatedApiKey>()
  await post(`/api/api-keys/${id}/rotate`, {}, t.ada.headers)
  const counted = async () => {
    const url = `/api/verify-reset-token/${await resetToken()}`
    const subject = (await call(t.world.app, 'GET', url)).json<PasswordSet>()
    return subject.working_credentials.api_keys
  }
  expect(await counted()).toBe(2)
  await query(t.world.knex, 'update api_keys set expires_at = ? where id = ?', [t.clock, id])
  expect(await counted()).toBe(1)
})

describe('a call that waits during the revocation creates no credential', () => {
  test.each([
    ['API key', () => post('/api/api-keys/', { name: 'late' }, t.ada.headers)],
    ['trust policy', () => t.make({ repository: 'late/late' })],
    [
      'update token',
      async () => {
        const [domain] = await query<{ id: string }>(
          t.world.knex,
          'select id from domains where user_id = ?',
          [t.ada.id],
        )
        return post(`/api/domains/${domain?.id}/update-token`, { replace: true }, t.ada.headers)
      },
    ],
    [
      'secret of an API key',
      async () => {
        const [key] = await query<{ id: string }>(
          t.world.knex,
          'select id from api_keys where user_id = ? and policy_id is null',
          [t.ada.id],
        )
        return post(`/api/api-keys/${key?.id}/rotate`, {}, t.ada.headers)
      },
    ],
    ['recovery code', () => post('/api/me/recovery-codes', {}, t.ada.headers)],
    ['passkey', () => pages().add(t.ada, pages().authenticator())],
  ])('%s', async (_what, create) => {
    // Like a reset: the account is locked, and its sessions end.
    const other = await t.world.feed.connectAgain().transaction()
    await query(other, 'select 1 from users where id = ? for no key update', [t.ada.id])
    const creating = create()
    await untilSomebodyWaits(t.world.knex)
    await query(other, 'delete from sessions where user_id = ?', [t.ada.id])
    for (const table of ['api_keys', 'trust_policies', 'passkeys']) {
      await query(other, `delete from ${table} where user_id = ?`, [t.ada.id])
    }
    await other.commit()
    expect(problemOf(await creating).code).toBe('unauthenticated')
    expect(await workingOf(ada)).toEqual(['updateToken'])
    const left = await query(
      t.world.knex,
      `select 1 from api_keys where user_id = ? union all select 1 from trust_policies where user_id = ?
       union all select 1 from passkeys where user_id = ?`,
      [t.ada.id, t.ada.id, t.ada.id],
    )
    expect(left).toEqual([])
  })
})
