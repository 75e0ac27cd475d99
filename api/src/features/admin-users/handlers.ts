import { handlersFor } from '../../plugins/contract.ts'
import { contentRange } from '../../plugins/list-query.ts'
import { updateUser } from './update-user.ts'
import { adminUserBody, listUsers } from './user-list.ts'

export const adminUserHandlers = handlersFor('admin-users', {
  async listUsers({ services, query }) {
    const { users, offset, total } = await listUsers(services.knex, query)
    return {
      body: users.map(adminUserBody),
      headers: contentRange('users', offset, users.length, total),
    }
  },

  async updateUser({ services, principal, params, body, origin }) {
    const actor = {
      kind: 'administrator',
      id: principal.account.id,
      sourceIp: origin.ip,
      client: origin.userAgent,
    } as const
    return { body: adminUserBody(await updateUser(services, params.id, body, actor)) }
  },
})
