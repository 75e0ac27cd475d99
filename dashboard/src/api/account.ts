/** The account of the signed-in user: profile, address, password, sign-out, deletion; and the available zones. */
import { type components, PLAN_ABILITIES } from '@homing/openapi/client'
import { queryOptions } from '@tanstack/react-query'
import { api } from './client.ts'
import { answerOf, ApiProblem, NetworkFailure } from './problem.ts'
import {
  beginLocalSession,
  endLocalSession,
  forgetLocalSession,
  markSessionChecked,
} from './session.ts'
import { forgetPlan } from './intended-plan.ts'
import { forget } from './storage.ts'
import { forgetWish } from './wish.ts'

type Schemas = components['schemas']
export type Me = Schemas['Me']
export type WorkingCredentials = Schemas['WorkingCredentials']

/** The features that a plan can include. */
export const ABILITIES = PLAN_ABILITIES
export type Ability = (typeof ABILITIES)[number]

/**
 * Ends the session. The browser forgets the user, and other tabs follow. This tab still shows the user, because its
 * caller leaves for the landing page.
 *
 * @throws ApiProblem, NetworkFailure: the session then continues, in the app and at the service
 */
export async function signOut(): Promise<void> {
  try {
    await answerOf(api.POST('/api/logout'))
  } catch (error) {
    // The session had already ended.
    if (!(error instanceof ApiProblem && error.status === 401)) throw error
  }
  forgetLocalSession()
  forgetWish()
  forgetPlan()
  forget('session', 'checkout')
}

/** How long the app waits for a session before it shows the sign-in screen. */
const ADOPTION_LIMIT_MS = 5_000

/**
 * Signs the app in with a session that began elsewhere, in the back office or before the browser's storage was cleared.
 * Without a response in time, nothing changes. Without a session, the browser forgets its user.
 */
export async function adoptSession(): Promise<void> {
  try {
    const call = api.GET('/api/me', { signal: AbortSignal.timeout(ADOPTION_LIMIT_MS) })
    const { id, username, email, account_type, plan } = (await answerOf(call)).data
    beginLocalSession({ id, username, email, account_type, plan })
  } catch (error) {
    if (!(error instanceof ApiProblem || error instanceof NetworkFailure)) throw error
    if (error instanceof ApiProblem && error.status === 401) endLocalSession('expired')
  }
}

/** @throws ApiProblem, NetworkFailure */
export async function resendVerification(email: string): Promise<string> {
  return (await answerOf(api.POST('/api/resend-verification', { body: { email } }))).data.message
}

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async ({ signal }) => (await answerOf(api.GET('/api/me', { signal }))).data,
})

/** @returns the changed account. @throws ApiProblem, NetworkFailure */
export async function updateProfile(change: Schemas['ProfileChange']): Promise<Me> {
  return (await answerOf(api.PUT('/api/profile', { body: change }))).data
}

/** Requests a change of the address. @throws ApiProblem, NetworkFailure */
export async function changeEmail(change: Schemas['EmailChange']): Promise<void> {
  await answerOf(api.POST('/api/change-email', { body: change }))
}

/** @returns the credentials beside the password that still work. @throws ApiProblem, NetworkFailure */
export async function changePassword(
  change: Schemas['PasswordChange'],
): Promise<WorkingCredentials> {
  const { data } = await answerOf(api.POST('/api/change-password', { body: change }))
  return data.working_credentials
}

/** Schedules the deletion of the account, and ends its sessions. @throws ApiProblem, NetworkFailure */
export async function deleteAccount(password: string): Promise<void> {
  const { data } = await answerOf(api.POST('/api/delete-account', { body: { password } }))
  endLocalSession({ deletionDueAt: data.deletion_due_at })
}

/** The zones in which users can register domains. The response also confirms that the session is valid. */
export const zonesQuery = queryOptions({
  queryKey: ['zones'],
  queryFn: async ({ signal }) => {
    const { data } = await answerOf(api.GET('/api/zones/available', { signal }))
    markSessionChecked()
    return data.map(({ zone }) => zone)
  },
  staleTime: 300_000,
})
