/** DNS queries of the whole service, for administrators. */
import { Type } from 'typebox'
import { listQuery } from '../list-query.ts'
import type { Slice } from '../operation.ts'
import { ref } from '../schema.ts'
import { QueriesOfService } from '../schemas/admin-queries.ts'
import { ADMIN_QUERY_DAYS, ADMIN_QUERY_GROUPS, ADMIN_QUERY_SORT } from '../vocabulary.ts'

export const adminQueries = {
  listAllQueries: {
    method: 'GET',
    url: '/api/admin/dns-queries',
    summary: 'List the DNS queries of the service by zone, country, network or type',
    description:
      'The most frequent first. Days are in UTC and include today. Queries for names without a domain count, too. Without `range`, the list has 25 items; the maximum is 100.',
    access: 'administrator',
    permission: 'administration',
    query: listQuery({
      sort: ADMIN_QUERY_SORT,
      filter: {
        by: `${ADMIN_QUERY_GROUPS.join(', ')}; default: zone`,
        days: `the number of days, as a text: ${ADMIN_QUERY_DAYS.join(', ')}; default: 7`,
        zone_id: 'the zone’s id or a list of ids',
        q: 'a part of the value',
        id: 'a value',
      },
    }),
    success: {
      status: 200,
      description: 'The queries.',
      schema: Type.Array(ref(QueriesOfService)),
      example: [{ id: 'AT', value: 'AT', label: 'Austria', queries: 91_000, share: 45.5 }],
      list: true,
    },
    problems: ['range-not-satisfiable'],
  },
} as const satisfies Slice
