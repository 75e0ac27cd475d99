import { Type, type Static } from 'typebox'
import { nullable, record } from '../schema.ts'

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

export const ServiceOperator = record(
  'ServiceOperator',
  {
    name: nullable(Type.String()),
    address: nullable(Type.String({ description: 'The postal address, on one line.' })),
    support_email: Type.String({ description: 'The email address for questions.' }),
  },
  'Who runs the service. Null: the operator has not said it.',
)
export type ServiceOperator = Static<typeof ServiceOperator>
