/** What the sign-in screen says when it did not work. */
import { ApiProblem, NetworkFailure } from '../../api/problem.ts'

export interface SignInFailure {
  readonly text: string
  /** Fields that are to be looked at again. */
  readonly fields: readonly ('username' | 'password')[]
  /** The address has to be verified first, and the link can be sent again. */
  readonly canResend: boolean
  /** Seconds until another try makes sense. */
  readonly waitSeconds: number
  /** The password has to be given once more. */
  readonly startsAgain: boolean
}

const failure = (text: string, rest: Partial<SignInFailure> = {}): SignInFailure => ({
  text,
  fields: [],
  canResend: false,
  waitSeconds: 0,
  startsAgain: false,
  ...rest,
})

/** What is left to fill in; undefined when nothing is. */
export function incomplete(usernameOrEmail: string, password: string): SignInFailure | undefined {
  const fields = [
    ...(usernameOrEmail === '' ? (['username'] as const) : []),
    ...(password === '' ? (['password'] as const) : []),
  ]
  if (fields.length === 0) return undefined
  return failure('Please enter both username/email and password', { fields })
}

export function failureOf(error: unknown): SignInFailure {
  if (error instanceof NetworkFailure) return failure('Network error. Please try again.')
  if (!(error instanceof ApiProblem)) return failure('Login failed. Please try again.')
  if (error.status === 401) {
    const text = 'Invalid username/email or password'
    return failure(text, { fields: ['username', 'password'] })
  }
  return refusalOf(error)
}

/** What the second step says: the service's own words, which tell a wrong code from a step that took too long. */
export function codeFailureOf(error: unknown): SignInFailure {
  if (!(error instanceof ApiProblem)) return failureOf(error)
  if (error.code === 'sign-in-expired') return failure(error.message, { startsAgain: true })
  return refusalOf(error)
}

/** What is said of a passkey: the service's own words. Whatever it has to wait for, the password need not. */
export const passkeyFailureOf = (error: unknown): SignInFailure => ({
  ...codeFailureOf(error),
  waitSeconds: 0,
})

function refusalOf({ status, code, message, retryAfterSeconds = 0 }: ApiProblem): SignInFailure {
  if (status === 429) {
    const wait = retryAfterSeconds > 0 ? ` You can try again in ${retryAfterSeconds} s.` : ''
    return failure(`${message}${wait}`, { waitSeconds: retryAfterSeconds })
  }
  return failure(message, { canResend: code === 'email-not-verified' })
}
