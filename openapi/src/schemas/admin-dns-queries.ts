import { Type, type Static } from 'typebox'
import { nullable, record, ref, Time } from '../schema.ts'
import { ADMIN_QUERY_GROUPS } from '../vocabulary.ts'

const AdminQueryRow = record('AdminQueryRow', {
  value: Type.String({
    description:
      'A zone, a country code of ISO 3166-1 (`ZZ`: not known), the number of an autonomous system (`0`: not known, or many small ones), or a type.',
    examples: ['AT'],
  }),
  label: Type.String({ description: 'The same, for people.', examples: ['Austria'] }),
  queries: Type.Integer({ minimum: 0, description: 'The number of queries.' }),
  share: Type.Number({
    minimum: 0,
    maximum: 100,
    description: 'Its part of all queries of the period, in percent with two decimals.',
  }),
})
export { AdminQueryRow }

export const AdminQueries = record(
  'AdminQueries',
  {
    by: Type.Enum([...ADMIN_QUERY_GROUPS]),
    from: Time,
    to: Time,
    total: Type.Integer({
      minimum: 0,
      description: 'All queries of the period, also those that no row counts.',
    }),
    counted_until: nullable({
      ...Time,
      description: 'Queries are counted up to about this time. Null: nothing was counted yet.',
    }),
    rows: Type.Array(ref(AdminQueryRow), { description: 'The most queries first.' }),
  },
  'The DNS queries for the domains of all accounts, for administrators.',
)
export type AdminQueries = Static<typeof AdminQueries>
