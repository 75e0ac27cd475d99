/** Sessions and keys that are kept between commands. */
import { apiAt, type ApiOptions, bodyOf, listOf } from './api.ts'
import { EXIT } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'
import type { Profile } from './profiles.ts'

interface SignedIn {
  readonly kept: Profile
  /** Undefined for a key, which does not tell. */
  readonly plan?: string
}

type Trace = ApiOptions['trace']

const CAPTCHA =
  'The service wants to see that you are no machine. Sign in with a browser, make an API key there, and give it to homing login --with-token.'

const SECOND_FACTOR =
  'This account wants a second factor. Sign in with a browser, make an API key there, and give it to homing login --with-token.'

/** Begins a session. @throws CommandFailure when the service refuses */
export async function signInByPassword(
  server: string,
  { username, password }: { readonly username: string; readonly password: string },
  trace: Trace,
): Promise<SignedIn> {
  const answer = await apiAt(server, { trace }).POST('/api/login', {
    body: { username_or_email: username, password },
  })
  const data = bodyOf(answer)
  if ('requires_captcha' in data) throw new CommandFailure(EXIT.auth, CAPTCHA)
  if ('requires_second_factor' in data) throw new CommandFailure(EXIT.auth, SECOND_FACTOR)
  const { token, username: name, plan } = bodyOf({ ...answer, data }, 'token', 'username')
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
  const api = apiAt(server, { authorization: `Bearer ${token}`, trace })
  // A key may not ask whose it is.
  const me = await api.GET('/api/me')
  if (me.response.ok) {
    const { username, plan } = bodyOf(me, 'username')
    return { kept: { server, kind: 'session', token, username }, plan }
  }
  listOf(await api.GET('/api/zones/available'), 'zone')
  return { kept: { server, kind: 'key', token } }
}

/** Ends a kept session on its server; whether it has ended there. A key lives on, and so does an unreachable session. */
export async function endSession({ server, kind, token }: Profile, trace: Trace): Promise<boolean> {
  if (kind === 'key') return false
  const api = apiAt(server, { authorization: `Bearer ${token}`, trace })
  const answer = await api.POST('/api/logout').catch(() => undefined)
  // 401: it had ended before.
  return answer !== undefined && (answer.response.ok || answer.response.status === 401)
}
