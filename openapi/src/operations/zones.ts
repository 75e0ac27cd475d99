import { Type } from 'typebox'
import type { Slice } from '../operation.ts'
import { ref } from '../schema.ts'
import { AvailableZone } from '../schemas/zones.ts'

export const zones = {
  listAvailableZones: {
    method: 'GET',
    url: '/api/zones/available',
    summary: 'Zones in which names can be registered',
    description: 'Also the check of a session: 401 when nobody is signed in.',
    access: 'caller',
    keyAction: 'read',
    success: {
      status: 200,
      description: 'The zones on offer, by name.',
      schema: Type.Array(ref(AvailableZone)),
      example: [{ zone: 'home.example.net' }],
    },
  },
} as const satisfies Slice
