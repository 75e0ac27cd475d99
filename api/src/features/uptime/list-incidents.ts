/** The incidents of a domain: times in which it was down, or could not be checked. */
import type { MonitorIncident } from '@homing/openapi'
import { raw } from 'objection'
import { findOwnedDomain } from '../../models/domain.ts'
import { type ColumnName, type ListForm, oneWord, readList } from '../../models/list.ts'
import { MonitorInterval } from '../../models/monitor-interval.ts'
import { columnsOf, type Row } from '../../models/table.ts'
import { type ListQuery, parseListQuery } from '../../plugins/list-query.ts'
import { notFound } from '../../rules/errors.ts'
import type { Reach } from '../../rules/key-scope.ts'
import type { Services } from '../../compose.ts'

const STATES = ['down', 'unknown'] as const

const LIST = {
  sort: { started_at: ['monitor_intervals.since', 'monitor_intervals.id'] },
  newestFirst: true,
  filter: {
    state: oneWord('state', 'monitor_intervals.state', STATES),
  },
  keys: ['monitor_intervals.id'],
  pageLimit: 100,
} as const satisfies ListForm<ColumnName<typeof MonitorInterval>>

const SHOWN = ['id', 'state', 'since', 'until', 'cause', 'cause_text'] as const

export type IncidentRow = Pick<Row<typeof MonitorInterval>, (typeof SHOWN)[number]> & {
  readonly duration_seconds: number
}

const DURATION = raw(
  `floor(extract(epoch from coalesce(monitor_intervals.until, now()) - monitor_intervals.since))::int as duration_seconds`,
)
const WITHIN = `coalesce(monitor_intervals.until, now()) > now() - interval '400 days'`

export interface IncidentPage {
  readonly incidents: readonly IncidentRow[]
  readonly offset: number
  readonly total: number
}

/**
 * The incidents of one of the account's domains, the newest first by default.
 *
 * @throws Refusal `not-found`, `validation-failed` for a query that cannot be read
 */
export async function listIncidents(
  { knex }: Pick<Services, 'knex'>,
  reach: Reach,
  domainId: string,
  query: ListQuery,
): Promise<IncidentPage> {
  const request = parseListQuery(query, LIST)
  if ((await findOwnedDomain(knex, reach, { id: domainId })) === undefined) throw notFound('domain')
  const incidents = MonitorInterval.query(knex)
    .joinRelated('monitor')
    .where({ 'monitor.domain_id': domainId, 'monitor.user_id': reach.userId })
    .whereIn('monitor_intervals.state', STATES)
    .whereRaw(WITHIN)
    .select(columnsOf(MonitorInterval, SHOWN), DURATION)
  const { rows, total } = await readList<IncidentRow>(incidents, LIST, request)
  return { incidents: rows, offset: request.offset, total }
}

export function incidentBody(row: IncidentRow): MonitorIncident {
  return {
    id: row.id,
    state: row.state === 'down' ? 'down' : 'unknown',
    started_at: row.since.toISOString(),
    ended_at: row.until?.toISOString() ?? null,
    duration_seconds: Math.max(0, row.duration_seconds),
    cause: row.cause ?? 'failed',
    cause_text: row.cause_text ?? 'The cause is not known.',
  }
}
