/** Administrators and second factors: removing them, and the operations that require a fresh proof. */
import type { AdminUser } from '@homing/openapi'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { beforeEach, describe, expect, test } from 'vitest'
import { type Caller } from '../../../test/support/api-world.ts'
import { call, problemOf } from '../../../test/support/calls.ts'
import { KeepingMailer, runJobs } from '../../../test/support/mail.ts'
import { useAdminWorld } from '../../../test/support/admin-world.ts'
import {
  addApp,
  type AppOwner,
  codeAt,
  loginTokenOf,
  passwordStep,
  secondStep,
} from '../../../test/support/second-factor.ts'
import { query } from '../../database/sql.ts'
import { resetSecondFactors } from './reset-second-factors.ts'

const t = useAdminWorld('pro')
let owner: AppOwner
beforeEach(async () => {
  owner = await addApp(t.world, t.ada)
})

const reset = (id: string, who = t.admin) =>
  call(t.world.app, 'DELETE', `/api/admin/users/${id}/second-factors`, { headers: who.headers })
const me = ({ headers }: Pick<Caller, 'headers'>) =>
  call(t.world.app, 'GET', '/api/me', { headers })
const user = async (id: string) =>
  (
    await call(t.world.app, 'GET', `/api/admin/users/${id}`, { headers: t.admin.headers })
  ).json<AdminUser>()

/** A session whose user last proved their identity long ago. */
async function staleSession(userId: string): Promise<Pick<Caller, 'headers'>> {
  const headers = await t.world.signIn(userId)
  await query(
    t.world.knex,
    `update sessions set confirmed_at = now() - interval '16 minutes' where id = (select max(id) from sessions)`,
  )
  return { headers }
}

describe('DELETE /api/admin/users/{id}/second-factors', () => {
  test('keeps the password, ends every session and notifies the owner', async () => {
    const mailer = new KeepingMailer()
    await runJobs(t.world.services, mailer)
    mailer.sent.length = 0
    const another = { headers: await t.world.signIn(t.ada.id) }
    expect((await reset(t.ada.id)).status).toBe(204)
    for (const session of [t.ada, another]) expect((await me(session)).status).toBe(401)
    expect(await passwordStep(t.world, t.ada.username)).toHaveProperty('token')
    await runJobs(t.world.services, mailer)
    expect(mailer.sent.map(({ to, subject }) => [to, subject])).toEqual([
      [`${t.ada.username}@mail.test`, 'Homing: Your second factors were removed'],
    ])
    for (const table of ['totp_secrets', 'recovery_codes', 'passkeys', 'login_tokens']) {
      const left = await query(t.world.knex, `select 1 from ${table} where user_id = ?`, [t.ada.id])
      expect(left).toEqual([])
    }
  })

  test('a pending sign-in ends, and no code of the app or on paper is accepted', async () => {
    const login_token = await loginTokenOf(t.world, t.ada.username)
    await reset(t.ada.id)
    const [recovery_code] = owner.recoveryCodes
    for (const fields of [{ code: codeAt(owner.secret, new Date()) }, { recovery_code }]) {
      const reply = await secondStep(t.world, { login_token, ...fields })
      expect(problemOf(reply).code).toBe('sign-in-expired')
    }
  })

  test('does nothing and ends no session for an account without one', async () => {
    const bob = await t.world.person(`bob${t.people}`)
    expect((await reset(bob.id)).status).toBe(204)
    expect((await me(bob)).status).toBe(200)
  })

  test('removes passkeys too', async () => {
    await query(
      t.world.knex,
      `insert into passkeys (user_id, name, credential_id, public_key, sign_count, transports,
                             is_synced, is_backed_up, created_at)
       values (?, 'key', uuid_send(gen_random_uuid()), '\\xa0', 0, '{usb}', false, false, now())`,
      [t.ada.id],
    )
    await reset(t.ada.id)
    expect(await passwordStep(t.world, t.ada.username)).toHaveProperty('token')
  })

  test('is logged, with the administrator and the account', async () => {
    let log = ''
    const stream = new Writable({
      write(line, _, done) {
        log += line
        done()
      },
    })
    const services = { ...t.world.services, log: pino(stream) }
    await resetSecondFactors(services, { id: t.admin.id }, t.ada.id)
    expect(JSON.parse(log)).toMatchObject({ administratorId: t.admin.id, userId: t.ada.id })
  })

  test('the caller’s own: 409; another administrator’s: removed', async () => {
    const colleague = await t.world.person(`colleague${t.people}`, 'admin')
    await addApp(t.world, colleague)
    expect(problemOf(await reset(colleague.id, colleague)).code).toBe('conflict')
    expect((await me(colleague)).status).toBe(200)
    expect((await reset(colleague.id)).status).toBe(204)
    expect((await me(colleague)).status).toBe(401)
  })

  test('requires an existing account', async () => {
    expect(problemOf(await reset('999999999')).code).toBe('not-found')
  })

  test('requires a fresh proof', async () => {
    const stale = await staleSession(t.admin.id)
    const reply = await call(
      t.world.app,
      'DELETE',
      `/api/admin/users/${t.ada.id}/second-factors`,
      stale,
    )
    expect(problemOf(reply)).toMatchObject({ status: 403, code: 'step-up-required' })
    expect((await user(t.ada.id)).twofa_secret).toBe('set')
  })
})

