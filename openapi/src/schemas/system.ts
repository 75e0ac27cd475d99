import { Type, type Static } from 'typebox'
import { record } from '../schema.ts'

export const Health = record(
  'Health',
  {
    status: Type.Enum(['ok', 'unavailable']),
    checks: Type.Object({
      database: Type.Enum(['ok', 'down']),
      schema: Type.Enum(['ok', 'behind', 'unknown']),
    }),
  },
  'The health of the API, its database and its schema. It does not include the other parts.',
)
export type Health = Static<typeof Health>
