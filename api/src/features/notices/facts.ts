/** What the tables say about an account that can be a notice, read by one statement. */
import type { NoticeFacts } from '../../rules/account-notices.ts'
import { CARD_DAYS, ENDING_DAYS } from '../../rules/payment-notices.ts'
import { query } from '../../database/sql.ts'
import type { Services } from '../../compose.ts'

/** Names or keys that a notice names; the rest is counted. */
const NAMED = 3
const names = (column: string) => `(array_agg(${column} order by ${column}))[1:${NAMED}] as names`

// The account's domains are read once. Read for each fact, in the order of their names, PostgreSQL would look for them among
// the domains of all accounts.
const MINE = `
  select id, zone_id, fqdn, created_at, last_update_at, locked, over_limit, is_active, record_ipv4, record_ipv6
  from domains where user_id = ? and not is_wildcard`

/** Of an update call. Its index finds the calls of a domain; a regular expression for each of them would take twice the time. */
const ACCEPTED = `(answer like 'good%' or answer like 'nochg%')`

const LOCKED = `
  select count(*)::int as count, ${names('fqdn')}, max(since) as at from (
    select d.fqdn, coalesce((select max(locked_at) from locked_names l
                             where l.fqdn = any (names_at_or_above(d.fqdn))), d.created_at) as since
    from mine d where d.locked
  ) x`

const OVER_LIMIT = `
  select count(*)::int as count, ${names('fqdn')}, max(since) as at from (
    select d.fqdn, coalesce((select max(happened_at) from domain_events e
                             where e.domain_id = d.id and e.kind = 'withheld'), d.created_at) as since
    from mine d where d.over_limit
      -- Those in an own zone that is withheld have a notice of their own.
      and not exists (select from zones z where z.id = d.zone_id and z.is_own and not z.is_served)
  ) x`

const BROKEN_ZONES = `
  select count(*)::int as count, ${names('name')}, max(checked_at) as at
  from zone_claims where user_id = u.id and state = 'active' and notified = 'broken' and verified_at is null`

// Withheld ones first: only they are named while there are any.
const OUTSIDE_ZONES = `
  select count(*)::int as count, ${names('name')}, min(withheld_at) - interval '30 days' as at, min(withheld_at) as "endsAt",
         (count(*) filter (where state = 'withheld'))::int as withheld
  from zone_claims c where c.user_id = u.id and c.state in ('active', 'withheld') and c.withheld_at is not null
    and (c.state = 'withheld' or not exists (
      select from zone_claims w where w.user_id = u.id and w.state = 'withheld'))`

// The same silence that the mails report (jobs/notices/silent-domains.ts).
const SILENT = `
  select count(*)::int as count, ${names('fqdn')}, max(silent_at) as at from (
    select d.fqdn, greatest(d.created_at, d.last_update_at, r.accepted_at)
                   + u.notify_not_updated_days * interval '1 day' as silent_at
    from mine d left join update_call_rings r on r.domain_id = d.id
    where u.notify_not_updated_days is not null and d.is_active
  ) x where silent_at <= n.now`

const FIRST_ID = '(array_agg(id::text order by fqdn))[1] as id'

// The newest refused call of a domain, unless a call was accepted since. Equal calls are one row, whose beginning is the
// occurrence: a router that keeps calling does not bring a dismissed notice back.
const REFUSED_UPDATES = `
  select count(*)::int as count, ${names('fqdn')}, ${FIRST_ID}, max(first_at) as at from (
    select d.id, d.fqdn, c.first_at
    from mine d
    join update_call_rings r on r.domain_id = d.id and r.refused > 0
    join lateral (
      select first_at, last_at from update_calls
      where domain_id = d.id and is_refused order by number desc limit 1
    ) c on c.last_at > n.now - interval '1 day' and (r.accepted_at is null or r.accepted_at < c.last_at)
  ) x`

/** How many calls show what gap is usual, and after how many such gaps a domain is late. */
const USUAL_CALLS = 5
const LATE_GAPS = 5

