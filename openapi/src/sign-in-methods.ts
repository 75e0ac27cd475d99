import { Type } from 'typebox'
import { SIGN_IN_METHODS, type SignInMethod } from './vocabulary.ts'

/** The method of a sign-in; null if it was not recorded. */
export const SignInMethodOrNull = Type.Unsafe<SignInMethod | null>({
  type: ['string', 'null'],
  enum: [...SIGN_IN_METHODS, null],
  description:
    'The method of the sign-in or the attempt. If it has two parts and the attempt failed, the password was correct. `update_password`: the password was tried at an update URL, in a call that is not in the update calls of any domain; nobody was signed in. Null: the attempt was made before the method was recorded.',
})
