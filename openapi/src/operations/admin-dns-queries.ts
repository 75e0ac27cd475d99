/** DNS queries of all accounts, for administrators: by zone, country, network or type. */
import { Type } from 'typebox'
import type { Slice } from '../operation.ts'
import { ref } from '../schema.ts'
import { AdminQueries } from '../schemas/admin-dns-queries.ts'
import { ADMIN_QUERY_GROUPS, ADMIN_QUERY_ROWS, QUERY_RESOLUTIONS } from '../vocabulary.ts'

export const adminDnsQueries = {
  listQueryCounts: {
    method: 'GET',
    url: '/api/admin/dns-queries',
    summary: 'Count the DNS queries of all accounts',
    description: `The period is widened to whole hours, and to whole days (UTC) if it begins more than ${QUERY_RESOLUTIONS['1h'].keptDays} days ago. \`from\` and \`to\` of the response are the period that was counted.`,
    access: 'administrator',
    permission: 'administration',
    query: Type.Object({
      by: Type.Enum([...ADMIN_QUERY_GROUPS], { description: 'What each row counts.' }),
      from: Type.Optional(
        Type.String({
          format: 'date-time',
          description: `At most ${QUERY_RESOLUTIONS['1d'].keptDays} days ago. Default: 24 hours before \`to\`.`,
        }),
      ),
      to: Type.Optional(Type.String({ format: 'date-time', description: 'Default: now.' })),
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: ADMIN_QUERY_ROWS.maximum,
          description: `The maximum number of rows. Default: ${ADMIN_QUERY_ROWS.usual}.`,
        }),
      ),
    }),
    success: {
      status: 200,
      description: 'The rows.',
      schema: ref(AdminQueries),
      example: {
        by: 'country',
        from: '2026-05-11T08:00:00.000Z',
        to: '2026-05-12T09:00:00.000Z',
        total: 1_204_000,
        counted_until: '2026-05-12T08:30:00.000Z',
        rows: [
          { value: 'AT', label: 'Austria', queries: 903_000, share: 75 },
          { value: 'ZZ', label: 'Not known', queries: 120_400, share: 10 },
        ],
      },
    },
  },
} as const satisfies Slice
