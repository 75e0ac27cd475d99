/**
 * Who may be here: administrators, by the session's cookie. Everybody else comes to the sign-in page,
 * which says why. Being turned away ends no session: it may be that of a person who owns names and
 * took the wrong door. Sessions end by `endSession`, when somebody says so.
 */
import { STEP_UP } from '@homing/openapi/client'
import { type AuthProvider, HttpError } from 'react-admin'
import type { ProblemBody } from '../api/problem.ts'
import { beginSession, forgetSession, isAdministrator, signedIn } from './session.ts'

/** Turns somebody away without a notice: the sign-in page has the words. */
class TurnedAway extends Error {
  // react-admin shows no notice for an error whose message is `false`.
  override readonly message = false as unknown as string
}

/** The account is not an administrator's. */
export class NotAdministrator extends Error {
  constructor() {
    super('This account is not an administrator’s.')
    this.name = 'NotAdministrator'
  }
}

export interface SignInForm {
  readonly username: string
  readonly password: string
}

/** Whether an error says that nobody, or somebody else, is signed in. One that asks for a fresh proof says the contrary. */
const isAboutSession = (error: unknown) =>
  error instanceof HttpError &&
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
    const account = await signedIn()
    if (account === undefined) throw new TurnedAway()
    return { id: account.id, fullName: account.username }
  },
  async logout() {
    // Being turned away is no wish to leave.
  },
}
