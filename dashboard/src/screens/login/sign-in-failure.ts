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
}

const failure = (text: string, rest: Partial<SignInFailure> = {}): SignInFailure => ({
  text,
  fields: [],
  canResend: false,
  waitSeconds: 0,
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

export const captchaWanted = failure(
  'Too many attempts: this service now wants a CAPTCHA, which this page cannot show. Wait a few minutes, then try again.',
)

export const secondFactorWanted = failure(
  'This account wants a second factor, which this page cannot ask for.',
)

export function failureOf(error: unknown): SignInFailure {
  if (error instanceof NetworkFailure) return failure('Network error. Please try again.')
  if (!(error instanceof ApiProblem)) return failure('Login failed. Please try again.')
  const { status, code, message, retryAfterSeconds = 0 } = error
  if (status === 401) {
    const text = 'Invalid username/email or password'
    return failure(text, { fields: ['username', 'password'] })
  }
  if (status === 429) {
    const wait = retryAfterSeconds > 0 ? ` You can try again in ${retryAfterSeconds} s.` : ''
    return failure(`${message}${wait}`, { waitSeconds: retryAfterSeconds })
  }
  return failure(message, { canResend: code === 'email-not-verified' })
}