test('lists show that an account has one, and nothing else of it', async () => {
  expect((await user(t.ada.id)).twofa_secret).toBe('set')
  const listed = await t.list('users', { filter: { id: t.ada.id } })
  expect(listed.json<AdminUser[]>()[0]?.twofa_secret).toBe('set')
  expect(listed.text).not.toContain(owner.secret)
  expect((await user(t.admin.id)).twofa_secret).toBeNull()
})

test('granting or removing the administrator role requires a fresh proof; other changes do not', async () => {
  const { headers } = await staleSession(t.admin.id)
  const change = (id: string, body: object) =>
    call(t.world.app, 'PUT', `/api/admin/users/${id}`, { headers, body })
  const colleague = await t.world.person(`office${t.people}`, 'admin')
  for (const [id, account_type] of [
    [t.ada.id, 'admin'],
    [colleague.id, 'pro'],
  ] as const) {
    expect(problemOf(await change(id, { account_type })).code).toBe('step-up-required')
  }
  expect((await user(t.ada.id)).account_type).toBe('pro')
  expect((await change(t.ada.id, { account_type: 'elite', given_name: 'Ada' })).status).toBe(200)
})

test('every change to another administrator’s account requires it', async () => {
  const { headers } = await staleSession(t.admin.id)
  const colleague = await t.world.person(`peer${t.people}`, 'admin')
  const at = (id: string, method: 'PUT' | 'DELETE', path = '', body?: object) =>
    call(t.world.app, method, `/api/admin/users/${id}${path}`, { headers, body })
  for (const reply of [
    await at(colleague.id, 'PUT', '', { given_name: 'Another' }),
    await at(colleague.id, 'PUT', '', { enabled: false }),
    await at(colleague.id, 'DELETE', '/sessions'),
    await at(colleague.id, 'DELETE', '/second-factors'),
  ]) {
    expect(problemOf(reply)).toMatchObject({ status: 403, code: 'step-up-required' })
  }
  expect(await user(colleague.id)).toMatchObject({ given_name: null, enabled: true })
  expect((await me(colleague)).status).toBe(200)
  expect((await at(t.admin.id, 'PUT', '', { given_name: 'Own' })).status).toBe(200)
  expect((await at(t.ada.id, 'DELETE', '/sessions')).status).toBe(204)
})

test('so does another address, which can set a password; an unchanged address does not', async () => {
  const { headers } = await staleSession(t.admin.id)
  const change = (id: string, email: string) =>
    call(t.world.app, 'PUT', `/api/admin/users/${id}`, { headers, body: { email } })
  for (const id of [t.ada.id, t.admin.id]) {
    const before = (await user(id)).email
    expect(problemOf(await change(id, `thief${id}@example.net`)).code).toBe('step-up-required')
    expect((await user(id)).email).toBe(before)
    expect((await change(id, before)).status).toBe(200)
  }
})
