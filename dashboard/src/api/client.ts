/** The only door to the service. The browser adds the session's cookie; no secret passes through scripts. */
import { Confirmation, createApiClient } from '@homing/openapi/client'
import { endLocalSession } from './session.ts'

/** Calls that need a fresh proof of identity wait for it. */
export const confirmation = new Confirmation()

export const api = createApiClient({
  baseUrl: location.origin,
  credentials: 'same-origin',
  fetch: confirmation.fetch,
})

api.use({
  onResponse({ response, schemaPath }) {
    // Signing in answers 401 for a wrong password or code, and no session ended then.
    if (response.status === 401 && !schemaPath.startsWith('/api/login')) endLocalSession('expired')
  },
})
