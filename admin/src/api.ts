/**
 * The API as the back office calls it: the typed client of the contract. The session's cookie goes along.
 */
import { type components, createApiClient } from '@homing/openapi/client'

export const api = createApiClient({
  baseUrl: globalThis.location?.origin ?? 'http://localhost',
  credentials: 'same-origin',
  fetch: (request) => fetch(request),
})

export type Account = components['schemas']['Me']
export type Problem = components['schemas']['Problem']
export type AdminUser = components['schemas']['AdminUser']
export type AdminUserChange = components['schemas']['AdminUserChange']
export type AdminPlan = components['schemas']['AdminPlan']
export type AdminDomain = components['schemas']['AdminDomain']
