import { Type } from 'typebox'
import type { Slice } from '../operation.ts'
import { ref } from '../schema.ts'
import { AvailableZone } from '../schemas/zones.ts'

export const zones = {
  listAvailableZones: {
    method: 'GET',
    url: '/api/zones/available',
    summary: 'List the available zones',
    description:
      'Returns the zones in which you can register domains: those of the service, and your active own zones. You can also use this call to check a session: without a valid one, the status is 401.',
    access: 'caller',
    keyAction: 'read',
    success: {
      status: 200,
      description: 'The available zones, sorted by name.',
      schema: Type.Array(ref(AvailableZone)),
      example: [{ zone: 'home.example.net' }],
    },
  },
} as const satisfies Slice
