/** The token that a session had before its renewal: how long it stays valid, and for what. */
import type { Confirmed } from '@homing/openapi'
import { beforeEach, describe, expect, test } from 'vitest'
import { type Caller, PASSWORD } from '../../test/support/api-world.ts'
import { bearer, call, problemOf } from '../../test/support/calls.ts'
import { useSecondFactorWorld } from '../../test/support/second-factor-world.ts'
import { digestOf } from '../rules/secrets.ts'
import { query } from '../database/sql.ts'

const MINUTE_MS = 60_000
/** What the former token can still do, and what it cannot. */
const WITHIN_MS = 29_999
const AFTER_MS = 30_000
const ORIGIN = 'http://localhost:8080'
const t = useSecondFactorWorld()

type Headers = Caller['headers']
const confirm = (headers: Headers) => t.post('/api/me/confirm', { password: PASSWORD }, headers)
/** An operation that requires a fresh proof of identity. */
const makeKey = (headers: Headers) => t.post('/api/api-keys/', { name: 'router' }, headers)
const isSignedIn = async (headers: Headers) => (await t.me(headers)).status === 200

let before: Headers
let after: Headers

beforeEach(async () => {
  t.later(16 * MINUTE_MS)
  before = t.ada.headers
  after = bearer((await confirm(before)).json<Confirmed>().token)
})

describe('the former token', () => {
  test('works for calls in progress for half a minute, and then expires', async () => {
    t.later(WITHIN_MS)
    expect(await isSignedIn(before)).toBe(true)
    t.later(AFTER_MS - WITHIN_MS)
    expect(await isSignedIn(before)).toBe(false)
    expect(await isSignedIn(after)).toBe(true)
    t.later(60 * MINUTE_MS)
    expect(await isSignedIn(before)).toBe(false)
  })

  test('never gets the new proof', async () => {
    expect(problemOf(await makeKey(before)).code).toBe('step-up-required')
    expect((await makeKey(after)).status).toBe(201)
  })

  test('keeps the proof that it had', async () => {
    t.later(MINUTE_MS)
    await confirm(after)
    expect((await makeKey(after)).status).toBe(201)
  })

  test('cannot confirm the identity again: the session keeps the current token', async () => {
    expect(problemOf(await confirm(before)).code).toBe('conflict')
    t.later(AFTER_MS)
    expect(await isSignedIn(after)).toBe(true)
  })

  test('is stored only as a digest', async () => {
    const token = before['authorization']?.replace('Bearer ', '') ?? ''
    const [row] = await query(
      t.world.knex,
      `select encode(former_digest, 'hex') as digest, s::text as text from sessions s where user_id = ?`,
      [t.ada.id],
    )
    expect(row).toEqual({ digest: digestOf(token), text: expect.not.stringContaining(token) })
  })
})

describe('both tokens end', () => {
  test.each([
    ['the present one', () => after],
    ['the one before', () => before],
  ])('when %s signs out', async (_which, of) => {
    expect((await t.post('/api/logout', undefined, of())).status).toBeLessThan(300)
    expect(await isSignedIn(before)).toBe(false)
    expect(await isSignedIn(after)).toBe(false)
  })

  test('when the browser of the former token signs in again', async () => {
    const cookie = `homing_session=${before['authorization']?.replace('Bearer ', '')}`
    const login = await call(t.world.app, 'POST', '/api/login', {
      body: { username_or_email: t.ada.username, password: PASSWORD },
      headers: { origin: ORIGIN, cookie },
    })
    expect(login.status).toBe(200)
    expect(await isSignedIn(before)).toBe(false)
    expect(await isSignedIn(after)).toBe(false)
  })

  test('when the account is suspended', async () => {
    await query(t.world.knex, 'update users set enabled = false where id = ?', [t.ada.id])
    expect(await isSignedIn(before)).toBe(false)
    expect(await isSignedIn(after)).toBe(false)
  })

  test('when all sessions end', async () => {
    const other = await t.world.signIn(t.ada.id)
    await call(t.world.app, 'DELETE', '/api/me/sessions', { headers: other })
    expect(await isSignedIn(before)).toBe(false)
    expect(await isSignedIn(after)).toBe(false)
    expect(await isSignedIn(other)).toBe(true)
  })
})

describe('the former token ends at once, and the session continues', () => {
  test('with another password', async () => {
    const body = { current_password: PASSWORD, new_password: 'another long password here' }
    const reply = await call(t.world.app, 'POST', '/api/change-password', { headers: after, body })
    expect(reply.status).toBeLessThan(300)
    expect(await isSignedIn(before)).toBe(false)
    expect(await isSignedIn(after)).toBe(true)
  })

  test('with the end of all other sessions', async () => {
    await call(t.world.app, 'DELETE', '/api/me/sessions', { headers: after })
    expect(await isSignedIn(before)).toBe(false)
    expect(await isSignedIn(after)).toBe(true)
  })

  test('with another renewal', async () => {
    const newest = bearer((await confirm(after)).json<Confirmed>().token)
    expect(await isSignedIn(before)).toBe(false)
    expect(await isSignedIn(after)).toBe(true)
    expect(await isSignedIn(newest)).toBe(true)
  })
})

test('of two concurrent proofs with the same token one counts, and its new token stays valid', async () => {
  const replies = await Promise.all([confirm(after), confirm(after)])
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  const right = replies.find(({ status }) => status === 200)
  t.later(AFTER_MS)
  expect(await isSignedIn(bearer(right?.json<Confirmed>().token ?? ''))).toBe(true)
})
