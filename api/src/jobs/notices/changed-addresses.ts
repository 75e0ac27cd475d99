/** Mails owners about domains whose addresses changed, at most once an hour for each domain. */
import type { ChangedDomain } from '../../queue/notices.ts'
import { MAILABLE, mailDue, NOTICE_BATCH, type NoticeServices } from './mail-due.ts'

interface Row {
  readonly user_id: string
  readonly id: string
  readonly fqdn: string
  readonly ipv4: string | null
  readonly ipv6: string | null
  readonly former_ipv4: string | null
  readonly former_ipv6: string | null
  /** False for a new domain: its owner is notified of changes from now on. */
  readonly is_known: boolean
}

// Compares what a domain has with what its owner was told. If an address changed and changed back within the hour, the
// owner gets no mail about it.
const DUE = `
  with due as (
    select d.id, d.user_id, d.fqdn, d.record_ipv4 as ipv4, d.record_ipv6 as ipv6,
           n.told_ipv4 as former_ipv4, n.told_ipv6 as former_ipv6, n.addresses_told_at is not null as is_known
    from users u
    join domains d on d.user_id = u.id and not d.is_wildcard
    left join domain_notices n on n.domain_id = d.id
    where u.notify_address_changed and ${MAILABLE} and (d.user_id, d.id) > (?, ?)
      and (n.addresses_told_at is null
           or (n.addresses_told_at <= ?::timestamptz - interval '1 hour'
               and (n.told_ipv4, n.told_ipv6) is distinct from (d.record_ipv4, d.record_ipv6)))
    order by d.user_id, d.id limit ${NOTICE_BATCH}
  ), told as (
    insert into domain_notices (domain_id, told_ipv4, told_ipv6, addresses_told_at)
    select id, ipv4, ipv6, case when is_known then ?::timestamptz else '-infinity' end from due order by id
    on conflict (domain_id) do update
      set told_ipv4 = excluded.told_ipv4, told_ipv6 = excluded.told_ipv6, addresses_told_at = excluded.addresses_told_at
  )
  select user_id, id, fqdn, host(ipv4) as ipv4, host(ipv6) as ipv6, host(former_ipv4) as former_ipv4,
         host(former_ipv6) as former_ipv6, is_known
  from due order by user_id, id`

const changeOf = (row: Row): ChangedDomain => ({
  fqdn: row.fqdn,
  before: [row.former_ipv4, row.former_ipv6].filter((ip) => ip !== null),
  after: [row.ipv4, row.ipv6].filter((ip) => ip !== null),
})

/** @returns the number of mails */
export function notifyChangedAddresses(services: NoticeServices): Promise<number> {
  const now = services.now()
  return mailDue<Row>(services, {
    kind: 'addresses',
    sql: DUE,
    bindings: [now, now],
    mailOf(userId, rows) {
      const domains = rows
        .filter((row) => row.is_known)
        .map(changeOf)
        .toSorted((a, b) => (a.fqdn < b.fqdn ? -1 : 1))
      return domains.length === 0 ? undefined : { kind: 'addresses-changed', userId, domains }
    },
  })
}
