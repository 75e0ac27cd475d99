/** Sign-out, verification mail, account, and available zones. */
import type { components } from '@homing/openapi/client'
import { queryOptions } from '@tanstack/react-query'
import { api } from './client.ts'
import { answerOf, ApiProblem } from './problem.ts'
import { endLocalSession, markSessionChecked } from './session.ts'

export type Me = components['schemas']['Me']

/** @throws ApiProblem, NetworkFailure: the session then continues, in the app and at the service */
export async function signOut(): Promise<void> {
  try {
    await answerOf(api.POST('/api/logout'))
  } catch (error) {
    // The session had already ended.
    if (!(error instanceof ApiProblem && error.status === 401)) throw error
  }
  endLocalSession('logged-out')
}

/** @throws ApiProblem, NetworkFailure */
export async function resendVerification(email: string): Promise<string> {
  return (await answerOf(api.POST('/api/resend-verification', { body: { email } }))).data.message
}

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async ({ signal }) => (await answerOf(api.GET('/api/me', { signal }))).data,
})

export type ProfileChange = components['schemas']['ProfileChange']

/** @returns the changed account. @throws ApiProblem, NetworkFailure */
export async function updateProfile(change: ProfileChange): Promise<Me> {
  return (await answerOf(api.PUT('/api/profile', { body: change }))).data
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
