import { reachOf } from '../../caller/principal.ts'
import { handlersFor } from '../../plugins/contract.ts'
import { checkPropagation } from './check-propagation.ts'

export const propagationHandlers = handlersFor('propagation', {
  async getPropagation({ services, principal, params }) {
    return { body: await checkPropagation(services, reachOf(principal), params.id) }
  },
})
