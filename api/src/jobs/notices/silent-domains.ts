/** Mails owners about domains without updates for the number of days that they chose. */
import { MAILABLE, mailDue, NOTICE_BATCH, type NoticeServices } from './mail-due.ts'

interface Row {
  readonly user_id: string
  readonly fqdn: string
  readonly days: number
  readonly last_at: Date
}

// An update that changed nothing counts as an update: the list of update calls shows it. For a domain that never got an
// update, the time counts from its creation. Each silence is reported once.
const DUE = `
  with domains_of as (
    select d.id, d.user_id, d.fqdn, u.notify_not_updated_days as days,
           greatest(d.created_at, d.last_update_at, c.last_at) as last_at
    from users u
    join domains d on d.user_id = u.id and not d.is_wildcard and d.is_active
    left join lateral (
      select max(last_at) as last_at from update_calls
      where domain_id = d.id and not is_refused and answer ~ '^(good|nochg)'
    ) c on true
    where u.notify_not_updated_days is not null and ${MAILABLE}
      and (d.last_update_at is null or d.last_update_at <= ?::timestamptz - interval '1 day')
  ), due as (
    select o.* from domains_of o left join domain_notices n on n.domain_id = o.id
    where o.last_at <= ?::timestamptz - o.days * interval '1 day' and n.silence_told_for is distinct from o.last_at
    order by o.user_id, o.id limit ${NOTICE_BATCH}
  ), told as (
    insert into domain_notices (domain_id, silence_told_for) select id, last_at from due order by id
    on conflict (domain_id) do update set silence_told_for = excluded.silence_told_for
  )
  select user_id, fqdn, days, last_at from due order by user_id, fqdn`

/** @returns the number of mails */
export function notifySilentDomains(services: NoticeServices): Promise<number> {
  const now = services.now()
  return mailDue<Row>(services, {
    sql: DUE,
    bindings: [now, now],
    mailOf: (userId, rows) => ({
      kind: 'domains-silent',
      userId,
      days: rows[0]?.days ?? 0,
      domains: rows.map(({ fqdn, last_at }) => ({ fqdn, lastAt: last_at.toISOString() })),
    }),
  })
}
