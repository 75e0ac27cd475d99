/** Sessions and keys that are stored between commands. */
import { type components, typedCode } from '@homing/openapi/client'
import { type Answer, apiAt, type ApiOptions, bodyOf, listOf } from './api.ts'
import { solveCaptcha } from './captcha.ts'
import { EXIT } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'
import type { Profile } from './profiles.ts'
import type { Asking } from './prompts.ts'
import { askFactorCode } from './second-factor.ts'

interface SignedIn {
  readonly kept: Profile
  /** Undefined for a key, which does not reveal it. */
  readonly plan?: string
}

type Schemas = components['schemas']
type Trace = ApiOptions['trace']

const CAPTCHA_REFUSED = 'The service did not accept the solved CAPTCHA. Try again.'
const GIVE_CODE = 'give it with homing login --code, or use an API key'

export interface PasswordSignIn {
  readonly username: string
  readonly password: string
  /** A code of the second factor, from `--code`. */
  readonly code?: string | undefined
}

interface SignInAids {
  readonly trace: Trace
  readonly asking: Asking
  /** Called before a step that takes a while. */
  readonly note?: (line: string) => void
}

/**
 * Starts a session. Solves the CAPTCHA if the service requires one, and asks for the second factor if the account has one.
 *
 * @throws CommandFailure when the service refuses, or prompts are not possible
 */
export async function signInByPassword(
  server: string,
  { username, password, code }: PasswordSignIn,
  { trace, asking, note }: SignInAids,
): Promise<SignedIn> {
  const api = await apiAt(server, { trace })
  const body = { username_or_email: username, password }
  let answer: Answer<Schemas['LoginAnswer']> = await api.POST('/api/login', { body })
  let data = bodyOf(answer)
  if ('requires_captcha' in data) {
    note?.('After failed sign-ins, the service requires a CAPTCHA. Solving it…')
    const captcha_token = await solveCaptcha(api, data.captcha)
    answer = await api.POST('/api/login', { body: { ...body, captcha_token } })
    data = bodyOf(answer)
    if ('requires_captcha' in data) throw new CommandFailure(EXIT.auth, CAPTCHA_REFUSED)
  }
  if ('requires_second_factor' in data) {
    const { login_token, methods } = data
    const given =
      code === undefined ? await askFactorCode(asking, methods, GIVE_CODE) : typedCode(code)
    answer = await api.POST('/api/login/second-factor', { body: { login_token, ...given } })
  }
  const {
    token,
    username: name,
    plan,
  } = bodyOf(answer as Answer<Schemas['SignedIn']>, 'token', 'username')
  return { kept: { server, kind: 'session', token, username: name }, plan }
}

/**
 * Tries a key or the token of a session.
 *
 * @throws CommandFailure when it is not valid
 */
export async function signInByToken(
  server: string,
  token: string,
  trace: Trace,
): Promise<SignedIn> {
  const api = await apiAt(server, { authorization: `Bearer ${token}`, trace })
  // An API key cannot read its account.
  const me = await api.GET('/api/me')
  if (me.response.ok) {
    const { username, plan } = bodyOf(me, 'username')
    return { kept: { server, kind: 'session', token, username }, plan }
  }
  listOf(await api.GET('/api/zones/available'), 'zone')
  return { kept: { server, kind: 'key', token } }
}

/** Ends a stored session; returns whether it has ended on its server. A key stays valid, and so does a session that the server did not end. */
export async function endSession({ server, kind, token }: Profile, trace: Trace): Promise<boolean> {
  if (kind === 'key') return false
  const api = await apiAt(server, { authorization: `Bearer ${token}`, trace })
  const answer = await api.POST('/api/logout').catch(() => undefined)
  // 401: it had ended before.
  return answer !== undefined && (answer.response.ok || answer.response.status === 401)
}
