/** Confirmation of identity: with a password, a code or a passkey. */
import { type ConfirmationWays, confirmationWays, typedProof } from '@homing/openapi/client'
import { browserSupportsWebAuthn, startAuthentication } from '@simplewebauthn/browser'
import { api } from '../api/client.ts'
import { problemError } from '../api/problem.ts'

interface Answered<T> {
  readonly data?: T | undefined
  readonly error?: unknown
  readonly response: Response
}

/** The response of a call. @throws HttpError */
async function answerOf<T>(called: Promise<Answered<T>>): Promise<T> {
  const { data, error, response } = await called.catch(() => {
    throw problemError(0, undefined)
  })
  if (data === undefined) throw problemError(response.status, error)
  return data
}

/** @throws HttpError */
export async function waysToConfirm(): Promise<ConfirmationWays> {
  const factors = await answerOf(api.GET('/api/me/second-factors'))
  return confirmationWays(factors, isSecureContext && browserSupportsWebAuthn())
}

/** @throws HttpError */
export async function confirmByText(text: string, typed: ConfirmationWays['typed']): Promise<void> {
  await answerOf(api.POST('/api/me/confirm', { body: typedProof(text, typed) }))
}

/** @throws HttpError; Error when the user or the browser provides no passkey */
export async function confirmByPasskey(): Promise<void> {
  const optionsJSON = await answerOf(api.POST('/api/me/confirm/passkey/options'))
  const credential = await startAuthentication({ optionsJSON }).catch((cause: unknown) => {
    throw new Error('No passkey was used. Please try again.', { cause })
  })
  await answerOf(api.POST('/api/me/confirm/passkey', { body: { credential } }))
}
