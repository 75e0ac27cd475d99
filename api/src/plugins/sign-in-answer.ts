/** The response of every way to sign in: browsers get a cookie that scripts cannot read, programs get a token. */
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

/** The HTTP call that signs in. */
export interface SignInCall {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly services: Services
}

/**
 * Lets browsers sign in only from pages of this service and under one of its own hosts. Otherwise another site could
 * sign a visitor in to an account of the site's owner.
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
 * Sends a new session to the client. In a browser it replaces the session whose cookie came with the call: the old
 * session ends, because nothing could sign it out later.
 *
 * @returns the body of the response
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

/** Records the new session, so that its first calls do not count against a limit that its network has used up. */
function expectSession(
  { server }: FastifyRequest,
  accountId: string,
  { isCookie, token }: { readonly isCookie: boolean; readonly token: string },
): void {
  server.expectCaller(isCookie ? token : `Bearer ${token}`, { accountId, keyId: undefined })
}

/**
 * Sends the new token of a session whose user has just confirmed their identity: by cookie or in the
 * body, as the call sent the old one.
 *
 * @returns the body of the response
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

/** @param token the session token, or `session` when a cookie carries it */
function signedInBody(session: BegunSession, token: string): SignedIn {
  const { user, createdAt, isDeletionCancelled } = session
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
    ...(isDeletionCancelled ? { deletion_cancelled: true } : {}),
  }
}
