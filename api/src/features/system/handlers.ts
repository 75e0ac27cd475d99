import { handlersFor } from '../../plugins/contract.ts'
import { checkHealth } from './health.ts'

export const systemHandlers = handlersFor('system', {
  async getHealth({ services }) {
    const health = await checkHealth(services)
    return { body: health, status: health.status === 'ok' ? 200 : 503 }
  },

  async getOperator({ services: { config } }) {
    const { name = null, address = null, supportEmail } = config.operator
    // The zones are in the order of the configuration.
    return {
      body: { name, address, support_email: supportEmail ?? `support@${config.zones[0]}` },
    }
  },
})
