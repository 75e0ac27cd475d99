/** The links of mails: requests them, checks them and uses them. */
import type { components } from '@homing/openapi/client'
import { queryOptions } from '@tanstack/react-query'
import type { WorkingCredentials } from './account.ts'
import { api } from './client.ts'
import { answerOf } from './problem.ts'
import { currentUser, endLocalSession } from './session.ts'

type Schemas = components['schemas']
export type ResetSubject = Schemas['ResetSubject']

/** @throws ApiProblem, NetworkFailure */
export async function forgotPassword(email: string): Promise<string> {
  return (await answerOf(api.POST('/api/forgot-password', { body: { email } }))).data.message
}

/**
 * Opens a link that verifies an address. In the browser that registered the account, this verifies it; in any other
 * browser the service answers `email-unconfirmed`.
 */
export const openedLinkQuery = (token: string) =>
  queryOptions({
    queryKey: ['verification', token],
    queryFn: async () =>
      (await answerOf(api.GET('/api/verify-email/{token}', { params: { path: { token } } }))).data
        .message,
    // The link works once: a second call would get another answer.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })

/** Verifies the address of a link. @throws ApiProblem, NetworkFailure */
export async function verifyEmail(token: string): Promise<void> {
  await answerOf(api.POST('/api/verify-email', { body: { token } }))
}

/** The account whose password a link sets. This does not use the link up. */
export const resetSubjectQuery = (token: string) =>
  queryOptions({
    queryKey: ['reset', token],
    queryFn: async ({ signal }) =>
      (
        await answerOf(
          api.GET('/api/verify-reset-token/{token}', { params: { path: { token } }, signal }),
        )
      ).data,
    staleTime: Number.POSITIVE_INFINITY,
  })

export interface NewPassword {
  readonly token: string
  readonly password: string
  readonly revokesCredentials: boolean
}

/**
 * Sets the password. All sessions of the account end, the one of this browser too: call `endOwnSession` when the screen
 * has the answer.
 *
 * @returns the credentials beside the password that still work
 * @throws ApiProblem, NetworkFailure
 */
export async function resetPassword(wanted: NewPassword): Promise<WorkingCredentials> {
  const { token, password, revokesCredentials } = wanted
  const body = {
    token,
    new_password: password,
    ...(revokesCredentials ? { revoke_credentials: true } : {}),
  }
  const { data } = await answerOf(api.POST('/api/reset-password', { body }))
  return data.working_credentials
}

/** Signs this browser out if it is signed in to the account whose sessions have ended. */
export function endOwnSession(username: string): void {
  if (currentUser()?.username === username) endLocalSession('logged-out')
}

/** Confirms a change of address at the address of the link. @throws ApiProblem, NetworkFailure */
export async function confirmEmailChange(token: string): Promise<Schemas['EmailConfirmation']> {
  return (await answerOf(api.POST('/api/confirm-email-change', { body: { token } }))).data
}
