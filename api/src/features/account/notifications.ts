/** Which mails the owner of an account wants, besides those about security. The worker sends them (`jobs/notices`). */
import type { NotificationChange, NotificationSettings } from '@homing/openapi'
import type { Knex } from 'knex'
import type { Services } from '../../compose.ts'
import { query } from '../../database/sql.ts'
import { lockAccount } from '../../feed/lock-order.ts'
import { User } from '../../models/user.ts'

/** The settings of an account. */
export async function readNotifications(knex: Knex, userId: string): Promise<NotificationSettings> {
  const user = await User.query(knex)
    .findById(userId)
    .select('notify_address_changed', 'notify_not_updated_days', 'notify_key_expiring')
  if (user === undefined) throw new Error('the account of a session exists')
  return {
    address_changed: user.notify_address_changed,
    not_updated_days: user.notify_not_updated_days,
    key_expiring: user.notify_key_expiring,
  }
}

// From now on: the owner is notified of changes of what the domains have at this moment.
const KNOW_ADDRESSES = `
  insert into domain_notices (domain_id, told_ipv4, told_ipv6, addresses_told_at)
  select id, record_ipv4, record_ipv6, '-infinity' from domains where user_id = ? and not is_wildcard order by id
  on conflict (domain_id) do update
    set told_ipv4 = excluded.told_ipv4, told_ipv6 = excluded.told_ipv6, addresses_told_at = excluded.addresses_told_at`

/** Changes the settings of an account. Absent fields stay as they are. */
export async function updateNotifications(
  { knex }: Pick<Services, 'knex'>,
  userId: string,
  change: NotificationChange,
): Promise<NotificationSettings> {
  return knex.transaction(async (trx) => {
    await lockAccount(trx, userId)
    const before = await readNotifications(trx, userId)
    const after = { ...before, ...change }
    await User.query(trx).findById(userId).patch({
      notify_address_changed: after.address_changed,
      notify_not_updated_days: after.not_updated_days,
      notify_key_expiring: after.key_expiring,
    })
    if (after.address_changed && !before.address_changed) await query(trx, KNOW_ADDRESSES, [userId])
    return after
  })
}
