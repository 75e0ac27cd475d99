/** The error messages of the sign-in screen. */
import { ApiProblem, NetworkFailure } from '../../api/problem.ts'

export interface SignInFailure {
  readonly text: string
  /** The fields that the user must correct. */
  readonly fields: readonly ('username' | 'password')[]
  /** The email address must be verified first; the form can send the link again. */
  readonly canResend: boolean
  /** Seconds to wait before the next attempt. */
  readonly waitSeconds: number
  /** The user must enter the password again. */
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

/** The empty fields; undefined when both are filled in. */
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

/** The error of the second step: the service's message, which distinguishes a wrong code from an expired sign-in. */
export function codeFailureOf(error: unknown): SignInFailure {
  if (!(error instanceof ApiProblem)) return failureOf(error)
  if (error.code === 'sign-in-expired') return failure(error.message, { startsAgain: true })
  return refusalOf(error)
}

/** The error of a passkey sign-in: the service's message. Its rate limit does not apply to the password. */
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
