/** The signed-in account. Scripts cannot read the session cookie, so this asks the API and caches the response. */
import { isSignedIn } from '@homing/openapi/client'
import { type Account, api } from '../api/client.ts'
import { problemError } from '../api/problem.ts'

/** The service requires a CAPTCHA or a second factor. The dashboard's sign-in page supports both. */
export class MissingStep extends Error {
  override readonly name = 'MissingStep'
}

/** The pending or completed request, shared by all callers. */
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
 * @throws HttpError when the service does not answer or fails
 */
export async function signedIn(): Promise<Account | undefined> {
  asked ??= ask().catch((error: unknown) => {
    asked = undefined
    throw error
  })
  return asked
}

/**
 * The account that is signed in now: another tab can have signed in as somebody else.
 *
 * @throws HttpError when the service does not answer or fails
 */
export async function signedInNow(): Promise<Account | undefined> {
  const account = await ask()
  // An ended session is noticed by the next read, so that a form on this page is not lost.
  if (account !== undefined) asked = Promise.resolve(account)
  return account
}

/** Clears the cache, because the session may have changed. */
export function forgetSession(): void {
  asked = undefined
}

/** Whether this account has access to the back office. */
export function isAdministrator(account: Account | undefined): account is Account {
  return account?.account_type === 'admin'
}

/**
 * Starts a session.
 *
 * @throws HttpError with the API's message, MissingStep
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

/** Ends the session. Does nothing if it has already ended. */
export async function endSession(): Promise<void> {
  await api.POST('/api/logout').catch(() => undefined)
  forgetSession()
}
