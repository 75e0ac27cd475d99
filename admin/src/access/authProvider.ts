/**
 * The access check: only administrators, identified by the session cookie. All others get the sign-in
 * page, which says why. A denied access does not end the session, because it can belong to a user of
 * the dashboard. Only `endSession` ends a session, when the user signs out.
 */
import { STEP_UP } from '@homing/openapi/client'
import { type AuthProvider, HttpError } from 'react-admin'
import { isOfWrite, type ProblemBody } from '../api/problem.ts'
import { beginSession, forgetSession, isAdministrator, signedIn, signedInNow } from './session.ts'

/** Denies access without a notice, because the sign-in page explains it. */
class TurnedAway extends Error {
  // react-admin shows no notice for an error whose message is `false`.
  override readonly message = false as unknown as string
}

/** The account does not belong to an administrator. */
export class NotAdministrator extends Error {
  constructor() {
    super('This account is not an administrator account.')
    this.name = 'NotAdministrator'
  }
}

export interface SignInForm {
  readonly username: string
  readonly password: string
}

/**
 * Whether an error opens the sign-in page: a read found that no administrator is signed in. A request to confirm the
 * identity does not, and neither does a write. react-admin would report the write as a success, and its form would be lost.
 */
const isAboutSession = (error: unknown) =>
  error instanceof HttpError &&
  !isOfWrite(error) &&
  (error.status === 401 || error.status === 403) &&
  (error.body as ProblemBody).code !== STEP_UP

export const authProvider: AuthProvider = {
  async login({ username, password }: SignInForm) {
    await beginSession(username, password)
    if (!isAdministrator(await signedIn())) throw new NotAdministrator()
  },
  async checkAuth() {
    if (!isAdministrator(await signedIn())) throw new TurnedAway()
  },
  async checkError(error: unknown) {
    if (!isAboutSession(error)) return
    forgetSession()
    throw new TurnedAway()
  },
  async getIdentity() {
    const account = await signedInNow()
    if (account === undefined) throw new TurnedAway()
    return { id: account.id, fullName: account.username }
  },
  async logout() {
    // Denied access must not sign the user out.
  },
}
