/**
 * Step-up: dangerous operations require that the user has proved their identity recently, because somebody else may
 * have the session.
 */
import { Refusal } from '../rules/errors.ts'
import type { SessionPrincipal } from '../caller/principal.ts'

/** How long a proof is valid. */
export const CONFIRMED_FOR_MS = 15 * 60_000

const HOW = {
  password: 'your password (POST /api/me/confirm)',
  secondFactor: 'your second factor (POST /api/me/confirm or /api/me/confirm/passkey)',
} as const

/**
 * Requires that the session's user proved their identity within the last minutes, by signing in or
 * by `POST /api/me/confirm`.
 *
 * @throws Refusal `step-up-required`
 */
export function requireConfirmed({ confirmedAt, account }: SessionPrincipal, now: Date): void {
  // A proof in the future was made before the clock was set back, or by a server whose clock is ahead.
  const ageMs = confirmedAt === null ? Infinity : Math.abs(now.getTime() - confirmedAt.getTime())
  if (ageMs <= CONFIRMED_FOR_MS) return
  const what = account.hasSecondFactor ? HOW.secondFactor : HOW.password
  throw new Refusal(
    'step-up-required',
    `Please confirm your identity with ${what}, or sign in again. Then repeat the call.`,
  )
}
