/** Trying a code of an authenticator or a recovery code: the one way in which they are tried, wherever they are asked for. */
import type { Knex } from 'knex'
import { Refusal } from '../rules/errors.ts'
import { requireAllowance } from '../limits/require-allowance.ts'
import { useRecoveryCode } from './recovery-codes.ts'
import { notifySecondFactor } from './notify-second-factor.ts'
import { useTotpCode } from './totp.ts'
import type { CredentialServices } from './services.ts'

/** A code that somebody gave. */
export interface GivenCode {
  readonly kind: 'totp' | 'recovery_code'
  readonly text: string
}

const LIMITS = { totp: 'totp-account', recovery_code: 'recovery-account' } as const

/** Refusals that no wrong code gets. */
const NO_TRY: ReadonlySet<string> = new Set(['unavailable', 'conflict'])

/**
 * Counts a try before it is made, so that many at once cannot pass a limit together, and takes it back
 * when the code was right or could not be looked at. The count is the account's, whoever tries and from wherever.
 *
 * @param attempt throws when the code was wrong
 * @throws Refusal `rate-limited`, and what `attempt` throws
 */
export async function tryCode<Result>(
  services: CredentialServices,
  userId: string,
  { kind }: GivenCode,
  attempt: () => Promise<Result>,
): Promise<Result> {
  const limit = LIMITS[kind]
  await requireAllowance(services, limit, userId)
  const giveBack = async () => services.rateLimits.giveBack(limit, userId)
  try {
    const result = await attempt()
    await giveBack()
    return result
  } catch (error) {
    // The code was not looked at, or was right, and something else was in the way.
    if (!(error instanceof Refusal) || NO_TRY.has(error.code)) {
      await giveBack().catch(() => undefined)
    }
    throw error
  }
}

/**
 * Uses a code up, within `tryCode`. The owner is told by mail of a recovery code that was used.
 *
 * @param trx with the account locked
 * @returns whether it was right
 */
export async function useCode(
  services: CredentialServices,
  trx: Knex.Transaction,
  userId: string,
  { kind, text }: GivenCode,
): Promise<boolean> {
  if (kind === 'totp') return useTotpCode(services, trx, userId, text)
  const isRight = await useRecoveryCode(services, trx, userId, text)
  if (isRight) await notifySecondFactor(services, trx, userId, 'recovery-code-used')
  return isRight
}
