/** The API client, which every call uses. The browser adds the session cookie; scripts never see a secret. */
import { Confirmation, createApiClient } from '@homing/openapi/client'
import { answerAhead } from './ahead.ts'
import { SIGNED_IN_AGAIN } from './problem.ts'
import { acceptSession, currentUser, sessionRound, signedInAgain } from './session.ts'

/** Calls that require a recent confirmation of identity wait for it. */
export const confirmation = new Confirmation()

/** The sign-in endpoints answer 401 to a wrong password or code. After a sign-out, nobody signs in again. */
const hasOwn401 = ({ url }: Request): boolean =>
  /^\/api\/log(in|out)(\/|$)/.test(new URL(url).pathname)

/**
 * Waits for the user when the service refuses the session, and then reads again. A change is not sent again: between the
 * press of its button and the sign-in, which can happen in another tab, the user may have forgotten it. Its form says so.
 */
async function fetchInSession(request: Request): Promise<Response> {
  const again = request.method === 'GET' ? request.clone() : undefined
  const asked = sessionRound()
  const response = await fetchConfirmed(request)
  if (response.status !== 401 || currentUser() === undefined || hasOwn401(request)) return response
  // The call can have been on its way while the user signed in again.
  const isBack = sessionRound() !== asked || (await signedInAgain())
  if (!isBack) return response
  return again === undefined
    ? Response.json(SIGNED_IN_AGAIN, { status: 401 })
    : fetchConfirmed(again)
}

async function fetchConfirmed(request: Request): Promise<Response> {
  const response = await (answerAhead(request) ?? confirmation.fetch(request))
  if (response.ok && !hasOwn401(request)) acceptSession()
  return response
}

export const api = createApiClient({
  // The build writes the sign-in screen, without a browser.
  baseUrl: typeof location === 'undefined' ? '' : location.origin,
  credentials: 'same-origin',
  fetch: fetchInSession,
})
