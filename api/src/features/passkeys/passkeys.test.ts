/** The passkeys of an account: their life, and who may see and change them. */
import type { ApiKey, SignedIn } from '@homing/openapi'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ApiWorld, type Caller, openApiWorld } from '../../../test/support/api-world.ts'
import { call, problemOf } from '../../../test/support/calls.ts'
import { KeepingMailer, runJobs } from '../../../test/support/mail.ts'
import { PasskeyPages } from '../../../test/support/passkeys.ts'
import { query } from '../../sql.ts'

let world: ApiWorld
let pages: PasskeyPages
let clock = new Date()
let ada: Caller
let bob: Caller
let people = 0
let log = ''
const mailer = new KeepingMailer()

beforeAll(async () => {
  const write = (line: string) => void (log += line)
  world = await openApiWorld(
    { productName: 'Homing' },
    { now: () => clock, log: pino({ level: 'trace' }, { write }) },
  )
  pages = new PasskeyPages(world)
})
afterAll(() => world.end())
beforeEach(async () => {
  people += 1
  clock = new Date()
  await runJobs(world.services, mailer)
  mailer.close()
  ada = await world.person(`ada${people}`, 'free')
  bob = await world.person(`bob${people}`, 'free')
})

const urlOf = (id: string) => `/api/me/passkeys/${id}`
const remove = (id: string, { headers }: Pick<Caller, 'headers'> = ada) =>
  call(world.app, 'DELETE', urlOf(id), { headers })
const rename = (id: string, body: unknown, { headers }: Pick<Caller, 'headers'> = ada) =>
  call(world.app, 'PUT', urlOf(id), { headers, body })

describe('a passkey', () => {
  test('is added, listed, renamed and removed; its owner is told', async () => {
    const aaguid = 'fbfc3007-154e-4ecc-8c0b-6e020557d7bd'
    const { passkey } = await pages.added(ada, { isSynced: true, aaguid })
    const { recovery_codes, ...known } = passkey
    expect(recovery_codes).toHaveLength(10)
    expect(known).toEqual({
      id: passkey.id,
      name: 'key',
      created_at: clock.toISOString(),
      last_used_at: null,
      transports: ['internal', 'hybrid'],
      is_synced: true,
      is_backed_up: true,
      authenticator: 'iCloud Keychain',
    })
    expect(await pages.list(ada)).toEqual([known])

    const renamed = await rename(passkey.id, { name: '  the blue one ' })
    expect(renamed.json()).toEqual({ ...known, name: 'the blue one' })
    expect((await remove(passkey.id)).status).toBe(204)
    expect(await pages.list(ada)).toEqual([])
    await runJobs(world.services, mailer)
    expect(mailer.sent.map(({ to, subject }) => [to, subject])).toEqual([
      [`${ada.username}@mail.test`, 'Homing: A passkey was added to your account'],
      [`${ada.username}@mail.test`, 'Homing: A passkey was removed from your account'],
    ])
    expect(mailer.sent[1]?.text).toContain('“the blue one”')
  })

  test('that does not say its model, or says one that nobody knows, has no name of it', async () => {
    await pages.added(ada)
    await pages.added(ada, { aaguid: '0123456789abcdef0123456789abcdef' })
    expect((await pages.list(ada)).map(({ authenticator }) => authenticator)).toEqual([null, null])
  })

  test('is the account’s second factor, and the first one brings recovery codes', async () => {
    expect(await isTwoFactor()).toBe(false)
    const { passkey } = await pages.added(ada)
    expect(await isTwoFactor()).toBe(true)
    const second = (await pages.added(ada)).passkey
    expect(second.recovery_codes).toBeNull()
    await remove(passkey.id)
    expect([await isTwoFactor(), await codesLeft()]).toEqual([true, 10])
    await remove(second.id)
    expect([await isTwoFactor(), await codesLeft()]).toEqual([false, 0])
  })

  async function isTwoFactor(): Promise<boolean> {
    const [user] = await query<{ has_second_factor: boolean }>(
      world.knex,
      'select has_second_factor from users where id = ?',
      [ada.id],
    )
    return user?.has_second_factor ?? false
  }
  async function codesLeft(): Promise<number> {
    const rows = await query(world.knex, 'select 1 from recovery_codes where user_id = ?', [ada.id])
    return rows.length
  }

  test('that comes or goes ends the other sessions of the account', async () => {
    const elsewhere = { headers: await world.signIn(ada.id) }
    const { passkey } = await pages.added(ada)
    expect(problemOf(await pages.start(elsewhere)).code).toBe('unauthenticated')
    const again = { headers: await world.signIn(ada.id) }
    await remove(passkey.id)
    expect(problemOf(await pages.start(again)).code).toBe('unauthenticated')
    expect((await pages.start(ada)).status).toBe(200)
  })
})

