/** The API client, which every call uses. The browser adds the session cookie; scripts never see a secret. */
import { Confirmation, createApiClient } from '@homing/openapi/client'
import { endLocalSession } from './session.ts'

/** Calls that require a recent confirmation of identity wait for it. */
export const confirmation = new Confirmation()

export const api = createApiClient({
  baseUrl: location.origin,
  credentials: 'same-origin',
  fetch: confirmation.fetch,
})

api.use({
  onResponse({ response, schemaPath }) {
    // The sign-in endpoints answer 401 to a wrong password or code. No session ended then.
    if (response.status === 401 && !schemaPath.startsWith('/api/login')) endLocalSession('expired')
  },
})
