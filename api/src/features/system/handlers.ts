import { handlersFor } from '../../plugins/contract.ts'
import { checkHealth } from './health.ts'

export const systemHandlers = handlersFor('system', {
  async getHealth({ services }) {
    const health = await checkHealth(services)
    return { body: health, status: health.status === 'ok' ? 200 : 503 }
  },
})
