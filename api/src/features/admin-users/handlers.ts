import { administratorActor } from '../../plugins/administrator.ts'
import { handlersFor } from '../../plugins/contract.ts'
import { contentRange } from '../../plugins/list-query.ts'
import { listPlans } from './plan-list.ts'
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

  async updateUser({ services, principal, params, body, origin }) {
    const actor = administratorActor(principal, origin)
    return { body: adminUserBody(await updateUser(services, params.id, body, actor)) }
  },

  async listPlans({ services }) {
    const plans = await listPlans(services.knex)
    return { body: plans, headers: contentRange('plans', 0, plans.length, plans.length) }
  },
})
