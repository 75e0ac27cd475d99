/** The maintenance windows of a domain. */
import type { MaintenanceWindow as WindowBody, NewMaintenanceWindow } from '@homing/openapi'
import { MONITOR_LIMITS } from '@homing/openapi/vocabulary'
import type { Knex } from 'knex'
import { DatabaseError } from 'pg'
import { type Principal, reachOf } from '../../caller/principal.ts'
import type { Services } from '../../compose.ts'
import { query } from '../../database/sql.ts'
import { MaintenanceWindow, type MaintenanceWindowRow } from '../../models/maintenance-window.ts'
import { notFound, Refusal } from '../../rules/errors.ts'
import type { Reach } from '../../rules/key-scope.ts'
import { announcedMaintenance, unknownZone } from '../../rules/monitor-maintenance.ts'
import { UPTIME } from '../../rules/monitorable.ts'
import { requireAbility } from '../../rules/plans.ts'
import { ensureMonitor } from './change-monitor.ts'
import { heldDomain, monitorableDomain } from './held-domain.ts'
import { findMonitor } from './shown-monitors.ts'

/** PostgreSQL's `invalid_parameter_value`. */
const UNKNOWN_ZONE = '22023'
const LIMIT = MONITOR_LIMITS.maintenance_windows

export function windowBody(row: MaintenanceWindowRow): WindowBody {
  return {
    id: row.id,
    starts_at: row.starts_at.toISOString(),
    ends_at: row.ends_at.toISOString(),
    repeats: row.repeats,
    time_zone: row.time_zone,
    note: row.note,
    next_starts_at: row.next_starts_at?.toISOString() ?? null,
  }
}

/** The windows of a domain, by their start. @throws Refusal `not-found` */
export async function listWindows(
  knex: Knex,
  reach: Reach,
  domainId: string,
): Promise<MaintenanceWindowRow[]> {
  const { id } = await findMonitor(knex, reach, domainId)
  if (id === null) return []
  return MaintenanceWindow.query(knex)
    .where({ monitor_id: id })
    .orderBy(['starts_at', 'id'])
    .toKnexQuery<MaintenanceWindowRow>()
}

// Windows that are over stay in the list, but not for ever.
const FORGET = `
  delete from maintenance_windows where id in (
    select id from maintenance_windows where monitor_id = ? and next_starts_at is null
    order by ends_at desc, id desc offset ${LIMIT})`

/** @throws Refusal `conflict` */
async function requireRoom(trx: Knex.Transaction, monitorId: string, fqdn: string): Promise<void> {
  const present = await MaintenanceWindow.query(trx)
    .where({ monitor_id: monitorId })
    .whereNotNull('next_starts_at')
    .resultSize()
  if (present < LIMIT) return
  throw new Refusal(
    'conflict',
    `${fqdn} already has ${LIMIT} maintenance windows. Delete one that you no longer need.`,
  )
}

/**
 * Announces maintenance.
 *
 * @throws Refusal `plan-required`, `not-found`, `conflict` for a wildcard and beyond the limit, `domain-locked`,
 * `validation-failed`
 */
export async function createWindow(
  { knex, now }: Pick<Services, 'knex' | 'now'>,
  principal: Principal,
  domainId: string,
  input: NewMaintenanceWindow,
): Promise<MaintenanceWindowRow> {
  requireAbility(principal.account, 'uptime', UPTIME)
  const reach = reachOf(principal)
  await monitorableDomain(knex, reach, domainId)
  const announced = announcedMaintenance(input, now())
  await requireKnownZone(knex, announced.timeZone)
  return knex.transaction(async (trx) => {
    const held = await heldDomain(trx, reach, domainId, 'use')
    const monitorId = await ensureMonitor(trx, held)
    await query(trx, FORGET, [monitorId])
    await requireRoom(trx, monitorId, held.domain.fqdn)
    const { startsAt, endsAt, repeats, timeZone, note } = announced
    const [row] = await MaintenanceWindow.query(trx)
      .insert({
        monitor_id: monitorId,
        starts_at: startsAt,
        ends_at: endsAt,
        repeats,
        time_zone: timeZone,
        note,
        next_starts_at: startsAt,
        next_ends_at: endsAt,
      })
      .returning('*')
      .toKnexQuery<MaintenanceWindowRow>()
    if (row === undefined) throw new Error('an inserted window has a row')
    return row
  })
}

/** PostgreSQL computes the windows, with its own list of time zones. @throws Refusal `validation-failed` */
async function requireKnownZone(knex: Knex, timeZone: string): Promise<void> {
  try {
    await query(knex, 'select now() at time zone ?', [timeZone])
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.code !== UNKNOWN_ZONE) throw error
    throw unknownZone()
  }
}

/** @throws Refusal `not-found` */
async function requireWindow(
  db: Knex,
  monitorId: string,
  id: string,
): Promise<MaintenanceWindowRow> {
  const [row] = await MaintenanceWindow.query(db)
    .where({ id, monitor_id: monitorId })
    .toKnexQuery<MaintenanceWindowRow>()
  if (row === undefined) throw notFound('maintenance window')
  return row
}

/**
 * Deletes a window. If it is under way, maintenance ends.
 *
 * @throws Refusal `not-found`, `conflict` for a wildcard, `domain-locked`
 */
export async function deleteWindow(
  { knex }: Pick<Services, 'knex'>,
  principal: Principal,
  domainId: string,
  id: string,
): Promise<void> {
  const reach = reachOf(principal)
  await monitorableDomain(knex, reach, domainId)
  await knex.transaction(async (trx) => {
    const { domain } = await heldDomain(trx, reach, domainId, 'end')
    const { id: monitorId } = await findMonitor(trx, reach, domain.id)
    if (monitorId === null) throw notFound('maintenance window')
    await requireWindow(trx, monitorId, id)
    await MaintenanceWindow.query(trx).deleteById(id)
  })
}
