import { Type, type Static } from 'typebox'
import { Id, nullable, record, ref, Time } from '../schema.ts'
import { QUERY_DIMENSIONS, QUERY_TRENDS } from '../vocabulary.ts'

const queries = Type.Integer({ minimum: 0, description: 'The number of queries.' })

const QueriesOfDomain = record('QueriesOfDomain', { domain_id: Id, fqdn: Type.String(), queries })
const QueriesOfCountry = record('QueriesOfCountry', {
  country_code: Type.String({
    description: 'ISO 3166-1. `ZZ`: not known.',
    examples: ['AT'],
  }),
  queries,
})
const QueriesOfNetwork = record('QueriesOfNetwork', {
  asn: Type.Integer({ description: 'The autonomous system. 0: not known, or many small ones.' }),
  as_org: Type.String({ description: 'The organization that runs it.', examples: ['Example Net'] }),
  queries,
})
export { QueriesOfCountry, QueriesOfDomain, QueriesOfNetwork }

/** A trend against the previous period of equal length. */
const trend = Type.Enum([...QUERY_TRENDS], {
  description:
    'Against the 24 hours before. `stable`: within one percent, or without earlier data.',
})
const percent = (period: string) =>
  nullable(
    Type.Number({ description: `The change against the ${period} before. Null: no earlier data.` }),
  )

export const DnsSummary = record(
  'DnsSummary',
  {
    total_queries_24h: queries,
    total_queries_7d: queries,
    total_queries_30d: queries,
    query_trend: trend,
    trend_percent: percent('24 hours'),
    trend_percent_7d: percent('7 days'),
    trend_percent_30d: percent('30 days'),
    queries_by_domain: Type.Array(ref(QueriesOfDomain), {
      description:
        'The ten domains with the most queries of the last 30 days. Empty: the plan does not include them.',
    }),
    top_countries: Type.Array(ref(QueriesOfCountry), {
      description: 'The ten countries with the most queries of the last 7 days.',
    }),
    top_asns: Type.Array(ref(QueriesOfNetwork), {
      description: 'The ten networks with the most queries of the last 7 days.',
    }),
    counted_until: nullable({
      ...Time,
      description: 'Queries are counted up to about this time. Null: nothing was counted yet.',
    }),
  },
  'The DNS queries for the domains of an account.',
)
export type DnsSummary = Static<typeof DnsSummary>

const dimension = Type.Unsafe<(typeof QUERY_DIMENSIONS)[number] | null>({
  enum: [...QUERY_DIMENSIONS, null],
})

const QueryValue = record('QueryValue', {
  value: Type.String({
    description: 'A type, response code, transport, family, country code or autonomous system.',
    examples: ['AAAA'],
  }),
  label: Type.String({
    description: 'The same, for people.',
    examples: ['AAAA', 'Example Net (AS64496)'],
  }),
  queries,
})

const QueryPart = record('QueryPart', {
  from: Time,
  to: Time,
  queries,
  is_partial: Type.Boolean({ description: 'Whether the part is not over yet.' }),
  values: Type.Array(Type.Integer(), {
    description: 'The queries of each of `values`, in its order. Empty without a dimension.',
  }),
})

const AddressMarker = record('AddressMarker', {
  at: Time,
  domain_id: Id,
  fqdn: Type.String(),
  address: Type.String({ description: 'The new address.' }),
})
export { AddressMarker, QueryPart, QueryValue }

export const QuerySeries = record(
  'QuerySeries',
  {
    from: Time,
    to: Time,
    resolution: Type.Enum(['5m', '1h', '1d']),
    domain_id: nullable(Id),
    dimension,
    total: queries,
    previous_total: nullable(
      Type.Integer({
        description: 'The queries of the period before, of equal length. Null: no earlier data.',
      }),
    ),
    values: Type.Array(ref(QueryValue), {
      description:
        'The values of the dimension, the largest first; the last one can be `other`: all that are not listed.',
    }),
    parts: Type.Array(ref(QueryPart), { description: 'The oldest first.' }),
    previous: Type.Array(Type.Integer(), {
      description: 'The queries of each part of the period before.',
    }),
    markers: Type.Array(ref(AddressMarker), {
      description: 'When addresses changed, at most 100.',
    }),
  },
  'DNS queries by parts of time.',
)
export type QuerySeries = Static<typeof QuerySeries>

export const ExportedQueries = record(
  'ExportedQueries',
  {
    from: Time,
    domain: Type.String({ examples: ['home.example.net'] }),
    dimension: Type.String({ examples: ['type'] }),
    value: Type.String({ examples: ['AAAA'] }),
    queries,
  },
  'A row of an export of DNS queries.',
)
export type ExportedQueries = Static<typeof ExportedQueries>

export const LiveQuery = record(
  'LiveQuery',
  {
    at: Time,
    domain_id: Id,
    qname: Type.String({ examples: ['home.example.net'] }),
    type: Type.String({ examples: ['A'] }),
    rcode: Type.String({ examples: ['NOERROR'] }),
    transport: Type.Enum(['udp', 'tcp']),
    network: Type.String({ examples: ['198.51.100.0/24'] }),
    sample: Type.Integer({
      description: 'For how many queries this one stands. 1: all queries are shown.',
    }),
  },
  'A DNS query for one of your domains.',
)
export type LiveQuery = Static<typeof LiveQuery>
