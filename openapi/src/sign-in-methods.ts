import { Type } from 'typebox'

/** The ways to sign in, as the history of sign-ins names them. */
const SIGN_IN_METHODS = [
  'password',
  'password_totp',
  'password_recovery_code',
  'password_passkey',
  'passkey',
  'update_password',
] as const
export type SignInMethod = (typeof SIGN_IN_METHODS)[number]

/** How somebody signed in; null where that was not noted. */
export const SignInMethodOrNull = Type.Unsafe<SignInMethod | null>({
  type: ['string', 'null'],
  enum: [...SIGN_IN_METHODS, null],
  description:
    'With what somebody signed in, or tried to: where it has two parts and the try failed, the password was right. `update_password`: the password was tried at an update URL, in a call that the update calls of no domain show; nobody was signed in. Null: before this was noted.',
})
