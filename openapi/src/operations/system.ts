import type { Slice } from '../operation.ts'
import { ref } from '../schema.ts'
import { Health, ServiceOperator } from '../schemas/system.ts'

export const system = {
  getHealth: {
    method: 'GET',
    url: '/api/health',
    summary: 'Get the health of the API',
    access: 'public',
    anyHost: true,
    openQuery: true,
    success: {
      status: 200,
      description:
        'The API can handle requests. If it cannot, the status is 503 with the same body.',
      schema: ref(Health),
      example: { status: 'ok', checks: { database: 'ok', schema: 'ok' } },
    },
  },
  getOperator: {
    method: 'GET',
    url: '/api/operator',
    summary: 'Get who runs the service',
    description: 'For help, as the seller on invoices, and for what can be bought.',
    access: 'public',
    success: {
      status: 200,
      description: 'The operator.',
      schema: ref(ServiceOperator),
      example: {
        name: 'Example Networks Ltd',
        address: '1 Example Street, Springfield',
        support_email: 'support@example.net',
        payment_methods: { card: true, paypal: true },
      },
    },
  },
} as const satisfies Slice
