import type { SignedIn } from '@homing/openapi'
import { describe, expect, test } from 'vitest'
import { useAccountWorld } from '../../../test/support/account-world.ts'
import { problemOf } from '../../../test/support/calls.ts'
import { query } from '../../database/sql.ts'

const DAY_MS = 86_400_000
const t = useAccountWorld()

describe('sessions', () => {
  test('are listed with their origins, and the caller’s is marked', async () => {
    const { token } = (
      await t.login({}, { 'user-agent': 'Test/1.0 (a computer)' })
    ).json<SignedIn>()
    const mine = { authorization: `Bearer ${token}` }
    const sessions = await t.sessionsOf(mine)
    expect(sessions).toHaveLength(2)
    expect(sessions.find(({ is_current }) => is_current)).toEqual({
      id: expect.stringMatching(/^\d+$/),
      created_at: t.clock.toISOString(),
      last_used_at: t.clock.toISOString(),
      expires_at: new Date(t.clock.getTime() + 30 * DAY_MS).toISOString(),
      ip: '127.0.0.1',
      cc: null,
      client: 'Test/1.0 (a computer)',
      is_current: true,
    })
    expect(JSON.stringify(sessions)).not.toContain(token)
  })

  test('are listed with the country of their address, if it is known', async () => {
    await query(t.world.knex, 'update sessions set ip = ? where user_id = ?', [
      '192.0.2.7',
      t.ada.id,
    ])
    expect(await t.sessionsOf(t.ada.headers)).toMatchObject([{ ip: '192.0.2.7', cc: 'SE' }])
  })

  test('that have ended are not listed', async () => {
    await query(t.world.knex, 'update sessions set expires_at = ? where user_id = ?', [
      t.clock,
      t.ada.id,
    ])
    expect(await t.sessionsOf(await t.world.signIn(t.ada.id))).toHaveLength(1)
  })

  test('one session ends, and its token cannot be used again', async () => {
    const other = await t.world.signIn(t.ada.id)
    const [id] = (await t.sessionsOf(t.ada.headers))
      .filter(({ is_current }) => !is_current)
      .map((session) => session.id)
    expect((await t.as(t.ada.headers, 'DELETE', `/api/me/sessions/${id}`)).status).toBe(204)
    expect(await t.isSignedIn(other)).toBe(false)
    expect(await t.isSignedIn(t.ada.headers)).toBe(true)
    const again = await t.as(t.ada.headers, 'DELETE', `/api/me/sessions/${id}`)
    expect(problemOf(again).code).toBe('not-found')
  })

  test('the caller’s own session ends as by signing out', async () => {
    const reply = await t.login({}, { origin: 'http://localhost:8080' })
    const cookie = String(reply.headers['set-cookie']).split(';', 1)[0] ?? ''
    const browser = { cookie, origin: 'http://localhost:8080' }
    const own = (await t.sessionsOf(browser)).find(({ is_current }) => is_current)
    const ended = await t.as(browser, 'DELETE', `/api/me/sessions/${own?.id}`)
    expect(ended.status).toBe(204)
    expect(String(ended.headers['set-cookie'])).toMatch(/^homing_session=; Max-Age=0; /)
    expect(await t.isSignedIn(browser)).toBe(false)
  })

  test('a session of another account gets the response for one that does not exist', async () => {
    const [theirs] = await t.sessionsOf(t.bob.headers)
    const foreign = await t.as(t.ada.headers, 'DELETE', `/api/me/sessions/${theirs?.id}`)
    const missing = await t.as(t.ada.headers, 'DELETE', '/api/me/sessions/999999999')
    expect({ ...problemOf(foreign), requestId: '' }).toEqual({
      ...problemOf(missing),
      requestId: '',
    })
    expect(foreign.status).toBe(404)
    expect(await t.isSignedIn(t.bob.headers)).toBe(true)
  })

  test('all others end', async () => {
    const others = [await t.world.signIn(t.ada.id), await t.world.signIn(t.ada.id)]
    expect((await t.as(t.ada.headers, 'DELETE', '/api/me/sessions')).status).toBe(204)
    for (const headers of others) expect(await t.isSignedIn(headers)).toBe(false)
    expect(await t.isSignedIn(t.ada.headers)).toBe(true)
    expect(await t.isSignedIn(t.bob.headers)).toBe(true)
  })

  test.each(['0', '-1', 'x', '1e3', '9'.repeat(19)])('id %s: 422', async (id) => {
    expect((await t.as(t.ada.headers, 'DELETE', `/api/me/sessions/${id}`)).status).toBe(422)
  })
})
