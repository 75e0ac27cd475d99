import { useState } from 'react'
import type { SecondFactorWish } from '../../api/sign-in.ts'
import type { SignInFailure } from './sign-in-failure.ts'

/** The two steps of a sign-in: the password, and the second factor if the service requires one. */
export function useSignInSteps() {
  const [wish, setWish] = useState<SecondFactorWish>()
  const [username, setUsername] = useState('')
  const [failure, setFailure] = useState<SignInFailure>()
  return {
    wish,
    /** What the user typed, for a sign-in that starts again. */
    username,
    /** Why the user has to enter the password again. */
    failure,
    requireSecondFactor: (next: SecondFactorWish, typed: string): void => {
      setUsername(typed)
      setWish(next)
    },
    startAgain: (why: SignInFailure | undefined): void => {
      setFailure(why)
      setWish(undefined)
    },
  }
}
