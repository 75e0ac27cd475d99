/** The passkeys of an account: adding, changing and removing them, and who may see them. */
import type { SignedIn } from '@homing/openapi'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { problemOf } from '../../../test/support/calls.ts'
import { runJobs } from '../../../test/support/mail.ts'
import { usePasskeyPeople } from '../../../test/support/passkey-world.ts'
import { query } from '../../database/sql.ts'

let log = ''
const write = (line: string) => void (log += line)
const t = usePasskeyPeople({ log: pino({ level: 'trace' }, { write }) })

describe('a passkey', () => {
  test('is added, listed, renamed and removed; its owner is notified', async () => {
    const aaguid = 'fbfc3007-154e-4ecc-8c0b-6e020557d7bd'
    const { passkey } = await t.pages.added(t.ada, { isSynced: true, aaguid })
    const { recovery_codes, ...known } = passkey
    expect(recovery_codes).toHaveLength(10)
    expect(known).toEqual({
      id: passkey.id,
      name: 'key',
      created_at: t.clock.toISOString(),
      last_used_at: null,
      transports: ['internal', 'hybrid'],
      is_synced: true,
      is_backed_up: true,
      authenticator: 'iCloud Keychain',
    })
    expect(await t.pages.list(t.ada)).toEqual([known])

    const renamed = await t.rename(passkey.id, { name: '  the blue one ' })
    expect(renamed.json()).toEqual({ ...known, name: 'the blue one' })
    expect((await t.remove(passkey.id)).status).toBe(204)
    expect(await t.pages.list(t.ada)).toEqual([])
    await runJobs(t.world.services, t.mailer)
    expect(t.mailer.sent.map(({ to, subject }) => [to, subject])).toEqual([
      [`${t.ada.username}@mail.test`, 'Homing: A passkey was added to your account'],
      [`${t.ada.username}@mail.test`, 'Homing: A passkey was removed from your account'],
    ])
    expect(t.mailer.sent[1]?.text).toContain('“the blue one”')
  })

  test('of an unknown model, or without a model, has no default name', async () => {
    await t.pages.added(t.ada)
    await t.pages.added(t.ada, { aaguid: '0123456789abcdef0123456789abcdef' })
    expect((await t.pages.list(t.ada)).map(({ authenticator }) => authenticator)).toEqual([
      null,
      null,
    ])
  })

  test('is the account’s second factor, and the first one comes with recovery codes', async () => {
    expect(await isTwoFactor()).toBe(false)
    const { passkey } = await t.pages.added(t.ada)
    expect(await isTwoFactor()).toBe(true)
    const second = (await t.pages.added(t.ada)).passkey
    expect(second.recovery_codes).toBeNull()
    await t.remove(passkey.id)
    expect([await isTwoFactor(), await codesLeft()]).toEqual([true, 10])
    await t.remove(second.id)
    expect([await isTwoFactor(), await codesLeft()]).toEqual([false, 0])
  })

  async function isTwoFactor(): Promise<boolean> {
    const [user] = await query<{ has_second_factor: boolean }>(
      t.world.knex,
      'select has_second_factor from users where id = ?',
      [t.ada.id],
    )
    return user?.has_second_factor ?? false
  }
  async function codesLeft(): Promise<number> {
    const rows = await query(t.world.knex, 'select 1 from recovery_codes where user_id = ?', [
      t.ada.id,
    ])
    return rows.length
  }

  test('that is added or removed ends the other sessions of the account', async () => {
    const elsewhere = { headers: await t.world.signIn(t.ada.id) }
    const { passkey } = await t.pages.added(t.ada)
    expect(problemOf(await t.pages.start(elsewhere)).code).toBe('unauthenticated')
    const again = { headers: await t.world.signIn(t.ada.id) }
    await t.remove(passkey.id)
    expect(problemOf(await t.pages.start(again)).code).toBe('unauthenticated')
    expect((await t.pages.start(t.ada)).status).toBe(200)
  })
})

describe('access', () => {
  const NOBODYS = '999999'

  test('a passkey of another account gets the response for one that does not exist', async () => {
    const { passkey } = await t.pages.added(t.ada)
    for (const id of [passkey.id, NOBODYS]) {
      const expected = {
        status: 404,
        detail: 'This passkey does not exist, or it belongs to another account.',
      }
      expect(problemOf(await t.remove(id, t.bob))).toMatchObject(expected)
      expect(problemOf(await t.rename(id, { name: 'mine' }, t.bob))).toMatchObject(expected)
    }
    expect(await t.pages.list(t.bob)).toEqual([])
    expect(await t.pages.list(t.ada)).toHaveLength(1)
  })

  test('adding and removing require a recent proof', async () => {
    const { passkey } = await t.pages.added(t.ada)
    const creation = await t.pages.creation(t.ada)
    t.clock = new Date(t.clock.getTime() + 15 * 60_000 + 1)
    const credential = t.pages.authenticator().create(creation)
    const replies = [
      await t.pages.start(t.ada),
      await t.pages.post('/api/me/passkeys', { name: 'key', credential }, t.ada),
      await t.remove(passkey.id),
    ]
    for (const reply of replies) expect(problemOf(reply).code).toBe('step-up-required')
    expect((await t.rename(passkey.id, { name: 'other' })).status).toBe(200)
    expect((await t.pages.list(t.ada)).map(({ name }) => name)).toEqual(['other'])
  })

  test('deleting an account deletes its passkeys', async () => {
    const { passkey } = await t.pages.added(t.ada)
    await t.pages.creation(t.ada)
    await query(t.world.knex, 'delete from users where id = ?', [t.ada.id])
    expect(await query(t.world.knex, 'select 1 from passkeys where id = ?', [passkey.id])).toEqual(
      [],
    )
  })
})

test('logs and jobs contain only its name', async () => {
  log = ''
  const { authenticator, passkey } = await t.pages.added(t.ada)
  const request = await t.pages.request()
  const shown = authenticator.get(request)
  const { token } = (await t.pages.send(shown)).json<SignedIn>()
  const refused = authenticator.get(await t.pages.request(), { origin: 'https://evil.test' })
  expect((await t.pages.send(refused)).status).toBe(401)
  const jobs = await query<{ text: string }>(
    t.world.knex,
    'select j::text as text from pgboss.job j',
  )
  const kept = jobs.map(({ text }) => text).join('\n') + log
  expect(kept).toContain('"added"')
  expect(kept).toContain('a passkey was refused')
  const secrets = [
    authenticator.id,
    shown.response.signature,
    shown.response.userHandle,
    request.challenge,
    token,
    ...(passkey.recovery_codes ?? []),
  ]
  for (const secret of secrets) expect(kept).not.toContain(secret)
})
