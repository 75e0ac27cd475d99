/** Mails owners about domains without updates for the number of days that they chose. */
import { MAILABLE, mailDue, NOTICE_BATCH, type NoticeServices } from './mail-due.ts'

interface Row {
  readonly user_id: string
  readonly id: string
  readonly fqdn: string
  readonly days: number
  readonly last_at: Date
  /** False for a domain that never got an update: it has been silent since it was created. */
  readonly is_updated: boolean
}

// An update that changed nothing counts, too: the log of update calls keeps its time. Owners are notified of each silence
// once, so only a later update makes another notice possible.
const DUE = `
  with due as (
    select d.id, d.user_id, d.fqdn, u.notify_not_updated_days as days, s.updated_at is not null as is_updated,
           greatest(d.created_at, s.updated_at) as last_at
    from users u
    join domains d on d.user_id = u.id and not d.is_wildcard and d.is_active
    left join update_call_rings r on r.domain_id = d.id
    left join domain_notices n on n.domain_id = d.id
    cross join lateral (select greatest(d.last_update_at, r.accepted_at) as updated_at) s
    where u.notify_not_updated_days is not null and ${MAILABLE} and (d.user_id, d.id) > (?, ?)
      and greatest(d.created_at, s.updated_at) <= ?::timestamptz - u.notify_not_updated_days * interval '1 day'
      and (n.silence_told_for is null or n.silence_told_for < greatest(d.created_at, s.updated_at))
    order by d.user_id, d.id limit ${NOTICE_BATCH}
  ), told as (
    insert into domain_notices (domain_id, silence_told_for) select id, last_at from due order by id
    on conflict (domain_id) do update set silence_told_for = excluded.silence_told_for
  )
  select user_id, id, fqdn, days, last_at, is_updated from due order by user_id, id`

/** @returns the number of mails */
export function notifySilentDomains(services: NoticeServices): Promise<number> {
  return mailDue<Row>(services, {
    kind: 'silence',
    sql: DUE,
    bindings: [services.now()],
    mailOf: (userId, rows) => ({
      kind: 'domains-silent',
      userId,
      days: rows[0]?.days ?? 0,
      domains: rows
        .map(({ fqdn, last_at, is_updated }) => ({
          fqdn,
          lastAt: last_at.toISOString(),
          isUpdated: is_updated,
        }))
        .toSorted((a, b) => (a.fqdn < b.fqdn ? -1 : 1)),
    }),
  })
}
