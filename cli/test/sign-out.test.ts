/** `homing logout`: the session ends, here and on the server. */
import { readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, test } from 'vitest'
import { problem } from './fixtures.ts'
import { LOGOUT, ME, useSignInWorld, ZONES } from './sign-in-world.ts'

const t = useSignInWorld()

describe('logout', () => {
  test('ends the session on the server and deletes it', async () => {
    await t.login()
    expect(await t.run(LOGOUT, ['logout'])).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: `Signed out of ${t.server.url}.\nNext: homing login\n`,
    })
    expect(t.server.asked.at(-1)).toMatchObject({
      request: 'POST /api/logout',
      authorization: 'Bearer the-session',
    })
    expect(readdirSync(dirname(t.profileFile()))).toEqual([])
    expect((await t.run(ME, ['whoami'])).exitCode).toBe(4)
  })

  test('of a session that has ended', async () => {
    await t.login()
    const ended = await t.run({ 'POST /api/logout': problem(401, 'unauthenticated') }, ['logout'])
    expect(ended.exitCode).toBe(0)
  })

  test('where the server cannot be reached: deleted here, and reported', async () => {
    await t.login()
    t.server.close()
    const ended = await t.run({}, ['logout'])
    expect(ended.exitCode).toBe(7)
    expect(ended.stderr).toMatch(/^Signed out here, but .* did not end the session/)
    expect(readdirSync(dirname(t.profileFile()))).toEqual([])
  })

  test('without a sign-in', async () => {
    const { exitCode, stdout } = await t.run({}, ['logout', '--json'])
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toEqual({
      profile: 'default',
      server: null,
      was_signed_in: false,
      session_ended: false,
    })
    expect(t.requests()).toEqual([])
  })

  test('of a key: it stays valid', async () => {
    const replies = { 'GET /api/me': problem(403, 'forbidden'), ...ZONES }
    await t.run(replies, ['login', '--with-token', '--server', t.server.url], { input: 'ak_key' })
    const { stderr } = await t.run(LOGOUT, ['logout'])
    expect(stderr).toContain('It is still valid at')
    expect(t.requests()).not.toContain('POST /api/logout')
  })
})
