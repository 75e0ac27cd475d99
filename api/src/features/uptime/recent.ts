/** The last results and notifications of a monitor. */
import type { MonitorNotification, MonitorResult } from '@homing/openapi'
import type { Knex } from 'knex'
import { query } from '../../database/sql.ts'
import type { Reach } from '../../rules/key-scope.ts'
import { findMonitor } from './shown-monitors.ts'

type Timed<Body, Times extends keyof Body> = Omit<Body, Times> & {
  readonly [Name in Times]: Date | Extract<Body[Name], null>
}

const RESULTS = `
  select at, kind, is_up, host(address) as address, latency_ms, status, cause, cause_text
  from monitor_results where monitor_id = ? order by at desc, place desc`

/** The last checks of a domain, the newest first. @throws Refusal `not-found` */
export async function listResults(
  knex: Knex,
  reach: Reach,
  domainId: string,
): Promise<MonitorResult[]> {
  const { id } = await findMonitor(knex, reach, domainId)
  if (id === null) return []
  const rows = await query<Timed<MonitorResult, 'at'>>(knex, RESULTS, [id])
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }))
}

/** The columns of a notification that its owner sees. */
export const NOTIFICATION_COLUMNS = 'id, message, channel, recipient, created_at, outcome, sent_at'
export type NotificationRow = Timed<MonitorNotification, 'created_at' | 'sent_at'>

/** A notification as JSON. */
export const notificationBody = (row: NotificationRow): MonitorNotification => ({
  ...row,
  created_at: row.created_at.toISOString(),
  sent_at: row.sent_at?.toISOString() ?? null,
})

const NOTIFICATIONS_SHOWN = 50
const NOTIFICATIONS = `
  select ${NOTIFICATION_COLUMNS} from monitor_notifications
  where monitor_id = ? order by id desc limit ${NOTIFICATIONS_SHOWN}`

/** The last notifications about a domain, the newest first. @throws Refusal `not-found` */
export async function listNotifications(
  knex: Knex,
  reach: Reach,
  domainId: string,
): Promise<MonitorNotification[]> {
  const { id } = await findMonitor(knex, reach, domainId)
  if (id === null) return []
  const rows = await query<NotificationRow>(knex, NOTIFICATIONS, [id])
  return rows.map(notificationBody)
}