// Domains that are silent (above) are not late, too. Only domains without an update for a day are looked at.
const LATE_UPDATES = `
  select count(*)::int as count, ${names('fqdn')}, ${FIRST_ID}, max(late_at) as at from (
    select d.id, d.fqdn, latest.at + greatest(${LATE_GAPS} * c.gap, interval '1 day') as late_at
    from mine d
    join update_call_rings r on r.domain_id = d.id and r.accepted_at <= n.now - interval '1 day'
    cross join lateral (select greatest(d.last_update_at, r.accepted_at) as at) latest
    join lateral (
      select (max(last_at) - min(first_at)) / (sum(times) - 1)::float8 as gap from update_calls
      where domain_id = d.id and not is_refused and ${ACCEPTED}
      having sum(times) >= ${USUAL_CALLS}
    ) c on true
    where d.is_active
      and (latest.at + u.notify_not_updated_days * interval '1 day' <= n.now) is not true
  ) x where late_at <= n.now`

// The answer to a call has the addresses that it reported: an IPv4 address has dots, an IPv6 address has colons.
const ONE_FAMILY_UPDATES = `
  select count(*)::int as count, ${names('fqdn')}, ${FIRST_ID}, max(stale_at) as at from (
    select d.id, d.fqdn, least(c.ipv4_at, c.ipv6_at) as stale_at
    from mine d
    join lateral (
      select max(last_at) filter (where answer like '%.%') as ipv4_at,
             max(last_at) filter (where answer like '%:%') as ipv6_at
      from update_calls where domain_id = d.id and not is_refused and ${ACCEPTED}
    ) c on greatest(c.ipv4_at, c.ipv6_at) - least(c.ipv4_at, c.ipv6_at) > interval '3 days'
    where d.is_active
      and d.record_ipv4 is not null and d.record_ipv6 is not null
  ) x`

// For accounts younger than the time in which deleted domains are kept. A user who deleted a domain knows the way, so finished
// steps do not come back.
const FIRST_STEPS = `
  select count(*) > 0 as "hasDomain", coalesce(bool_or(r.accepted_at is not null), false) as "hasUpdate",
         coalesce(bool_or(d.last_update_at is not null), false) as "hasAddress", min(d.id)::text as id
  from mine d left join update_call_rings r on r.domain_id = d.id
  having u.created_at > n.now - interval '30 days'
    and not exists (select from deleted_domains x where x.user_id = u.id)`

// The same time that the mails choose (jobs/notices/expiring-keys.ts).
const EXPIRING = `
  select count(*)::int as count, ${names('name')}, max(due) as at, min(ends_at) as "endsAt" from (
    select k.name, least(k.expires_at, k.unused_expires_at) as ends_at,
           greatest(case when k.expires_at - least(interval '7 days', (k.expires_at - k.created_at) / 2) <= n.now
                      then k.expires_at - least(interval '7 days', (k.expires_at - k.created_at) / 2) end,
                    case when k.unused_expires_at - least(interval '7 days', k.unused_days * interval '12 hours') <= n.now
                      then k.unused_expires_at - least(interval '7 days', k.unused_days * interval '12 hours') end) as due
    from api_keys k where k.user_id = u.id and k.replaced_by is null and k.policy_id is null
  ) x where ends_at > n.now and due is not null`

const KEYS = `
  select count(*)::int as count, ${names('name')}, max(created_at) as at
  from api_keys k where k.user_id = u.id and k.replaced_by is null and k.policy_id is null
    and coalesce(least(k.expires_at, k.unused_expires_at) > n.now, true)`

const RECOVERY_CODES = `
  select (count(*) filter (where used_at is null))::int as left, max(coalesce(used_at, created_at)) as at
  from recovery_codes where user_id = u.id`

const RECOVERY_SIGN_IN = `
  select at, host(ip) as ip, cc from login_history
  where user_id = u.id and success and method = 'password_recovery_code' and at > n.now - interval '7 days'
  order by at desc limit 1`

