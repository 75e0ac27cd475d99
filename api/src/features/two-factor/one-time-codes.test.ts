/** The codes of an app at sign-in: when each is valid, and that it works once. */
import { describe, expect, test } from 'vitest'
import { problemOf } from '../../../test/support/calls.ts'
import {
  addApp,
  codeAt,
  loginTokenOf,
  secondStep,
  STEP_MS,
} from '../../../test/support/second-factor.ts'
import { useAppOwnerWorld } from '../../../test/support/second-factor-world.ts'

const t = useAppOwnerWorld()

describe('POST /api/login/second-factor', () => {
  test.each([-1, 0, 1])('accepts a code that is %i steps away', async (steps) => {
    t.later(STEP_MS)
    const login_token = await loginTokenOf(t.world, t.ada.username)
    const code = t.code(steps)
    expect((await secondStep(t.world, { login_token, code })).status).toBe(200)
  })

  test.each([-2, 2])('refuses a code that is %i steps away', async (steps) => {
    t.later(2 * STEP_MS)
    const login_token = await loginTokenOf(t.world, t.ada.username)
    const code = t.code(steps)
    expect(problemOf(await secondStep(t.world, { login_token, code })).code).toBe(
      'wrong-credentials',
    )
  })

  test('accepts the code with the space that apps show', async () => {
    const login_token = await loginTokenOf(t.world, t.ada.username)
    const code = t.code().replace(/^.{3}/, '$& ')
    expect((await secondStep(t.world, { login_token, code })).status).toBe(200)
  })

  test('a code works once, and an earlier one not after it; both get the response for a wrong one', async () => {
    t.later(STEP_MS)
    const answers: object[] = []
    for (const code of [t.code(), t.code(), t.code(-1), t.wrongCode()]) {
      const login_token = await loginTokenOf(t.world, t.ada.username)
      const reply = await secondStep(t.world, { login_token, code })
      if (reply.status !== 200) answers.push({ ...problemOf(reply), requestId: '' })
    }
    expect(answers).toHaveLength(3)
    expect(answers[0]).toMatchObject({
      status: 401,
      code: 'wrong-credentials',
      detail: 'This code is wrong or was already used.',
    })
    expect(answers[1]).toEqual(answers[0])
    expect(answers[2]).toEqual(answers[0])
  })

  test('the code that turned the app on cannot sign in', async () => {
    const login_token = await loginTokenOf(t.world, t.ada.username)
    const code = t.code(-1)
    expect((await secondStep(t.world, { login_token, code })).status).toBe(401)
  })

  test('of ten concurrent calls with one code one succeeds, with one token or with ten', async () => {
    const code = t.code()
    const tokens: string[] = []
    for (let n = 0; n < 10; n += 1) tokens.push(await loginTokenOf(t.world, t.ada.username))
    const apart = await Promise.all(
      tokens.map((login_token) => secondStep(t.world, { login_token, code })),
    )
    expect(apart.filter(({ status }) => status === 200)).toHaveLength(1)
    t.later(STEP_MS)
    const next = t.code()
    const one = await loginTokenOf(t.world, t.ada.username)
    const same = await Promise.all(
      tokens.map(() => secondStep(t.world, { login_token: one, code: next })),
    )
    expect(same.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(new Set(same.map(({ status }) => status))).toEqual(new Set([200, 401]))
  })

  test('a code of another account is wrong', async () => {
    const bob = await t.world.person(`bob${t.people}`)
    const other = await addApp(t.world, bob, t.clock)
    const login_token = await loginTokenOf(t.world, t.ada.username)
    for (const fields of [
      { code: codeAt(other.secret, t.clock) },
      { recovery_code: other.recoveryCodes[0] },
    ]) {
      expect((await secondStep(t.world, { login_token, ...fields })).status).toBe(401)
    }
  })
})
