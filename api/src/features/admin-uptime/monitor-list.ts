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
  type ListForm,
  oneOf,
  readList,
} from '../../models/list.ts'
import { Monitor } from '../../models/monitor.ts'
import { columnsOf, type Row } from '../../models/table.ts'
import { type ListQuery, parseListQuery } from '../../plugins/list-query.ts'
import { invalid } from '../../rules/errors.ts'

type SortField = (typeof ADMIN_MONITOR_SORT)[number]
type SortColumn = ColumnName<typeof Monitor> | AliasedColumn<'domain', typeof Domain>

/** Rows with one of the words of a closed list. @throws Refusal `validation-failed` */
const word = (name: 'kind' | 'state', words: readonly string[]) =>
  filterBy('text', (list, value) => {
    if (!words.includes(value)) {
      const message = `filter.${name} is invalid. Expected one of: ${words.join(', ')}.`
      throw invalid({ field: `filter.${name}`, message })
    }
    void list.where(`monitors.${name}`, value)
  })

/** Monitors with this text in the domain or in the name of the owner. */
function matching(list: AnyQueryBuilder, text: string): void {
  const part = containing(text)
  void list.where(
    (either) =>
      void either.where('domain.fqdn', 'ilike', part).orWhere('owner.username', 'ilike', part),
  )
}

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
    kind: word('kind', MONITOR_KINDS),
    state: word('state', MONITOR_STATES),
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

/**
 * One page of the monitors of all accounts.
 *
 * @throws Refusal `validation-failed` for a query that cannot be read
 */
export async function listAllMonitors(knex: Knex, query: ListQuery): Promise<MonitorPage> {
  const request = parseListQuery(query, LIST)
  const monitors = Monitor.query(knex)
    .joinRelated('[domain, owner]')
    .leftJoin('monitor_schedule as schedule', 'schedule.monitor_id', 'monitors.id')
    .select(columnsOf(Monitor, SHOWN), 'domain.fqdn', 'owner.username')
    .select('schedule.last_check_at', 'schedule.due_at')
    .select(raw('owner.monitoring_paused_at is not null as is_account_paused'))
  const { rows, total } = await readList<AdminMonitorRow>(monitors, LIST, request)
  return { monitors: rows, offset: request.offset, total }
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
