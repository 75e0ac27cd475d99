import type { Slice } from '../operation.ts'
import { ref } from '../schema.ts'
import { Health } from '../schemas/system.ts'

export const system = {
  getHealth: {
    method: 'GET',
    url: '/api/health',
    summary: 'Whether the API can serve',
    access: 'public',
    anyHost: true,
    success: {
      status: 200,
      description: 'It can. 503 with the same body when it cannot.',
      schema: ref(Health),
      example: { status: 'ok', checks: { database: 'ok', schema: 'ok' } },
    },
  },
} as const satisfies Slice