const FAILED_SIGN_INS = `
  select count(*)::int as count, date_trunc('day', max(at), 'UTC') as at from login_history
  where user_id = u.id and not success and method is distinct from 'update_password'
    and at > n.now - interval '1 day'`

// Only the link to the present address: the other one does not exist if another account has the new address, which
// nobody may learn.
const EMAIL_CHANGE = `
  select created_at as at, expires_at as "endsAt" from mail_links
  where user_id = u.id and purpose = 'change_email_old' and email = u.email and expires_at > n.now`

// A surplus subscription is cancelled and refunded by a job. One that another one follows does not take the plan away.
const SUBSCRIPTION = `
  select s.state, c.plan, s.ends_at as "endsAt", s.first_failed_at as "failedAt", s.card_expires_at as "cardExpiresAt",
         case when s.state = 'canceled' and s.ends_at <= n.now + interval '${ENDING_DAYS} days' and not exists (
                select from subscriptions f where f.user_id = u.id and f.state = 'incomplete' and f.waits_until is not null
                                              and f.started_at is not null and not f.is_surplus)
           then s.ends_at - interval '${ENDING_DAYS} days' end as "endingSince",
         case when s.state in ('active', 'past_due') and s.card_expires_at <= n.now + interval '${CARD_DAYS} days'
           then s.card_expires_at - interval '${CARD_DAYS} days' end as "cardExpiringSince"
  from subscriptions s join plan_prices c on c.id = s.price_id
  where s.user_id = u.id and s.state in ('active', 'past_due', 'canceled', 'disputed') and not s.is_surplus
  limit 1`

const NEXT_PLAN = `
  select account_type as id, domain_limit as "domainLimit", ttl_seconds as ttl,
         price_month_cents as "monthCents", currency
  from plans where price_month_cents > 0 and position > p.position order by position limit 1`

const part = (sql: string, name: string) => `(select to_jsonb(f) from (${sql}) f) as "${name}"`

const READ = `
  with mine as materialized (${MINE})
  select u.account_type as plan, u.created_at as "createdAt", u.terms_version as "termsVersion",
         u.notify_not_updated_days as "silentDays", u.has_second_factor as "hasSecondFactor",
         p.domain_limit as "domainLimit", 'api_keys' = any (p.abilities) as "hasKeys",
         (select to_jsonb(f) from (select count(*)::int as count, max(created_at) as at from mine) f) as domains,
         ${part(LOCKED, 'locked')}, ${part(OVER_LIMIT, 'overLimit')}, ${part(SILENT, 'silent')},
         ${part(BROKEN_ZONES, 'brokenZones')}, ${part(OUTSIDE_ZONES, 'outsideZones')},
         ${part(REFUSED_UPDATES, 'refusedUpdates')}, ${part(LATE_UPDATES, 'lateUpdates')},
         ${part(ONE_FAMILY_UPDATES, 'oneFamilyUpdates')}, ${part(FIRST_STEPS, 'firstSteps')},
         ${part(EXPIRING, 'expiringKeys')}, ${part(KEYS, 'keys')}, ${part(RECOVERY_CODES, 'recoveryCodes')},
         ${part(RECOVERY_SIGN_IN, 'recoverySignIn')}, ${part(FAILED_SIGN_INS, 'failedSignIns')},
         ${part(EMAIL_CHANGE, 'emailChange')}, ${part(SUBSCRIPTION, 'subscription')},
         ${part(NEXT_PLAN, 'nextPlan')}
  from users u join plans p on p.account_type = u.account_type
  cross join (select ?::timestamptz as now) n
  where u.id = ?`

/** @throws Error if the account does not exist */
export async function readNoticeFacts(
  { knex, now }: Pick<Services, 'knex' | 'now'>,
  userId: string,
): Promise<NoticeFacts> {
  const [facts] = await query<NoticeFacts>(knex, READ, [userId, now(), userId], 'notice-facts')
  if (facts === undefined) throw new Error('the account of a session exists')
  return facts
}
