/** A link by mail sets a password, and does not remove the second factor. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiWorld, openApiWorld } from '../../../test/support/api-world.ts'
import { call } from '../../../test/support/calls.ts'
import { KeepingMailer, linkTokenOf, runJobs } from '../../../test/support/mail.ts'
import { addApp, codeAt, secondStep, STEP_MS } from '../../../test/support/second-factor.ts'

const NEXT = 'another good password'
const clock = new Date(Math.floor(Date.now() / STEP_MS) * STEP_MS + 10_000)
let world: ApiWorld

beforeAll(async () => {
  world = await openApiWorld({}, { now: () => clock })
})
afterAll(() => world.end())

test('a new password by a link keeps the second factor', async () => {
  const mailer = new KeepingMailer()
  const ada = await world.person('ada')
  const { secret } = await addApp(world, ada, clock)
  await runJobs(world.services, mailer)
  await call(world.app, 'POST', '/api/forgot-password', { body: { email: 'ada@mail.test' } })
  await runJobs(world.services, mailer)
  const token = linkTokenOf(mailer.sent.at(-1))
  const reset = await call(world.app, 'POST', '/api/reset-password', {
    body: { token, new_password: NEXT },
  })
  expect(reset.status).toBe(200)

  const step = await call(world.app, 'POST', '/api/login', {
    body: { username_or_email: 'ada', password: NEXT },
  })
  const answer = step.json<{
    login_token: string
    requires_second_factor: boolean
    token?: string
  }>()
  expect(answer).toMatchObject({ requires_second_factor: true })
  expect(answer.token).toBeUndefined()
  const code = codeAt(secret, clock)
  const { status } = await secondStep(world, { login_token: answer.login_token, code })
  expect(status).toBe(200)
})
