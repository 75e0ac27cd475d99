/** Mails owners about API keys that expire soon. */
import type { ExpiringKey } from '../../queue/notices.ts'
import { MAILABLE, mailDue, NOTICE_BATCH, type NoticeServices } from './mail-due.ts'

interface Row {
  readonly user_id: string
  readonly id: string
  readonly name: string
  readonly prefix: string
  /** The ends of the key that are close and that its owner does not know. */
  readonly ends_at: Date | null
  readonly ends_unused_at: Date | null
}

// A key has up to two ends: a fixed one, and one that moves with each use. An end is close seven days before, or when half
// of a shorter time is over. Each has its own mark, because a key in use reaches the one while the other moves on. Former
// secrets, and keys of pipelines, are left out.
const DUE = `
  with given as (select ?::bigint as user_id, ?::bigint as id, ?::timestamptz as now),
  due as (
    select k.id, k.user_id, k.name, k.prefix, e.ends_at, e.ends_unused_at
    from given
    cross join users u
    join plans p on p.account_type = u.account_type and 'api_keys' = any (p.abilities)
    join api_keys k on k.user_id = u.id
    cross join lateral (
      select case when k.expires_at <= now + least(interval '7 days', (k.expires_at - k.created_at) / 2)
                       and k.expiry_told_for is distinct from k.expires_at then k.expires_at end as ends_at,
             case when k.unused_expires_at <= now + least(interval '7 days', k.unused_days * interval '12 hours')
                       and k.unused_expires_at < coalesce(k.expires_at, 'infinity')
                       and k.unused_told_for is distinct from k.unused_expires_at
                  then k.unused_expires_at end as ends_unused_at) e
    where u.notify_key_expiring and ${MAILABLE} and k.replaced_by is null and k.policy_id is null
      and (k.user_id, k.id) > (given.user_id, given.id)
      and least(k.expires_at, k.unused_expires_at) > now
      and (e.ends_at is not null or e.ends_unused_at is not null)
    order by k.user_id, k.id limit ${NOTICE_BATCH}
  ), told as (
    update api_keys k
    set expiry_told_for = coalesce(due.ends_at, k.expiry_told_for),
        unused_told_for = coalesce(due.ends_unused_at, k.unused_told_for)
    from due where k.id = due.id
  )
  select user_id, id, name, prefix, ends_at, ends_unused_at from due order by user_id, id`

function endsOf({ name, prefix: mark, ends_at, ends_unused_at }: Row): ExpiringKey[] {
  const ends = [
    { at: ends_unused_at, endsUnused: true },
    { at: ends_at, endsUnused: false },
  ]
  return ends.flatMap(({ at, endsUnused }) =>
    at === null ? [] : [{ name, mark, endsAt: at.toISOString(), endsUnused }],
  )
}

/** @returns the number of mails */
export function notifyExpiringKeys(services: NoticeServices): Promise<number> {
  return mailDue<Row>(services, {
    kind: 'keys',
    sql: DUE,
    bindings: [services.now()],
    mailOf: (userId, rows) => ({
      kind: 'keys-expiring',
      userId,
      keys: rows.flatMap(endsOf).toSorted((a, b) => (a.endsAt < b.endsAt ? -1 : 1)),
    }),
  })
}
