/** The ways in which a second factor is shown, and in which order they are offered. */
import type { SecondFactorWish } from '../../api/sign-in.ts'

export type Way = SecondFactorWish['methods'][number]
/** What is typed. */
export type CodeWay = Exclude<Way, 'passkey'>

/**
 * What is asked for first: the factor itself. The codes that are kept for its loss are few, and each is good once.
 *
 * @param takesPasskeys whether the browser can show one here
 */
export function firstWay(methods: readonly Way[], takesPasskeys: boolean): Way {
  if (methods.includes('totp')) return 'totp'
  if (methods.includes('passkey') && takesPasskeys) return 'passkey'
  return methods.includes('recovery_code') ? 'recovery_code' : 'passkey'
}

/** The codes that can be typed in place of what is asked for. */
export function otherCodes(methods: readonly Way[], asked: Way): readonly CodeWay[] {
  const codes = ['totp', 'recovery_code'] as const
  return codes.filter((way) => way !== asked && methods.includes(way))
}
