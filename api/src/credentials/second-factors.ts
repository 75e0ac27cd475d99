/**
 * The second factors of an account. Each kind of factor has a table of its own; this module is the
 * only one that combines them: for signing in, for the update URLs (`users.has_second_factor`) and
 * for the user.
 *
 * To add or remove a factor, run `lockFactors`, the change and `factorsChanged` in one transaction.
 * `factorsChanged` applies the consequences.
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
  /** When the authenticator was confirmed; null when no authenticator is on. */
  readonly totpSince: Date | null
  readonly passkeys: number
  readonly recoveryCodesLeft: number
  /**
   * Whether signing in has required a second factor since the last change of a factor. It stays true when a password
   * reset revokes the passkeys of an account without an app: a link by mail must not take the second factor away, so a
   * recovery code is required until the user adds another factor.
   */
  readonly isRequired: boolean
}

const READ = `
  select (select confirmed_at from totp_secrets where user_id = u.id) as "totpSince",
         (select count(*)::int from passkeys where user_id = u.id) as passkeys,
         (select count(*)::int from recovery_codes where user_id = u.id and used_at is null) as "recoveryCodesLeft",
         u.has_second_factor as "isRequired"
  from users u where u.id = ?`

/** Reads the factors of an account. */
export async function secondFactorsOf(knex: Knex, userId: string): Promise<SecondFactors> {
  const [factors] = await query<SecondFactors>(knex, READ, [userId], 'second-factors')
  return factors ?? { totpSince: null, passkeys: 0, recoveryCodesLeft: 0, isRequired: false }
}

/** Whether an account has a factor. Recovery codes replace a factor but do not count as one. */
const hasFactor = ({ totpSince, passkeys }: SecondFactors) => totpSince !== null || passkeys > 0

/** Whether signing in requires more than the password. */
export function isSecondFactorOn(factors: SecondFactors): boolean {
  return hasFactor(factors) || factors.isRequired
}

/**
 * The methods with which an account can prove its second factor. Empty when the password alone is sufficient, and
 * when the account needs an administrator because it has neither a factor nor a recovery code.
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

/** Locks an account until the transaction ends, so that changes to its factors are serialized. */
export async function lockFactors(trx: Knex.Transaction, userId: string): Promise<SecondFactors> {
  await User.query(trx).findById(userId).select('id').forNoKeyUpdate()
  return secondFactorsOf(trx, userId)
}

/**
 * Removes all second factors, including unconfirmed ones.
 *
 * @param trx with the account locked
 */
export async function dropFactors(trx: Knex.Transaction, userId: string): Promise<void> {
  await TotpSecret.query(trx).delete().modify('ownedBy', userId)
  await Passkey.query(trx).delete().modify('ownedBy', userId)
}

/**
 * Applies the consequences of a change of factors: remembered passwords and pending sign-ins become
 * invalid, the account's other sessions end, and the recovery codes are deleted with the last
 * factor.
 *
 * @param keptSessionId the session of the user who made the change; undefined ends all sessions
 * @returns the factors that the account has now
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
