/** The sessions of the account, and the history of its sign-ins. */
import type { components } from '@homing/openapi/client'
import { queryOptions } from '@tanstack/react-query'
import { api } from './client.ts'
import { KEPT_CURRENT } from './kept-current.ts'
import { answerOf, deletionOf } from './problem.ts'

export type Session = components['schemas']['Session']
export type LoginAttempt = components['schemas']['LoginAttempt']

export const sessionsQuery = queryOptions({
  ...KEPT_CURRENT,
  queryKey: ['sessions'],
  queryFn: async ({ signal }) => (await answerOf(api.GET('/api/me/sessions', { signal }))).data,
})

/** Ends a session, unless it has already ended. @throws ApiProblem, NetworkFailure */
export async function endSession(id: string): Promise<void> {
  await deletionOf(answerOf(api.DELETE('/api/me/sessions/{id}', { params: { path: { id } } })))
}

/** Ends all sessions except this one. @throws ApiProblem, NetworkFailure */
export async function endOtherSessions(): Promise<void> {
  await answerOf(api.DELETE('/api/me/sessions'))
}

/** The sign-ins and failed attempts of the last 90 days, the newest first. */
export const loginsQuery = queryOptions({
  ...KEPT_CURRENT,
  queryKey: ['logins'],
  queryFn: async ({ signal }) =>
    (await answerOf(api.GET('/api/me/login-history', { signal }))).data,
})
