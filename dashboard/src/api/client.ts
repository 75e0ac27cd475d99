/** The only door to the service. The browser adds the session's cookie; no secret passes through scripts. */
import { createApiClient } from '@homing/openapi/client'
import { endLocalSession } from './session.ts'

export const api = createApiClient({ baseUrl: location.origin, credentials: 'same-origin' })

api.use({
  onResponse({ response, schemaPath }) {
    // Signing in answers 401 for a wrong password or code, and no session ended then.
    if (response.status === 401 && !schemaPath.startsWith('/api/login')) endLocalSession('expired')
  },
})
