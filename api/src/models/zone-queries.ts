import { bigint, text, textOf, timestamptz } from './columns.ts'
import { table } from './table.ts'

/** How often the names of zones were queried, by day and by one dimension at a time (table `zone_queries_1d`). */
export class ZoneQueries extends table(
  'zone_queries_1d',
  {
    at: timestamptz,
    zone_id: bigint,
    dimension: textOf<
      'total' | 'kind' | 'type' | 'rcode' | 'transport' | 'family' | 'country' | 'network'
    >(),
    /** Empty for `total`. */
    value: text,
    queries: bigint,
  },
  ['zone_id', 'dimension', 'at', 'value'],
) {}
