import { Type } from 'typebox'

/** The ways to sign in, as the history of sign-ins names them. */
const SIGN_IN_METHODS = [
  'password',
  'password_totp',
  'password_recovery_code',
  'password_passkey',
  'passkey',
] as const
export type SignInMethod = (typeof SIGN_IN_METHODS)[number]

/** How somebody signed in; null where that was not noted. */
export const SignInMethodOrNull = Type.Unsafe<SignInMethod | null>({
  type: ['string', 'null'],
  enum: [...SIGN_IN_METHODS, null],
  description:
    'With what somebody signed in, or tried to: where it has two parts and the try failed, the password was right. Null: before this was noted.',
})
