/** A fresh proof of who one is: by what is typed, or by a passkey. */
import { typedCode } from '@homing/openapi/client'
import { browserSupportsWebAuthn, startAuthentication } from '@simplewebauthn/browser'
import { api } from '../api.ts'
import { problemError } from '../problem.ts'

/** In what ways the administrator can give it. */
export interface Ways {
  /** What may be typed; undefined: nothing, the account has passkeys alone. */
  readonly typed: 'password' | 'code' | 'recovery-code' | undefined
  readonly hasPasskey: boolean
}

interface Answered<T> {
  readonly data?: T | undefined
  readonly error?: unknown
  readonly response: Response
}

/** What a call answered. @throws HttpError */
async function answerOf<T>(called: Promise<Answered<T>>): Promise<T> {
  const { data, error, response } = await called.catch(() => {
    throw problemError(0, undefined)
  })
  if (data === undefined) throw problemError(response.status, error)
  return data
}

/** @throws HttpError */
export async function waysToConfirm(): Promise<Ways> {
  const { is_on: isOn, methods } = await answerOf(api.GET('/api/me/second-factors'))
  if (!isOn) return { typed: 'password', hasPasskey: false }
  const paper = methods.includes('recovery_code') ? 'recovery-code' : undefined
  const hasPasskey = methods.includes('passkey') && isSecureContext && browserSupportsWebAuthn()
  return { typed: methods.includes('totp') ? 'code' : paper, hasPasskey }
}

/** @throws HttpError */
export async function confirmByText(text: string, typed: Ways['typed']): Promise<void> {
  const body = typed === 'password' ? { password: text } : typedCode(text)
  await answerOf(api.POST('/api/me/confirm', { body }))
}

/** @throws HttpError, and Error when the person or the browser shows none */
export async function confirmByPasskey(): Promise<void> {
  const optionsJSON = await answerOf(api.POST('/api/me/confirm/passkey/options'))
  const credential = await startAuthentication({ optionsJSON }).catch((cause: unknown) => {
    throw new Error('No passkey was used. Please try again.', { cause })
  })
  await answerOf(api.POST('/api/me/confirm/passkey', { body: { credential } }))
}
