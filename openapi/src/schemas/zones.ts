import { Type, type Static } from 'typebox'
import { record } from '../schema.ts'

export const AvailableZone = record('AvailableZone', {
  zone: Type.String({
    description: 'A zone in which you can register domains.',
    examples: ['home.example.net'],
  }),
})
export type AvailableZone = Static<typeof AvailableZone>
