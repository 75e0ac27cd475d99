/** The methods for the second factor, and their order. */
import type { SecondFactorWish } from '../../api/sign-in.ts'

export type Way = SecondFactorWish['methods'][number]
/** A method with a typed code. */
export type CodeWay = Exclude<Way, 'passkey'>

/**
 * The method to ask for first. Recovery codes come last, because there are few and each works once.
 *
 * @param takesPasskeys whether this browser supports passkeys
 */
export function firstWay(methods: readonly Way[], takesPasskeys: boolean): Way {
  if (methods.includes('totp')) return 'totp'
  if (methods.includes('passkey') && takesPasskeys) return 'passkey'
  return methods.includes('recovery_code') ? 'recovery_code' : 'passkey'
}

/** The other codes that the user can type instead. */
export function otherCodes(methods: readonly Way[], asked: Way): readonly CodeWay[] {
  const codes = ['totp', 'recovery_code'] as const
  return codes.filter((way) => way !== asked && methods.includes(way))
}
