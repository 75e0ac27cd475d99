/** How many wrong codes of an account are checked. */
import type { Confirmed } from '@homing/openapi'
import { expect, test } from 'vitest'
import { type Caller, PASSWORD, testApp } from '../../../test/support/api-world.ts'
import { bearer, call, problemOf } from '../../../test/support/calls.ts'
import { codeAt, wrongCodeAt } from '../../../test/support/second-factor.ts'
import { useSecondFactorWorld } from '../../../test/support/second-factor-world.ts'
import { createServices, stopServices } from '../../compose.ts'
import { query } from '../../database/sql.ts'

type Headers = Caller['headers']
const t = useSecondFactorWorld({ rateLimits: true })

test('an account has five attempts with wrong codes in five minutes, over all calls', async () => {
  const { secret } = await t.addApp()
  const { headers } = t.ada
  const wrong = wrongCodeAt(secret, t.clock)
  const statuses: number[] = []
  for (let n = 0; n < 5; n += 1) {
    const reply = await call(t.world.app, 'POST', '/api/me/confirm', {
      headers,
      body: { code: wrong },
    })
    statuses.push(reply.status)
  }
  expect(statuses).toEqual([422, 422, 422, 422, 422])
  const reply = await call(t.world.app, 'POST', '/api/me/confirm', {
    headers: await t.world.signIn(t.ada.id),
    body: { code: codeAt(secret, t.clock) },
  })
  expect(problemOf(reply).code).toBe('rate-limited')
  expect(Number(reply.headers['retry-after'])).toBeGreaterThan(200)
  expect(Number(reply.headers['retry-after'])).toBeLessThanOrEqual(300)
})

test('a right code with the former token of the session does not count as an attempt', async () => {
  const { secret } = await t.addApp()
  const give = (headers: Headers, steps = 0) =>
    call(t.world.app, 'POST', '/api/me/confirm', {
      headers,
      body: { code: codeAt(secret, t.clock, steps) },
    })
  const { token } = (await give(t.ada.headers)).json<Confirmed>()
  const seen: number[] = []
  for (let n = 0; n < 7; n += 1) seen.push((await give(t.ada.headers, 1)).status)
  expect(seen).toEqual([409, 409, 409, 409, 409, 409, 409])
  expect((await give(bearer(token), 1)).status).toBe(200)
})

test('a code that cannot be checked does not count as an attempt', async () => {
  const { secret } = await t.addApp()
  const { headers } = t.ada
  const [kept] = await query<{ sealed_secret: string }>(
    t.world.knex,
    'select sealed_secret from totp_secrets where user_id = ?',
    [t.ada.id],
  )
  const seal = (text: string) =>
    query(t.world.knex, 'update totp_secrets set sealed_secret = ? where user_id = ?', [
      text,
      t.ada.id,
    ])
  const give = async () => {
    const body = { code: codeAt(secret, t.clock) }
    return (await call(t.world.app, 'POST', '/api/me/confirm', { headers, body })).status
  }
  await seal('v1.of another secret key')
  const seen: number[] = []
  for (let n = 0; n < 7; n += 1) seen.push(await give())
  await seal(kept?.sealed_secret ?? '')
  seen.push(await give())
  expect(seen).toEqual([503, 503, 503, 503, 503, 503, 503, 200])
})

test('a right code uses up no attempt, and recovery codes are counted separately', async () => {
  const { secret, recoveryCodes } = await t.addApp()
  let headers: Headers = t.ada.headers
  const give = async (body: object) => {
    const reply = await call(t.world.app, 'POST', '/api/me/confirm', { headers, body })
    if (reply.status === 200) headers = bearer(reply.json<Confirmed>().token)
    return reply.status
  }
  const wrong = wrongCodeAt(secret, t.clock)
  const seen = [await give({ code: codeAt(secret, t.clock, 0) })]
  for (let n = 0; n < 5; n += 1) seen.push(await give({ code: wrong }))
  seen.push(await give({ code: wrong }))
  seen.push(await give({ recovery_code: recoveryCodes[0] }))
  expect(seen).toEqual([200, 422, 422, 422, 422, 422, 429, 200])
})

test('concurrent attempts cannot exceed the limit together, nor does a new process reset it', async () => {
  const { secret } = await t.addApp()
  const code = wrongCodeAt(secret, t.clock)
  const body = { username_or_email: t.ada.username, password: PASSWORD }
  const login = await call(t.world.app, 'POST', '/api/login', { body })
  const { login_token } = login.json<{ login_token: string }>()
  const replies = await Promise.all(
    Array.from({ length: 12 }, () =>
      call(t.world.app, 'POST', '/api/login/second-factor', { body: { login_token, code } }),
    ),
  )
  expect(replies.filter(({ status }) => status === 401)).toHaveLength(5)
  expect(replies.filter(({ status }) => status === 429)).toHaveLength(7)
  const services = createServices(t.world.services)
  const restarted = await testApp(services)
  try {
    const right = { login_token, code: codeAt(secret, t.clock) }
    const reply = await call(restarted, 'POST', '/api/login/second-factor', { body: right })
    expect(reply.status).toBe(429)
  } finally {
    await restarted.close()
    await stopServices(services)
  }
})
