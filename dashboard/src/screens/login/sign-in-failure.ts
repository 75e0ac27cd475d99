/** The error messages of the sign-in screen. */
import { ApiProblem, NetworkFailure, textOf } from '../../api/problem.ts'

export interface SignInFailure {
  readonly text: string
  /** The fields that the user must correct. */
  readonly fields: readonly ('username' | 'password')[]
  /** The email address must be verified first; the form can send the link again. */
  readonly canResend: boolean
  /** Of a failure of the service. */
  readonly requestId?: string | undefined
  /** Seconds to wait before the next attempt. */
  readonly waitSeconds: number
  /** The user must enter the password again. */
  readonly startsAgain: boolean
}

/** If the service sent no text. */
const FAILED = 'Login failed. Please try again.'
const TOO_MANY = 'Too many requests. Please wait before trying again.'
const NOT_VERIFIED = 'Please verify your email address before logging in.'

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
  if (error instanceof NetworkFailure) return failure(error.detail)
  if (!(error instanceof ApiProblem)) return failure(FAILED)
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

function refusalOf(problem: ApiProblem): SignInFailure {
  const { status, code, detail, retryAfterSeconds = 0, requestId } = problem
  if (status === 429) {
    const wait = retryAfterSeconds > 0 ? ` You can try again in ${retryAfterSeconds} s.` : ''
    return failure(`${textOf(problem, TOO_MANY)}${wait}`, { waitSeconds: retryAfterSeconds })
  }
  if (status >= 500) return failure(textOf(problem, FAILED), { requestId })
  const isUnverified = code === 'email-not-verified' || (status === 403 && detail === undefined)
  const otherwise = isUnverified ? NOT_VERIFIED : FAILED
  return failure(textOf(problem, otherwise), { canResend: isUnverified })
}
