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
import { query } from '../sql.ts'
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
  await query(trx, 'select 1 from users where id = ? for no key update', [userId])
  return secondFactorsOf(trx, userId)
}

/**
 * Takes every second factor away, begun ones too.
 *
 * @param trx with the account locked
 */
export async function dropFactors(trx: Knex.Transaction, userId: string): Promise<void> {
  await query(trx, 'delete from totp_secrets where user_id = ?', [userId])
  await query(trx, 'delete from passkeys where user_id = ?', [userId])
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
  await query(
    trx,
    `update users set has_second_factor = ?, credential_version = credential_version + 1
     where id = ?`,
    [isOn, userId],
  )
  await query(trx, 'delete from login_tokens where user_id = ?', [userId])
  if (!isOn) await query(trx, 'delete from recovery_codes where user_id = ?', [userId])
  if (keptSessionId === undefined) {
    await query(trx, 'delete from sessions where user_id = ?', [userId])
  } else {
    await endSessionsBut(trx, userId, keptSessionId)
  }
  return { ...factors, isRequired: isOn, ...(!isOn && { recoveryCodesLeft: 0 }) }
}
