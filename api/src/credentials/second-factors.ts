/**
 * The second factors of an account, and the one place where it is said what an account has. A kind of
 * factor has a table of its own; here they are put together, for signing in, for the update URLs
 * (`users.has_second_factor`) and for the person.
 *
 * Whoever adds or removes a factor does so in a transaction: `lockFactors`, the change, and
 * `factorsChanged`, which draws the consequences.
 */
import type { SecondFactorMethod } from '@homing/openapi'
import type { Knex } from 'knex'
import { LoginToken } from '../models/login-token.ts'
import { Passkey } from '../models/passkey.ts'
import { RecoveryCode } from '../models/recovery-code.ts'
import { Session } from '../models/session.ts'
import { TotpSecret } from '../models/totp-secret.ts'
import { NEXT_CREDENTIAL_VERSION, User } from '../models/user.ts'
import { query } from '../database/sql.ts'
import { endSessionsBut } from './session.ts'

export interface SecondFactors {
  /** Since when codes of an authenticator are asked for; null: they are not. */
  readonly totpSince: Date | null
  readonly passkeys: number
  readonly recoveryCodesLeft: number
  /**
   * Whether signing in has asked for a second factor since the last change of one. It stays true when a password reset
   * revokes the passkeys of an account without an app: a link by mail must not take the second factor away, so a
   * recovery code is asked for until the person adds another factor.
   */
  readonly isRequired: boolean
}

const READ = `
  select (select confirmed_at from totp_secrets where user_id = u.id) as "totpSince",
         (select count(*)::int from passkeys where user_id = u.id) as passkeys,
         (select count(*)::int from recovery_codes where user_id = u.id and used_at is null) as "recoveryCodesLeft",
         u.has_second_factor as "isRequired"
  from users u where u.id = ?`

/** What an account has. */
export async function secondFactorsOf(knex: Knex, userId: string): Promise<SecondFactors> {
  const [factors] = await query<SecondFactors>(knex, READ, [userId], 'second-factors')
  return factors ?? { totpSince: null, passkeys: 0, recoveryCodesLeft: 0, isRequired: false }
}

/** Whether an account has a factor. Recovery codes stand in for one and are not one. */
const hasFactor = ({ totpSince, passkeys }: SecondFactors) => totpSince !== null || passkeys > 0

/** Whether signing in takes more than the password. */
export function isSecondFactorOn(factors: SecondFactors): boolean {
  return hasFactor(factors) || factors.isRequired
}

/**
 * The ways in which an account can show its second factor. Empty where signing in takes the password alone, and where
 * the account needs an administrator because it has neither a factor nor a recovery code.
 */
export function methodsOf(factors: SecondFactors): SecondFactorMethod[] {
  if (!isSecondFactorOn(factors)) return []
  const { totpSince, passkeys, recoveryCodesLeft } = factors
  return [
    ...(totpSince === null ? [] : (['totp'] as const)),
    ...(passkeys === 0 ? [] : (['passkey'] as const)),
    ...(recoveryCodesLeft === 0 ? [] : (['recovery_code'] as const)),
  ]
}

/** Locks an account until the transaction ends, so that its factors change one after another. */
export async function lockFactors(trx: Knex.Transaction, userId: string): Promise<SecondFactors> {
  await User.query(trx).findById(userId).select('id').forNoKeyUpdate()
  return secondFactorsOf(trx, userId)
}

/**
 * Takes every second factor away, begun ones too.
 *
 * @param trx with the account locked
 */
export async function dropFactors(trx: Knex.Transaction, userId: string): Promise<void> {
  await TotpSecret.query(trx).delete().modify('ownedBy', userId)
  await Passkey.query(trx).delete().modify('ownedBy', userId)
}

/**
 * Draws the consequences of a factor that came or went: passwords that are remembered and sign-ins
 * that are under way are worth nothing, the account's other sessions end, and with the last factor
 * the recovery codes go.
 *
 * @param keptSessionId the session of the person who changed it; undefined ends all
 * @returns what the account has now
 */
export async function factorsChanged(
  trx: Knex.Transaction,
  userId: string,
  keptSessionId?: string,
): Promise<SecondFactors> {
  const factors = await secondFactorsOf(trx, userId)
  const isOn = hasFactor(factors)
  await User.query(trx)
    .findById(userId)
    .patch({ has_second_factor: isOn, credential_version: NEXT_CREDENTIAL_VERSION })
  await LoginToken.query(trx).delete().modify('ownedBy', userId)
  if (!isOn) await RecoveryCode.query(trx).delete().modify('ownedBy', userId)
  if (keptSessionId === undefined) {
    await Session.query(trx).delete().modify('ownedBy', userId)
  } else {
    await endSessionsBut(trx, userId, keptSessionId)
  }
  return { ...factors, isRequired: isOn, ...(!isOn && { recoveryCodesLeft: 0 }) }
}
