/** The passkeys of the account. */
import type { components } from '@homing/openapi/client'
import { browserSupportsWebAuthn, startRegistration } from '@simplewebauthn/browser'
import { queryOptions } from '@tanstack/react-query'
import { api } from './client.ts'
import { KEPT_CURRENT } from './kept-current.ts'
import { answerOf } from './problem.ts'

export type Passkey = components['schemas']['Passkey']
export type AddedPasskey = components['schemas']['AddedPasskey']

/** Browsers offer passkeys only on HTTPS pages. */
export const canCreatePasskeys = (): boolean => isSecureContext && browserSupportsWebAuthn()

/** The browser created no passkey. */
class PasskeyNotCreated extends Error {
  override readonly name = 'PasskeyNotCreated'
}

export const passkeysQuery = queryOptions({
  ...KEPT_CURRENT,
  queryKey: ['passkeys'],
  queryFn: async ({ signal }) => (await answerOf(api.GET('/api/me/passkeys', { signal }))).data,
})

function notCreated(cause: unknown): never {
  // The browser recognises a passkey of this account on the device.
  const exists = cause instanceof Error && cause.name === 'InvalidStateError'
  const text = exists
    ? 'This device already has a passkey for your account.'
    : 'No passkey was created. Please try again.'
  throw new PasskeyNotCreated(text, { cause })
}

/** Lets the browser create a passkey. @throws ApiProblem, NetworkFailure, PasskeyNotCreated */
export async function addPasskey(name: string): Promise<AddedPasskey> {
  const { data: optionsJSON } = await answerOf(api.POST('/api/me/passkeys/options'))
  const credential = await startRegistration({ optionsJSON }).catch(notCreated)
  return (await answerOf(api.POST('/api/me/passkeys', { body: { name, credential } }))).data
}

/** @throws ApiProblem, NetworkFailure */
export async function renamePasskey(id: string, name: string): Promise<Passkey> {
  const params = { path: { id } }
  return (await answerOf(api.PUT('/api/me/passkeys/{id}', { params, body: { name } }))).data
}

/** @throws ApiProblem, NetworkFailure */
export async function removePasskey(id: string): Promise<void> {
  await answerOf(api.DELETE('/api/me/passkeys/{id}', { params: { path: { id } } }))
}
