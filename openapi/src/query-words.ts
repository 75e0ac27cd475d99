/** The words of DNS analytics. Part of `vocabulary.ts`; it imports nothing. */

/** What queries can be told apart by, one at a time: roll-ups hold one dimension each. */
export const QUERY_DIMENSIONS = [
  'type',
  'rcode',
  'transport',
  'family',
  'country',
  'network',
] as const
export type QueryDimension = (typeof QUERY_DIMENSIONS)[number]

/** The width of the parts of a series in seconds, and for how long they are kept in days. */
export const QUERY_RESOLUTIONS = {
  '5m': { seconds: 300, keptDays: 2 },
  '1h': { seconds: 3_600, keptDays: 35 },
  '1d': { seconds: 86_400, keptDays: 400 },
} as const
export type QueryResolution = keyof typeof QUERY_RESOLUTIONS
/** The maximum number of parts that one call returns. */
export const QUERY_PARTS_LIMIT = 600

/** A change of at most so many percent is `stable`. */
export const QUERY_STABLE_PERCENT = 1
export const QUERY_TRENDS = ['up', 'down', 'stable'] as const
export type QueryTrend = (typeof QUERY_TRENDS)[number]

/** The maximum number of live queries a second that one stream gets. More are sampled. */
export const LIVE_QUERIES_LIMIT = 200

/** By what administrators see the queries of the whole service. */
export const ADMIN_QUERY_GROUPS = ['zone', 'country', 'network', 'type'] as const
export type AdminQueryGroup = (typeof ADMIN_QUERY_GROUPS)[number]
export const ADMIN_QUERY_SORT = ['queries', 'value'] as const
/** For how many days administrators see them. */
export const ADMIN_QUERY_DAYS = ['1', '7', '30', '400'] as const
