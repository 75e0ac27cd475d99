/** Signing in: by a password and what the service wants beside it, or by a passkey alone. */
import { type components, isSignedIn } from '@homing/openapi/client'
import { startAuthentication } from '@simplewebauthn/browser'
import { api } from './client.ts'
import { answerOf } from './problem.ts'
import { beginLocalSession } from './session.ts'

type Schemas = components['schemas']
export type CaptchaTerms = Schemas['CaptchaTerms']
/** A password that was right, and what is to be shown beside it. */
export type SecondFactorWish = Pick<Schemas['SecondFactorRequired'], 'login_token' | 'methods'>

export interface Password {
  readonly usernameOrEmail: string
  readonly password: string
  /** Of a CAPTCHA that was solved for this call: it is good for one. */
  readonly captchaToken?: string | undefined
}

/** Nobody is signed in before the service has seen what it asks for. */
export type SignInOutcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'captcha'; readonly terms: CaptchaTerms }
  | { readonly kind: 'second-factor'; readonly wish: SecondFactorWish }

function begin({ id, username, email, account_type, plan }: Schemas['SignedIn']): void {
  beginLocalSession({ id, username, email, account_type, plan })
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

/** What a second factor is shown by: digits of an app, or one of the codes that were kept for its loss. */
export type FactorCode = { readonly code: string } | { readonly recovery_code: string }

/** @throws ApiProblem, NetworkFailure */
export async function showSecondFactor(wish: SecondFactorWish, code: FactorCode): Promise<void> {
  const body = { login_token: wish.login_token, ...code }
  begin((await answerOf(api.POST('/api/login/second-factor', { body }))).data)
}

/** The person closed the browser's question, or has no passkey here, or none could be offered. */
export class PasskeyNotUsed extends Error {
  override readonly name = 'PasskeyNotUsed'
}

interface PasskeyUse {
  /** The password that was right, to which the passkey is the second factor; none: the passkey is all. */
  readonly wish?: SecondFactorWish | undefined
  /** Offered among what the browser fills in, and not in a window of its own. */
  readonly isAutofill?: boolean
}

/** What a browser needs to ask for one. Where it would only have been offered, a service that is busy or away is no news. */
async function passkeyOptions(login: { readonly login_token?: string }, isAutofill: boolean) {
  try {
    return (await answerOf(api.POST('/api/login/passkey/options', { body: login }))).data
  } catch (cause) {
    throw isAutofill ? new PasskeyNotUsed('No passkey can be offered.', { cause }) : cause
  }
}

/**
 * Signs in by a passkey. A ceremony that is still waiting is given up for this one: a browser has one at a time.
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