describe('who may', () => {
  const NOBODYS = '999999'

  test('somebody else’s passkey is as one that there is not', async () => {
    const { passkey } = await pages.added(ada)
    for (const id of [passkey.id, NOBODYS]) {
      const expected = { status: 404, detail: 'There is no such passkey, or it is not yours.' }
      expect(problemOf(await remove(id, bob))).toMatchObject(expected)
      expect(problemOf(await rename(id, { name: 'mine' }, bob))).toMatchObject(expected)
    }
    expect(await pages.list(bob)).toEqual([])
    expect(await pages.list(ada)).toHaveLength(1)
  })

  test('not the unsigned, and no API key', async () => {
    const owner = await world.person(`owner${people}`, 'pro')
    const made = await call(world.app, 'POST', '/api/api-keys/', {
      headers: owner.headers,
      body: { name: 'router' },
    })
    const { key } = made.json<ApiKey & { key: string }>()
    const { passkey } = await pages.added(owner)
    const calls = [
      ['POST', '/api/me/passkeys/options', undefined],
      ['POST', '/api/me/passkeys', { name: 'key', credential: {} }],
      ['GET', '/api/me/passkeys', undefined],
      ['PUT', urlOf(passkey.id), { name: 'x' }],
      ['DELETE', urlOf(passkey.id), undefined],
      ['POST', '/api/me/confirm/passkey/options', undefined],
      ['POST', '/api/me/confirm/passkey', { credential: {} }],
    ] as const
    for (const [method, url, body] of calls) {
      const unsigned = await call(world.app, method, url, { body })
      expect([url, problemOf(unsigned).code]).toEqual([url, 'unauthenticated'])
      const headers = { authorization: `Bearer ${key}` }
      const byKey = await call(world.app, method, url, { headers, body })
      expect([url, problemOf(byKey).code]).toEqual([url, 'forbidden'])
    }
    expect(await pages.list(owner)).toHaveLength(1)
  })

  test('adding and removing ask for a proof that is not old', async () => {
    const { passkey } = await pages.added(ada)
    const creation = await pages.creation(ada)
    clock = new Date(clock.getTime() + 15 * 60_000 + 1)
    const credential = pages.authenticator().create(creation)
    const replies = [
      await pages.start(ada),
      await pages.post('/api/me/passkeys', { name: 'key', credential }, ada),
      await remove(passkey.id),
    ]
    for (const reply of replies) expect(problemOf(reply).code).toBe('step-up-required')
    expect((await rename(passkey.id, { name: 'other' })).status).toBe(200)
    expect((await pages.list(ada)).map(({ name }) => name)).toEqual(['other'])
  })

  test('an account that goes takes its passkeys with it', async () => {
    const { passkey } = await pages.added(ada)
    await pages.creation(ada)
    await query(world.knex, 'delete from users where id = ?', [ada.id])
    expect(await query(world.knex, 'select 1 from passkeys where id = ?', [passkey.id])).toEqual([])
  })
})

test('what was added is in no log and no job but by its name', async () => {
  log = ''
  const { authenticator, passkey } = await pages.added(ada)
  const request = await pages.request()
  const shown = authenticator.get(request)
  const { token } = (await pages.send(shown)).json<SignedIn>()
  const refused = authenticator.get(await pages.request(), { origin: 'https://evil.test' })
  expect((await pages.send(refused)).status).toBe(401)
  const jobs = await query<{ text: string }>(world.knex, 'select j::text as text from pgboss.job j')
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
