/** Who is signed in. The session is a cookie that no script sees, so the API is asked, and its answer kept. */
import { isSignedIn } from '@homing/openapi/client'
import { type Account, api } from '../api/client.ts'
import { problemError } from '../api/problem.ts'

/** The service wants a CAPTCHA or a second factor, which the dashboard's sign-in page asks for. */
export class MissingStep extends Error {
  override readonly name = 'MissingStep'
}

/** One question at a time, and one for all who ask. */
let asked: Promise<Account | undefined> | undefined

async function ask(): Promise<Account | undefined> {
  const { data, error, response } = await api.GET('/api/me').catch(() => {
    throw problemError(0, undefined)
  })
  if (data !== undefined) return data
  if (response.status === 401 || response.status === 403) return undefined
  throw problemError(response.status, error)
}

/**
 * The account that is signed in, or undefined.
 *
 * @throws HttpError when the service cannot tell
 */
export async function signedIn(): Promise<Account | undefined> {
  asked ??= ask().catch((error: unknown) => {
    asked = undefined
    throw error
  })
  return asked
}

/** What was said of the session may no longer be true. */
export function forgetSession(): void {
  asked = undefined
}

/** Whether the back office is for this account. */
export function isAdministrator(account: Account | undefined): account is Account {
  return account?.account_type === 'admin'
}

/**
 * Begins a session.
 *
 * @throws HttpError with the API's own words, MissingStep
 */
export async function beginSession(usernameOrEmail: string, password: string): Promise<void> {
  const body = { username_or_email: usernameOrEmail, password }
  const { data, error, response } = await api.POST('/api/login', { body }).catch(() => {
    throw problemError(0, undefined)
  })
  forgetSession()
  if (data === undefined) throw problemError(response.status, error)
  if (!isSignedIn(data)) throw new MissingStep()
}

/** Ends the session. One that ended already is none the worse. */
export async function endSession(): Promise<void> {
  await api.POST('/api/logout').catch(() => undefined)
  forgetSession()
}
