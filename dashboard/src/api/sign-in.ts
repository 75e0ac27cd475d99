/** Sign-in: with a password and what the service additionally requires, or with a passkey only. */
import { type components, isSignedIn } from '@homing/openapi/client'
import { startAuthentication } from '@simplewebauthn/browser'
import { api } from './client.ts'
import { answerOf } from './problem.ts'
import { beginLocalSession } from './session.ts'
import { forgetRegistration } from './sign-up.ts'

type Schemas = components['schemas']
export type CaptchaTerms = Schemas['CaptchaTerms']
/** The password was correct. The service requires one of these second factors. */
export type SecondFactorWish = Pick<Schemas['SecondFactorRequired'], 'login_token' | 'methods'>

export interface Password {
  readonly usernameOrEmail: string
  readonly password: string
  /** The token of a solved CAPTCHA, valid for one call. */
  readonly captchaToken?: string | undefined
}

/** The user is signed in only after all required steps. */
export type SignInOutcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'captcha'; readonly terms: CaptchaTerms }
  | { readonly kind: 'second-factor'; readonly wish: SecondFactorWish }

function begin(signedIn: Schemas['SignedIn']): void {
  const { id, username, email, account_type, plan, deletion_cancelled = false } = signedIn
  forgetRegistration()
  beginLocalSession({ id, username, email, account_type, plan }, deletion_cancelled)
}

/** @throws ApiProblem, NetworkFailure */
export async function signIn(given: Password): Promise<SignInOutcome> {
  const { usernameOrEmail, password, captchaToken } = given
  const captcha = captchaToken === undefined ? {} : { captcha_token: captchaToken }
  const body = { username_or_email: usernameOrEmail, password, ...captcha }
  const { data } = await answerOf(api.POST('/api/login', { body }))
  if (!isSignedIn(data)) {
    return 'requires_captcha' in data
      ? { kind: 'captcha', terms: data.captcha }
      : { kind: 'second-factor', wish: data }
  }
  begin(data)
  return { kind: 'done' }
}

/** A code from an authenticator app, or a recovery code. */
export type FactorCode = { readonly code: string } | { readonly recovery_code: string }

/** @throws ApiProblem, NetworkFailure */
export async function showSecondFactor(wish: SecondFactorWish, code: FactorCode): Promise<void> {
  const body = { login_token: wish.login_token, ...code }
  begin((await answerOf(api.POST('/api/login/second-factor', { body }))).data)
}

/** The user closed the browser's prompt, there is no passkey on this device, or the browser could not offer one. */
export class PasskeyNotUsed extends Error {
  override readonly name = 'PasskeyNotUsed'
}

interface PasskeyUse {
  /** Set when the passkey is the second factor after a password; undefined when the user signs in with the passkey only. */
  readonly wish?: SecondFactorWish | undefined
  /** The browser offers the passkey in its autofill list instead of a prompt. */
  readonly isAutofill?: boolean
}

/** The options for the browser's prompt. For autofill, an overloaded or unavailable service is not reported. */
async function passkeyOptions(login: { readonly login_token?: string }, isAutofill: boolean) {
  try {
    return (await answerOf(api.POST('/api/login/passkey/options', { body: login }))).data
  } catch (cause) {
    throw isAutofill
      ? new PasskeyNotUsed('Passkeys are not available at the moment.', { cause })
      : cause
  }
}

/**
 * Signs in with a passkey. This cancels a ceremony in progress, because a browser runs one at a time.
 *
 * @throws ApiProblem, NetworkFailure, PasskeyNotUsed
 */
export async function signInByPasskey({ wish, isAutofill = false }: PasskeyUse): Promise<void> {
  const login = wish === undefined ? {} : { login_token: wish.login_token }
  const optionsJSON = await passkeyOptions(login, isAutofill)
  const credential = await startAuthentication({
    optionsJSON,
    useBrowserAutofill: isAutofill,
    verifyBrowserAutofillInput: false,
  }).catch((cause: unknown) => {
    throw new PasskeyNotUsed('No passkey was used.', { cause })
  })
  begin((await answerOf(api.POST('/api/login/passkey', { body: { ...login, credential } }))).data)
}
