import { Type, type Static } from 'typebox'
import { record } from '../schema.ts'

export const QueriesOfService = record(
  'QueriesOfService',
  {
    id: Type.String({ description: 'The same as `value`, for lists.', examples: ['AT'] }),
    value: Type.String({
      description: 'A zone, a country code, an autonomous system or a type.',
      examples: ['AT'],
    }),
    label: Type.String({ description: 'The same, for people.', examples: ['Austria'] }),
    queries: Type.Integer({ minimum: 0, description: 'The number of queries.' }),
    share: Type.Number({
      minimum: 0,
      maximum: 100,
      description: 'Its part of all queries of the list, in percent with two decimals.',
    }),
  },
  'DNS queries that the service answered, of all accounts.',
)
export type QueriesOfService = Static<typeof QueriesOfService>
