/** Mails owners about API keys that expire soon. */
import type { ExpiringKey } from '../../queue/notices.ts'
import { MAILABLE, mailDue, NOTICE_BATCH, type NoticeServices } from './mail-due.ts'

interface Row {
  readonly user_id: string
  readonly name: string
  readonly prefix: string
  readonly ends_at: Date
}

const END = 'least(k.expires_at, k.unused_expires_at)'

// Seven days before the expiry, or at half of a shorter lifetime: for a key that is used daily and expires after five
// days without use, the owner must not get a mail each day. When the expiry of a key changes, the owner gets another
// mail. Former secrets and keys of pipelines are left out.
const DUE = `
  with due as (
    select k.id, k.user_id, k.name, k.prefix, ${END} as ends_at
    from users u
    join plans p on p.account_type = u.account_type and 'api_keys' = any (p.abilities)
    join api_keys k on k.user_id = u.id
    where u.notify_key_expiring and ${MAILABLE} and k.replaced_by is null and k.policy_id is null
      and ${END} > ? and k.expiry_told_for is distinct from ${END}
      and (k.expires_at <= ?::timestamptz + least(interval '7 days', (k.expires_at - k.created_at) / 2)
           or k.unused_expires_at <= ?::timestamptz + least(interval '7 days', k.unused_days * interval '12 hours'))
    order by k.user_id, k.id limit ${NOTICE_BATCH}
  ), told as (
    update api_keys k set expiry_told_for = due.ends_at from due where k.id = due.id
  )
  select user_id, name, prefix, ends_at from due order by user_id, ends_at, id`

const keyOf = ({ name, prefix, ends_at }: Row): ExpiringKey => ({
  name,
  mark: prefix,
  endsAt: ends_at.toISOString(),
})

/** @returns the number of mails */
export function notifyExpiringKeys(services: NoticeServices): Promise<number> {
  const now = services.now()
  return mailDue<Row>(services, {
    sql: DUE,
    bindings: [now, now, now],
    mailOf: (userId, rows) => ({ kind: 'keys-expiring', userId, keys: rows.map(keyOf) }),
  })
}
