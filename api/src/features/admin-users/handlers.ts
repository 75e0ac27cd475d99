import type { AdminUser } from '@homing/openapi'
import { administratorActor } from '../../plugins/administrator.ts'
import type { Answer } from '../../plugins/call.ts'
import { handlersFor } from '../../plugins/contract.ts'
import { contentRange } from '../../plugins/list-query.ts'
import { endUserSessions } from './end-sessions.ts'
import { resetSecondFactors } from './reset-second-factors.ts'
import { updateUser } from './update-user.ts'
import { adminUserBody, getUser, listUsers, type UserRow } from './user-list.ts'

/** One account, with its version as ETag (RFC 9110 §8.8.3). */
function userAnswer(row: UserRow): Answer<AdminUser> {
  const body = adminUserBody(row)
  return { body, headers: { etag: `"${body.version}"` } }
}

export const adminUserHandlers = handlersFor('admin-users', {
  async listUsers({ services, query }) {
    const { users, offset, total } = await listUsers(services.knex, query)
    return {
      body: users.map(adminUserBody),
      headers: contentRange('users', offset, users.length, total),
    }
  },

  async getUser({ services, params }) {
    return userAnswer(await getUser(services.knex, params.id))
  },

  async updateUser({ services, principal, params, body, source, request }) {
    const actor = administratorActor(principal, source)
    const ifMatch = request.headers['if-match']
    const wanted = { userId: params.id, change: body, ifMatch, actor }
    return userAnswer(await updateUser(services, principal, wanted))
  },

  async endUserSessions({ services, principal, params }) {
    await endUserSessions(services, principal, params.id)
    return { body: undefined }
  },

  async resetSecondFactors({ services, principal, params }) {
    await resetSecondFactors(services, principal.account, params.id)
    return { body: undefined }
  },
})
