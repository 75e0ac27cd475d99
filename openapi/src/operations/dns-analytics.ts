/** DNS analytics: how often domains are queried, from where, and for what. */
import { Type } from 'typebox'
import type { Slice } from '../operation.ts'
import { Id, ref } from '../schema.ts'
import { DnsSummary, ExportedQueries, QuerySeries } from '../schemas/dns-analytics.ts'
import { QUERY_DIMENSIONS, QUERY_PARTS_LIMIT } from '../vocabulary.ts'

const summaryExample: DnsSummary = {
  total_queries_24h: 1840,
  total_queries_7d: 12_400,
  total_queries_30d: 51_200,
  query_trend: 'up',
  trend_percent: 4.2,
  trend_percent_7d: 1.1,
  trend_percent_30d: null,
  queries_by_domain: [{ domain_id: '42', fqdn: 'home.example.net', queries: 41_000 }],
  top_countries: [{ country_code: 'AT', queries: 9_100 }],
  top_asns: [{ asn: 64_496, as_org: 'Example Net', queries: 7_400 }],
  counted_until: '2026-05-12T08:30:00.000Z',
}

const period = {
  from: Type.Optional(
    Type.String({ format: 'date-time', description: 'Default: 24 hours before `to`.' }),
  ),
  to: Type.Optional(Type.String({ format: 'date-time', description: 'Default: now.' })),
  resolution: Type.Optional(
    Type.Enum(['5m', '1h', '1d'], {
      description: `The width of the parts, at most ${QUERY_PARTS_LIMIT} of them. \`5m\` goes back 2 days, \`1h\` 35 days, \`1d\` 400 days. Default: the finest that fits.`,
    }),
  ),
  domain_id: Type.Optional({ ...Id, description: 'One of your domains. Default: all of them.' }),
  dimension: Type.Optional(
    Type.Enum([...QUERY_DIMENSIONS], {
      description: 'Groups the queries by this dimension. Only one is possible.',
    }),
  ),
}

const summary = {
  method: 'GET',
  summary: 'Summarize the DNS queries for your domains',
  description:
    'Totals of the last 24 hours, 7 and 30 days with their trends, up to the present hour, and for 30 days up to today (UTC), so that they equal the sums of a series; queries by domain over 30 days; countries and networks over 7 days. Plans without DNS analytics get the totals and the trends. Queries below a domain count for it.',
  access: 'caller',
  keyAction: 'read',
  success: {
    status: 200,
    description: 'The summary.',
    schema: ref(DnsSummary),
    example: summaryExample,
  },
} as const

export const dnsAnalytics = {
  getDnsSummary: { ...summary, url: '/api/dns-analytics/summary' },
  /** Ad blockers refuse URLs with `analytics`. */
  getDnsStats: { ...summary, url: '/api/dns-stats/summary' },
  getQuerySeries: {
    method: 'GET',
    url: '/api/dns-stats/series',
    summary: 'Get DNS queries over time',
    access: 'caller',
    keyAction: 'read',
    query: Type.Object(period),
    success: {
      status: 200,
      description: 'The series.',
      schema: ref(QuerySeries),
      example: {
        from: '2026-05-12T07:00:00.000Z',
        to: '2026-05-12T08:00:00.000Z',
        resolution: '1h',
        domain_id: '42',
        dimension: 'type',
        total: 84,
        previous_total: 79,
        values: [
          { value: 'A', label: 'A', queries: 60 },
          { value: 'AAAA', label: 'AAAA', queries: 24 },
        ],
        parts: [
          {
            from: '2026-05-12T07:00:00.000Z',
            to: '2026-05-12T08:00:00.000Z',
            queries: 84,
            is_partial: false,
            values: [60, 24],
          },
        ],
        previous: [79],
        markers: [
          {
            at: '2026-05-12T07:12:00.000Z',
            domain_id: '42',
            fqdn: 'home.example.net',
            address: '198.51.100.7',
          },
        ],
      },
    },
    problems: ['not-found', 'plan-required'],
  },
  exportQueries: {
    method: 'GET',
    url: '/api/dns-stats/export',
    summary: 'Export DNS queries',
    description: 'The rows of a series for each domain. Elite.',
    access: 'caller',
    keyAction: 'read',
    query: Type.Object({
      ...period,
      format: Type.Optional(Type.Enum(['csv', 'json'], { description: 'Default: json.' })),
    }),
    success: {
      status: 200,
      description: 'The file.',
      schema: Type.Array(ref(ExportedQueries)),
      example: [
        {
          from: '2026-05-12T00:00:00.000Z',
          domain: 'home.example.net',
          dimension: 'type',
          value: 'AAAA',
          queries: 24,
        },
      ],
      download: 'dns-queries.json',
      alsoAs: {
        contentType: 'text/csv',
        example:
          'from,domain,dimension,value,queries\r\n2026-05-12T00:00:00.000Z,home.example.net,type,AAAA,24\r\n',
      },
    },
    problems: ['not-found', 'plan-required'],
  },
} as const satisfies Slice
