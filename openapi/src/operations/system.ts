import type { Slice } from '../operation.ts'
import { ref } from '../schema.ts'
import { Health } from '../schemas/system.ts'

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
} as const satisfies Slice
