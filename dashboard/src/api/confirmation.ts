/** Confirmation of identity: the prompt that calls wait for, and the methods to answer it. */
import {
  type ConfirmationQuestion,
  type ConfirmationWays,
  confirmationWays,
  STEP_UP,
  typedProof,
} from '@homing/openapi/client'
import { browserSupportsWebAuthn, startAuthentication } from '@simplewebauthn/browser'
import { queryOptions } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { api, confirmation } from './client.ts'
import { answerOf, ApiProblem } from './problem.ts'
import { PasskeyNotUsed } from './sign-in.ts'

export type { ConfirmationWays } from '@homing/openapi/client'

/** The open prompt; undefined when there is no prompt. */
export const useConfirmationQuestion = (): ConfirmationQuestion | undefined =>
  useSyncExternalStore(confirmation.subscribe, confirmation.current, confirmation.current)

/** Whether a call failed because the user did not confirm their identity. */
export const isDeclined = (error: unknown): boolean =>
  error instanceof ApiProblem && error.code === STEP_UP

export const confirmationWaysQuery = queryOptions({
  queryKey: ['confirmation-ways'],
  async queryFn({ signal }): Promise<ConfirmationWays> {
    const { data } = await answerOf(api.GET('/api/me/second-factors', { signal }))
    return confirmationWays(data, isSecureContext && browserSupportsWebAuthn())
  },
  // Other tabs can add and remove factors.
  staleTime: 0,
  gcTime: 0,
})

/** @throws ApiProblem, NetworkFailure */
export async function confirmByText(text: string, typed: ConfirmationWays['typed']): Promise<void> {
  await answerOf(api.POST('/api/me/confirm', { body: typedProof(text, typed) }))
}

/** @throws ApiProblem, NetworkFailure, PasskeyNotUsed */
export async function confirmByPasskey(): Promise<void> {
  const { data: optionsJSON } = await answerOf(api.POST('/api/me/confirm/passkey/options'))
  const credential = await startAuthentication({ optionsJSON }).catch((cause: unknown) => {
    throw new PasskeyNotUsed('No passkey was used. Please try again.', { cause })
  })
  await answerOf(api.POST('/api/me/confirm/passkey', { body: { credential } }))
}
