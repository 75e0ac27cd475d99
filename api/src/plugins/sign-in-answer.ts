/** What every way to sign in answers: a cookie that scripts cannot read for browsers, a token for programs. */
import type { Confirmed, SignedIn } from '@homing/openapi'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { BegunSession } from '../credentials/complete-sign-in.ts'
import { CONFIRMED_FOR_MS } from '../credentials/confirmation.ts'
import { endSessionOf } from '../credentials/session.ts'
import { Refusal } from '../rules/errors.ts'
import type { SessionPrincipal } from '../caller/principal.ts'
import type { Services } from '../compose.ts'
import { isFromBrowser, isSameOrigin } from './same-origin.ts'
import { sessionCookie, setSessionCookie } from './session-cookie.ts'

/** The call that signs in, as HTTP knows it. */
export interface SignInCall {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly services: Services
}

/**
 * Lets browsers sign in from pages of this service alone, under one of its own hosts: another site could sign its visitor in
 * to an account of its own.
 *
 * @throws Refusal `cross-site`, `misdirected-request`
 */
export function requireOwnPage({ request, services }: SignInCall): void {
  const { headers, server } = request
  if (!isFromBrowser(headers)) return
  server.requireOwnHost(request)
  if (!isSameOrigin(headers, services.config.publicUrl)) {
    throw new Refusal('cross-site', 'This request came from another site.')
  }
}

/**
 * Hands a new session over. In a browser it takes the place of the one whose cookie came with the call: that one ends,
 * or it would live on with nobody to sign it out.
 *
 * @returns what the answer says
 */
export async function handOver(
  { request, reply, services }: SignInCall,
  session: BegunSession,
): Promise<SignedIn> {
  const isCookie = isFromBrowser(request.headers)
  expectSession(request, session.user.id, { isCookie, token: session.token })
  if (!isCookie) return signedInBody(session, session.token)
  const former = sessionCookie(request, services.config)
  if (former !== undefined) await endSessionOf(services, former)
  setSessionCookie(reply, services.config, session.token)
  return signedInBody(session, 'session')
}

/** What its network has used up of tries is not for whoever was let in a moment ago. */
function expectSession(
  { server }: FastifyRequest,
  accountId: string,
  { isCookie, token }: { readonly isCookie: boolean; readonly token: string },
): void {
  server.expectCaller(isCookie ? token : `Bearer ${token}`, { accountId, keyId: undefined })
}

/**
 * Hands over the new token of a session whose person proved once more who they are, the way it came.
 *
 * @returns what the answer says
 */
export function handOverRenewed(
  { request, reply, services }: SignInCall,
  { account }: SessionPrincipal,
  token: string,
): Confirmed {
  const until = new Date(services.now().getTime() + CONFIRMED_FOR_MS)
  const isCookie = request.headers.authorization === undefined
  expectSession(request, account.id, { isCookie, token })
  if (isCookie) setSessionCookie(reply, services.config, token)
  return { token: isCookie ? 'session' : token, confirmed_until: until.toISOString() }
}

/** @param token the session, or `session` when a cookie carries it */
function signedInBody({ user, createdAt }: BegunSession, token: string): SignedIn {
  return {
    token,
    id: user.id,
    user_id: user.id,
    username: user.username,
    email: user.email,
    account_type: user.account_type,
    role: user.account_type,
    plan: user.account_type,
    given_name: user.given_name,
    surname: user.surname,
    session_created: createdAt.toISOString(),
  }
}
