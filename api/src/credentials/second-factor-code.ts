/** Verifies authenticator codes and recovery codes. Every operation that asks for a code uses this one way. */
import type { Knex } from 'knex'
import { Refusal } from '../rules/errors.ts'
import { requireAllowance } from '../limits/require-allowance.ts'
import { useRecoveryCode } from './recovery-codes.ts'
import { notifySecondFactor } from './notify-second-factor.ts'
import { useTotpCode } from './totp.ts'
import type { CredentialServices } from './services.ts'

/** A code that the user entered. */
export interface GivenCode {
  readonly kind: 'totp' | 'recovery_code'
  readonly text: string
}

const LIMITS = { totp: 'totp-account', recovery_code: 'recovery-account' } as const

/** Problem codes that do not mean that the code was wrong. */
const NO_TRY: ReadonlySet<string> = new Set(['unavailable', 'conflict'])

/**
 * Counts an attempt before it is made, so that concurrent attempts cannot exceed a limit together, and refunds it
 * when the code was right or could not be checked. Attempts are counted per account, from all callers and
 * networks.
 *
 * @param attempt throws when the code was wrong
 * @throws Refusal `rate-limited`, and any error of `attempt`
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
    // The code was not checked, or it was right and something else failed.
    if (!(error instanceof Refusal) || NO_TRY.has(error.code)) {
      await giveBack().catch(() => undefined)
    }
    throw error
  }
}

/**
 * Uses a code up, within `tryCode`. The owner is notified by mail when a recovery code is used.
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
