/** Sends a test notification about a domain. */
import type { MonitorNotification } from '@homing/openapi'
import { randomUUID } from 'node:crypto'
import type { SessionPrincipal } from '../../caller/principal.ts'
import { reachOf } from '../../caller/principal.ts'
import type { Services } from '../../compose.ts'
import { query } from '../../database/sql.ts'
import { requireAllowance } from '../../limits/require-allowance.ts'
import { User } from '../../models/user.ts'
import { Refusal } from '../../rules/errors.ts'
import { UPTIME } from '../../rules/monitorable.ts'
import { requireAbility } from '../../rules/plans.ts'
import { ensureMonitor } from './change-monitor.ts'
import { heldDomain, monitorableDomain } from './held-domain.ts'
import { NOTIFICATION_COLUMNS, notificationBody, type NotificationRow } from './recent.ts'

const INSERT = `
  insert into monitor_notifications (monitor_id, user_id, message, subject, due_at) values (?, ?, 'test', ?, now())
  returning ${NOTIFICATION_COLUMNS}`

/**
 * Queues a test notification to the address of the account.
 *
 * @throws Refusal `not-found`, `conflict` for a wildcard, `domain-locked`, `plan-required`, `email-not-verified`,
 * `rate-limited`
 */
export async function sendTestNotification(
  services: Pick<Services, 'knex' | 'rateLimits'>,
  principal: SessionPrincipal,
  domainId: string,
): Promise<MonitorNotification> {
  const { knex } = services
  requireAbility(principal.account, 'uptime', UPTIME)
  const reach = reachOf(principal)
  await monitorableDomain(knex, reach, domainId)
  const verified = await User.query(knex).findById(reach.userId).modify('verified').select('id')
  if (verified === undefined) {
    throw new Refusal(
      'email-not-verified',
      'The email address of your account is not verified, so no mail can be sent to it. Confirm it first.',
    )
  }
  await requireAllowance(services, 'monitor-tests-account', reach.userId)
  return knex.transaction(async (trx) => {
    const id = await ensureMonitor(trx, await heldDomain(trx, reach, domainId, 'use'))
    const values = [id, reach.userId, randomUUID()]
    const [row] = await query<NotificationRow>(trx, INSERT, values)
    if (row === undefined) throw new Error('an inserted notification has a row')
    return notificationBody(row)
  })
}
