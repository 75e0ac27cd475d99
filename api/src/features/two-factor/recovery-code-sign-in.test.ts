/** Signing in with recovery codes, instead of an app, and when the app's secret cannot be decrypted. */
import { describe, expect, test } from 'vitest'
import { problemOf } from '../../../test/support/calls.ts'
import { KeepingMailer, runJobs } from '../../../test/support/mail.ts'
import { loginTokenOf, secondStep } from '../../../test/support/second-factor.ts'
import { useAppOwnerWorld } from '../../../test/support/second-factor-world.ts'
import { query } from '../../database/sql.ts'

const t = useAppOwnerWorld()

describe('a recovery code', () => {
  test('replaces the app, once, in any spelling; the owner is notified', async () => {
    const [first = '', second = ''] = t.owner.recoveryCodes
    const mailer = new KeepingMailer()
    await runJobs(t.world.services, mailer)
    mailer.sent.length = 0
    const typed = ` ${first.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o')} `
    for (const [recovery_code, status] of [
      [typed, 200],
      [first, 401],
      [second, 200],
    ] as const) {
      const login_token = await loginTokenOf(t.world, t.ada.username)
      expect((await secondStep(t.world, { login_token, recovery_code })).status).toBe(status)
    }
    await runJobs(t.world.services, mailer)
    const told = mailer.sent.filter(({ subject }) => subject.endsWith('A recovery code was used'))
    expect(told).toHaveLength(2)
    expect(told[1]?.text.replaceAll('\n', ' ')).toContain('You have 8 recovery codes left')
    await t.world.services.loginHistory.flush()
    const noted = await query(
      t.world.knex,
      'select success, method from login_history where user_id = ? order by success, id',
      [t.ada.id],
    )
    const method = 'password_recovery_code'
    expect(noted).toEqual([
      { success: false, method },
      { success: true, method },
      { success: true, method },
    ])
  })

  test('of ten concurrent calls with one code one succeeds', async () => {
    const [recovery_code] = t.owner.recoveryCodes
    const tokens: string[] = []
    for (let n = 0; n < 10; n += 1) tokens.push(await loginTokenOf(t.world, t.ada.username))
    const replies = await Promise.all(
      tokens.map((login_token) => secondStep(t.world, { login_token, recovery_code })),
    )
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 401)).toHaveLength(9)
  })
})

test.each([
  // Discards the mails of the tests before.
  ['another account’s', `select sealed_secret from totp_secrets where user_id <> ? limit 1`],
  ['one that was changed', `select 'v1.' || repeat('A', 64 + 0 * ?::int)`],
])('with a secret that cannot be decrypted, %s, a recovery code signs in', async (_, secret) => {
  await query(
    t.world.knex,
    `update totp_secrets set sealed_secret = (${secret}) where user_id = ?`,
    [t.ada.id, t.ada.id],
  )
  const token = await loginTokenOf(t.world, t.ada.username)
  const code = t.code()
  const refused = await secondStep(t.world, { login_token: token, code })
  expect([refused.status, problemOf(refused).detail]).toEqual([
    503,
    expect.stringContaining('Use a recovery code or a passkey'),
  ])
  const [recoveryCode] = t.owner.recoveryCodes
  const { status } = await secondStep(t.world, { login_token: token, recovery_code: recoveryCode })
  expect(status).toBe(200)
})
