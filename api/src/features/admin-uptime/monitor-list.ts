/** The administrators' list of monitors, of all accounts. */
import {
  type ADMIN_MONITOR_SORT,
  type AdminMonitor,
  MONITOR_KINDS,
  MONITOR_STATES,
} from '@homing/openapi'
import type { Knex } from 'knex'
import { type AnyQueryBuilder, type Raw, raw } from 'objection'
import type { Domain } from '../../models/domain.ts'
import {
  type AliasedColumn,
  type ColumnName,
  containing,
  filterBy,
  inPageOrder,
  type ListForm,
  oneOf,
  oneWord,
  readList,
} from '../../models/list.ts'
import { Monitor } from '../../models/monitor.ts'
import { columnsOf, type Row } from '../../models/table.ts'
import { type ListQuery, parseListQuery } from '../../plugins/list-query.ts'

type SortField = (typeof ADMIN_MONITOR_SORT)[number]
type SortColumn = ColumnName<typeof Monitor> | AliasedColumn<'domain', typeof Domain>

/**
 * Monitors with this text in the domain or in the name of the owner. Without a join, PostgreSQL looks for the text in each
 * domain and each name once.
 */
function matching(list: AnyQueryBuilder, text: string): void {
  const domain = Monitor.relatedQuery('domain').where(
    'domain.fqdn',
    'like',
    containing(text.toLowerCase()),
  )
  const owner = Monitor.relatedQuery('owner').where('owner.username', 'ilike', containing(text))
  void list.where((either) => void either.whereExists(domain).orWhereExists(owner))
}

/** With the schedule, which monitors that do not run lack. */
const withSchedule = (list: AnyQueryBuilder) =>
  void list.leftJoin('monitor_schedule as schedule', 'schedule.monitor_id', 'monitors.id')

const LIST = {
  sort: {
    id: 'monitors.id',
    fqdn: 'domain.fqdn',
    state: 'monitors.state',
    state_since: 'monitors.state_since',
    due_at: raw('schedule.due_at'),
  } satisfies Record<SortField, SortColumn | Raw>,
  filter: {
    q: filterBy('text', matching),
    id: oneOf('monitors.id'),
    user_id: oneOf('monitors.user_id'),
    domain_id: oneOf('monitors.domain_id'),
    kind: oneWord('kind', 'monitors.kind', MONITOR_KINDS),
    state: oneWord('state', 'monitors.state', MONITOR_STATES),
  },
  joins: {
    fqdn: (list) => void list.joinRelated('domain'),
    due_at: withSchedule,
  },
  keys: ['monitors.id', 'domain.fqdn'],
  pageSize: 25,
  pageLimit: 100,
} as const satisfies ListForm<SortColumn>

const SHOWN = [
  'id',
  'domain_id',
  'user_id',
  'kind',
  'state',
  'state_since',
  'cause',
  'interval_seconds',
] as const

interface AdminMonitorRow extends Pick<Row<typeof Monitor>, (typeof SHOWN)[number]> {
  readonly fqdn: string
  readonly username: string
  readonly last_check_at: Date | null
  readonly due_at: Date | null
  readonly is_account_paused: boolean
}

export interface MonitorPage {
  readonly monitors: readonly AdminMonitorRow[]
  readonly offset: number
  readonly total: number
}

const shownMonitors = (knex: Knex) => {
  const monitors = Monitor.query(knex)
    .joinRelated('[domain, owner]')
    .select(columnsOf(Monitor, SHOWN), 'domain.fqdn', 'owner.username')
    .select('schedule.last_check_at', 'schedule.due_at')
    .select(raw('owner.monitoring_paused_at is not null as is_account_paused'))
  withSchedule(monitors)
  return monitors
}

/**
 * One page of the monitors of all accounts. The page is found first, and joined with domains and owners afterwards: each
 * monitor has both, so they change no count.
 *
 * @throws Refusal `validation-failed` for a query that cannot be read
 */
export async function listAllMonitors(knex: Knex, query: ListQuery): Promise<MonitorPage> {
  const request = parseListQuery(query, LIST)
  const monitors = Monitor.query(knex).select('monitors.id')
  const { rows, total } = await readList<{ readonly id: string }>(monitors, LIST, request)
  const ids = rows.map(({ id }) => id)
  const found = await shownMonitors(knex).whereIn('monitors.id', ids).toKnexQuery<AdminMonitorRow>()
  return {
    monitors: inPageOrder(ids, found, ({ id }) => id),
    offset: request.offset,
    total,
  }
}

/** A monitor as JSON. */
export function adminMonitorBody(row: AdminMonitorRow): AdminMonitor {
  return {
    ...row,
    state_since: row.state_since.toISOString(),
    last_check_at: row.last_check_at?.toISOString() ?? null,
    due_at: row.due_at?.toISOString() ?? null,
  }
}
