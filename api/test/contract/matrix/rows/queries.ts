/** Rows of DNS analytics. */
import type { Row, Rows } from '../row.ts'
import { nothing } from '../usual-calls.ts'

const ofDomain: Row['call'] = (its) => ({ query: { domain_id: its.domainId } })

export const QUERY_ROWS = {
  getDnsSummary: { call: nothing },
  getDnsStats: { call: nothing },
  getQuerySeries: { call: ofDomain, ability: 'analytics' },
  exportQueries: { call: ofDomain, ability: 'data_export' },
  listAllQueries: { call: nothing },
} as const satisfies Partial<Rows>
