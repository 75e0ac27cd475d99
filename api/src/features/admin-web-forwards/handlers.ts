import { administratorActor } from '../../plugins/administrator.ts'
import { handlersFor } from '../../plugins/contract.ts'
import { contentRange } from '../../plugins/list-query.ts'
import { adminForwardBody, listAllForwards } from './forward-list.ts'
import { moderateForward } from './moderate-forward.ts'

export const adminWebForwardHandlers = handlersFor('admin-web-forwards', {
  async listAllWebForwards({ services, query }) {
    const { forwards, offset, total } = await listAllForwards(services.knex, query)
    return {
      body: forwards.map(adminForwardBody),
      headers: contentRange('web-forwards', offset, forwards.length, total),
    }
  },

  async moderateWebForward({ services, principal, params, body, source }) {
    const actor = { ...administratorActor(principal, source), id: principal.account.id }
    return { body: adminForwardBody(await moderateForward(services.knex, params.id, body, actor)) }
  },
})
