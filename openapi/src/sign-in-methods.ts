import { Type } from 'typebox'
import { SIGN_IN_METHODS, type SignInMethod } from './vocabulary.ts'

/** How somebody signed in; null where that was not noted. */
export const SignInMethodOrNull = Type.Unsafe<SignInMethod | null>({
  type: ['string', 'null'],
  enum: [...SIGN_IN_METHODS, null],
  description:
    'With what somebody signed in, or tried to: where it has two parts and the try failed, the password was right. `update_password`: the password was tried at an update URL, in a call that the update calls of no domain show; nobody was signed in. Null: before this was noted.',
})
