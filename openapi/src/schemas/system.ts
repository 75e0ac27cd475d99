import { Type, type Static } from 'typebox'
import { nullable, record, ref } from '../schema.ts'

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

export const PaymentMethods = record(
  'PaymentMethods',
  {
    card: Type.Boolean({ description: 'Whether plans can be paid for by card.' }),
    paypal: Type.Boolean({ description: 'Whether plans can be paid for by PayPal.' }),
  },
  'The payment methods of this service. Without one, its plans cannot be bought.',
)
export type PaymentMethods = Static<typeof PaymentMethods>

export const ServiceOperator = record(
  'ServiceOperator',
  {
    name: nullable(Type.String()),
    address: nullable(Type.String({ description: 'The postal address, on one line.' })),
    support_email: Type.String({ description: 'The email address for questions.' }),
    payment_methods: ref(PaymentMethods),
  },
  'Who runs the service, and how its plans can be paid for. Null: the operator has not said it.',
)
export type ServiceOperator = Static<typeof ServiceOperator>
