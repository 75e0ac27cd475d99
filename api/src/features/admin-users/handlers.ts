import { administratorActor } from '../../plugins/administrator.ts'
import { handlersFor } from '../../plugins/contract.ts'
import { contentRange } from '../../plugins/list-query.ts'
import { endUserSessions } from './end-sessions.ts'
import { resetSecondFactors } from './reset-second-factors.ts'
import { updateUser } from './update-user.ts'
import { adminUserBody, getUser, listUsers } from './user-list.ts'

export const adminUserHandlers = handlersFor('admin-users', {
  async listUsers({ services, query }) {
    const { users, offset, total } = await listUsers(services.knex, query)
    return {
      body: users.map(adminUserBody),
      headers: contentRange('users', offset, users.length, total),
    }
  },

  async getUser({ services, params }) {
    return { body: adminUserBody(await getUser(services.knex, params.id)) }
  },

  async updateUser({ services, principal, params, body, source }) {
    const actor = administratorActor(principal, source)
    return {
      body: adminUserBody(
        await updateUser(services, principal, { userId: params.id, change: body, actor }),
      ),
    }
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
