/* What is counted for a name, in the order that the database has too. */
import { COUNTED_TYPES } from './count-table.ts'

/** What the queries for a name are divided by. Each dimension adds up to all queries of the name. */
export const DIMENSIONS = ['type', 'rcode', 'transport', 'family'] as const
export type Dimension = (typeof DIMENSIONS)[number]

const VALUES = {
  type: ['A', ...COUNTED_TYPES, 'other'],
  rcode: ['NOERROR', 'NODATA', 'NXDOMAIN', 'other'],
  transport: ['udp', 'tcp'],
  family: ['ipv4', 'ipv6'],
} as const satisfies Record<Dimension, readonly string[]>

/** The counters of a name, in their order: what each of them counts. The view `query_facet_values` has the same. */
export const COUNTERS: readonly (readonly [dimension: Dimension, value: string])[] =
  DIMENSIONS.flatMap((dimension) => VALUES[dimension].map((value) => [dimension, value] as const))

/** The queries for one name, or for a zone. */
export interface CountedName {
  readonly zone: string
  /** `nxdomain`: queries for missing names; `other`: queries for names that could not be told apart. */
  readonly kind: 'name' | 'nxdomain' | 'other'
  /**
   * The name or the wildcard that answered; for missing names their closest encloser. Null for missing names below the
   * zone's apex only, and for `other`.
   */
  readonly name: string | null
  /** The client's network as CIDR, or null when it was not recorded, and a number of queries greater than 0. */
  readonly networks: readonly (readonly [network: string | null, queries: number])[]
  /** The number of queries for each of COUNTERS. */
  readonly counters: readonly number[]
}
