/** Dangerous operations require a fresh proof of the caller's identity. */
import { describe, expect, test } from 'vitest'
import { type Caller, PASSWORD } from '../../../test/support/api-world.ts'
import { problemOf } from '../../../test/support/calls.ts'
import { listedOperations } from '../../../test/support/contract-table.ts'
import { useSecondFactorWorld } from '../../../test/support/second-factor-world.ts'
import { query } from '../../database/sql.ts'

const MINUTE_MS = 60_000
const t = useSecondFactorWorld()
/** An operation that requires a fresh proof of identity. */
const makeKey = (headers?: Caller['headers']) =>
  t.post('/api/api-keys/', { name: 'router' }, headers)

test('these operations require it', () => {
  const asking = listedOperations.filter((operation) => 'stepUp' in operation)
  expect(Object.fromEntries(asking.map(({ id, stepUp }) => [id, stepUp]))).toMatchObject({
    startTotp: true,
    confirmTotp: true,
    endTotp: true,
    renewRecoveryCodes: true,
    startPasskey: true,
    addPasskey: true,
    removePasskey: true,
    createApiKey: true,
    rotateApiKey: true,
    updateApiKey: 'when-widened',
    createTrustPolicy: true,
    createUpdateToken: true,
    exportAccount: true,
    resetSecondFactors: true,
    updatePlan: true,
    deleteLockedName: true,
    changePassword: 'with-second-factor',
    changeEmail: 'with-second-factor',
    deleteAccount: 'with-second-factor',
  })
  for (const { access } of asking) expect(['session', 'administrator']).toContain(access)
})

describe('a session', () => {
  test('is trusted for 15 minutes after signing in', async () => {
    t.later(15 * MINUTE_MS)
    expect((await makeKey()).status).toBe(201)
    t.later(1)
    const reply = await makeKey()
    expect(reply.status).toBe(403)
    expect(problemOf(reply)).toMatchObject({
      code: 'step-up-required',
      detail: expect.stringMatching(/your password .*POST \/api\/me\/confirm/),
    })
    expect((await t.me(t.ada.headers)).status).toBe(200)
  })

  test('from before proofs were recorded is not trusted', async () => {
    await query(t.world.knex, 'update sessions set confirmed_at = null where user_id = ?', [
      t.ada.id,
    ])
    expect(problemOf(await makeKey()).code).toBe('step-up-required')
  })

  test('is not trusted when its proof lies further in the future than clocks differ', async () => {
    t.later(-16 * MINUTE_MS)
    expect(problemOf(await makeKey()).code).toBe('step-up-required')
    t.later(2 * MINUTE_MS)
    expect((await makeKey()).status).toBe(201)
  })

  test('another session of the same user is not affected', async () => {
    t.later(16 * MINUTE_MS)
    const other = await t.world.signIn(t.ada.id)
    expect((await makeKey(other)).status).toBe(201)
    expect(problemOf(await makeKey()).code).toBe('step-up-required')
  })

  test('of an account with a second factor needs a proof where other accounts send only the password', async () => {
    const change = { current_password: PASSWORD, new_password: 'another password' }
    await t.addApp()
    t.later(16 * MINUTE_MS)
    for (const [url, body] of [
      ['/api/change-password', change],
      ['/api/change-email', { email: 'other@example.net', password: PASSWORD }],
      ['/api/delete-account', { password: PASSWORD }],
    ] as const) {
      const problem = problemOf(await t.post(url, body))
      expect(problem.code).toBe('step-up-required')
      expect(problem.detail).toContain('your second factor')
    }
    const bob = await t.world.person(`bob${t.people}`)
    t.later(16 * MINUTE_MS)
    expect((await t.post('/api/change-password', change, bob.headers)).status).toBe(200)
  })
})
