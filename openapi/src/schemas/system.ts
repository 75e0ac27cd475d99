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
  'Whether this api, its database and its schema can serve. It does not speak of the other parts.',
)
export type Health = Static<typeof Health>
