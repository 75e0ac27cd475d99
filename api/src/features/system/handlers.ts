import { paymentMethodsOf } from '../../payments/configured.ts'
import { handlersFor } from '../../plugins/contract.ts'
import { checkHealth } from './health.ts'

export const systemHandlers = handlersFor('system', {
  async getHealth({ services }) {
    const health = await checkHealth(services)
    return { body: health, status: health.status === 'ok' ? 200 : 503 }
  },

  async getOperator({ services: { config, payments } }) {
    const { name = null, address = null, supportEmail } = config.operator
    return {
      body: {
        name,
        address,
        support_email: supportEmail,
        payment_methods: paymentMethodsOf(payments),
      },
    }
  },
})
