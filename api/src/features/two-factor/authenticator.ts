/** Adds the authenticator app of an account in two steps, and removes it. */
import type { TotpSetup } from '@homing/openapi'
import { makeRecoveryCodes } from '../../credentials/recovery-codes.ts'
import { tryCode } from '../../credentials/second-factor-code.ts'
import { factorsChanged, isSecondFactorOn, lockFactors } from '../../credentials/second-factors.ts'
import { requireLiveSession } from '../../credentials/session.ts'
import { notifySecondFactor } from '../../credentials/notify-second-factor.ts'
import { beginTotp, endTotp, useTotpCode } from '../../credentials/totp.ts'
import { Refusal } from '../../rules/errors.ts'
import { requireAllowance } from '../../limits/require-allowance.ts'
import type { SessionPrincipal } from '../../caller/principal.ts'
import { TotpSecret } from '../../models/totp-secret.ts'
import type { Services } from '../../compose.ts'
import { givenCode, wrongCode } from './given-code.ts'
import { qrCode } from './totp-qr.ts'

const isOnAlready = () =>
  new Refusal(
    'conflict',
    'Your account already has an authenticator app. Turn it off before you add another.',
  )

/** The data for the app. No code is required yet. @throws Refusal `conflict` when there is an authenticator, `rate-limited` */
export async function startAuthenticator(
  services: Services,
  { account }: SessionPrincipal,
): Promise<TotpSetup> {
  await requireAllowance(services, 'notices-account', account.id)
  const { secret, uri } = await services.knex.transaction(async (trx) => {
    const { totpSince } = await lockFactors(trx, account.id)
    if (totpSince !== null) throw isOnAlready()
    return beginTotp(services, trx, { userId: account.id, username: account.username })
  })
  const { svg, rows } = qrCode(uri)
  return { secret, otpauth_uri: uri, qr_svg: svg, qr_rows: rows }
}

/**
 * Turns the app on with its first code. All other sessions end, and the owner is notified by mail.
 *
 * @returns the recovery codes, if the account had no second factor before; null otherwise
 * @throws Refusal `conflict` when there is no unconfirmed authenticator or one is on, `validation-failed`,
 * `rate-limited`, `unauthenticated`
 */
export async function confirmAuthenticator(
  services: Services,
  principal: SessionPrincipal,
  code: string,
): Promise<string[] | null> {
  const { account, sessionId } = principal
  const given = givenCode({ code })
  return tryCode(services, account.id, given, () =>
    services.knex.transaction(async (trx) => {
      const before = await lockFactors(trx, account.id)
      await requireLiveSession(trx, principal)
      if (before.totpSince !== null) throw isOnAlready()
      const begun = await TotpSecret.query(trx).findById(account.id).select('user_id')
      if (begun === undefined) {
        throw new Refusal(
          'conflict',
          'You have not started to add an authenticator app. Start with POST /api/me/totp.',
        )
      }
      const isRight = await useTotpCode(services, trx, account.id, given.text, 'begun')
      if (!isRight) throw wrongCode(given)
      await factorsChanged(trx, account.id, sessionId)
      const codes = isSecondFactorOn(before)
        ? null
        : await makeRecoveryCodes(services, trx, account.id)
      await notifySecondFactor(services, trx, account.id, 'totp-on')
      return codes
    }),
  )
}

/**
 * Removes the app, unconfirmed or on. If it was on, all other sessions end and the owner is notified
 * by mail.
 *
 * @throws Refusal `not-found` when there is no authenticator, `rate-limited`
 */
export async function removeAuthenticator(
  services: Services,
  { account, sessionId }: SessionPrincipal,
): Promise<void> {
  await requireAllowance(services, 'notices-account', account.id)
  await services.knex.transaction(async (trx) => {
    await lockFactors(trx, account.id)
    const ended = await endTotp(trx, account.id)
    if (ended === undefined) {
      throw new Refusal('not-found', 'Your account has no authenticator app.')
    }
    if (ended === 'begun') return
    await factorsChanged(trx, account.id, sessionId)
    await notifySecondFactor(services, trx, account.id, 'totp-off')
  })
}
