/** What is dangerous asks that the person proved a moment ago who they are: a session may be somebody else's by now. */
import { Refusal } from '../rules/errors.ts'
import type { SessionPrincipal } from '../caller/principal.ts'

/** How long a proof counts. */
export const CONFIRMED_FOR_MS = 15 * 60_000

const HOW = {
  password: 'your password (POST /api/me/confirm)',
  secondFactor: 'your second factor (POST /api/me/confirm or /api/me/confirm/passkey)',
} as const

/**
 * Makes sure that the session's person proved who they are within the last minutes, by signing in or
 * by `POST /api/me/confirm`.
 *
 * @throws Refusal `step-up-required`
 */
export function requireConfirmed({ confirmedAt, account }: SessionPrincipal, now: Date): void {
  // One from the future was made before the clock was set back, or by a server whose clock is ahead.
  const ageMs = confirmedAt === null ? Infinity : Math.abs(now.getTime() - confirmedAt.getTime())
  if (ageMs <= CONFIRMED_FOR_MS) return
  const what = account.hasSecondFactor ? HOW.secondFactor : HOW.password
  throw new Refusal(
    'step-up-required',
    `Please confirm your identity with ${what}, or sign in again. Then repeat the call.`,
  )
}
