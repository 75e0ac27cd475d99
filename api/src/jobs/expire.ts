/** Deletes rows whose retention has ended: sessions, links, reservations, counters, accounts that were never verified. */
import type { Knex } from 'knex'
import { KNOWN_NETWORK_DAYS } from '../credentials/known-networks.ts'
import { LOGINS_KEPT_DAYS } from '../credentials/login-history.ts'
import { UNVERIFIED_LIFETIME_MS } from '../credentials/registration-secret.ts'
import { HISTORY_RETENTION_DAYS } from '../feed/partition-schedules.ts'
import { query } from '../database/sql.ts'
import { UNUSED_PARTY } from '../payments/parties.ts'
import { RESERVATION_DAYS } from '../rules/name-reservations.ts'
import { ENDED_KEPT_DAYS } from '../rules/zone-checks.ts'

/** Rows per statement, so that no statement holds its locks for long. */
const BATCH = 1_000
const DAY_MS = 86_400_000
/** For some days an expired link is reported as expired; later it is reported as invalid. */
export const EXPIRED_LINK_KEPT_MS = 7 * DAY_MS
/** History is deleted in whole months, so some of it is kept for a month longer. */
const FORMER_NAME_KEPT_MS = (HISTORY_RETENTION_DAYS + 31) * DAY_MS

/** Longer than a forwarder tries to send a batch again. */
const HIT_BATCH_KEPT_MS = 2 * DAY_MS
/** Only the present minute is read. */
const DESTINATION_KEPT_MS = 5 * 60_000
const NOTIFICATION_KEPT_MS = 90 * DAY_MS

interface Expiry {
  readonly table: string
  /** The condition for rows that are due; `?` is the time. */
  readonly due: string
  readonly at: (now: Date) => Date | number
}

/** How long events of payment providers are kept. */
const PAYMENT_EVENT_KEPT_DAYS = 400
const CHECKOUT_KEPT_DAYS = 30
/** What the law asks of accounts in most countries. */
const INVOICES_KEPT_YEARS = 10

const before = (spanMs: number) => (now: Date) => new Date(now.getTime() - spanMs)

/** Whole calendar years. */
const yearsBefore = (years: number) => (now: Date) => {
  const at = new Date(now)
  at.setUTCFullYear(at.getUTCFullYear() - years)
  return at
}

const EXPIRIES: readonly Expiry[] = [
  { table: 'sessions', due: 'expires_at <= ?', at: before(0) },
  { table: 'mail_links', due: 'expires_at <= ?', at: before(EXPIRED_LINK_KEPT_MS) },
  {
    table: 'api_keys',
    due: '(replaced_by is not null or policy_id is not null) and expires_at <= ?',
    at: before(0),
  },
  { table: 'login_tokens', due: 'expires_at <= ?', at: before(0) },
  // An authenticator that was never confirmed.
  { table: 'totp_secrets', due: 'confirmed_at is null and created_at <= ?', at: before(DAY_MS) },
  { table: 'passkey_challenges', due: 'expires_at <= ?', at: before(0) },
  { table: 'exchanged_tokens', due: 'expires_at <= ?', at: before(0) },
  // A day after they expire, for a replica whose clock is behind.
  { table: 'used_captchas', due: 'expires_at <= ?', at: before(DAY_MS) },
  { table: 'name_reservations', due: 'reserved_until <= ?', at: before(0) },
  { table: 'deleted_domains', due: 'deleted_at <= ?', at: before(RESERVATION_DAYS * DAY_MS) },
  { table: 'idempotency_keys', due: 'expires_at <= ?', at: before(0) },
  {
    table: 'forward_hits',
    due: 'day <= ?::timestamptz::date',
    at: before(HISTORY_RETENTION_DAYS * DAY_MS),
  },
  { table: 'forward_graces', due: 'ends_at <= ?', at: before(0) },
  { table: 'forward_hit_batches', due: 'received_at <= ?', at: before(HIT_BATCH_KEPT_MS) },
  { table: 'monitor_intervals', due: 'until <= ?', at: before(HISTORY_RETENTION_DAYS * DAY_MS) },
  {
    table: 'monitor_days',
    due: 'day <= ?::timestamptz::date',
    at: before(HISTORY_RETENTION_DAYS * DAY_MS),
  },
  { table: 'monitor_destinations', due: 'minute <= ?', at: before(DESTINATION_KEPT_MS) },
  { table: 'monitor_notifications', due: 'created_at <= ?', at: before(NOTIFICATION_KEPT_MS) },
  { table: 'monitor_workers', due: 'seen_at <= ?', at: before(DAY_MS) },
  { table: 'former_domains', due: 'deleted_at <= ?', at: before(FORMER_NAME_KEPT_MS) },
  {
    table: 'zone_claims',
    due: `state in ('lost', 'expired') and ended_at <= ?`,
    at: before(ENDED_KEPT_DAYS * DAY_MS),
  },
  {
    table: 'zone_events',
    due: 'happened_at <= ?',
    at: before(HISTORY_RETENTION_DAYS * DAY_MS),
  },
  { table: 'known_networks', due: 'seen_at <= ?', at: before(KNOWN_NETWORK_DAYS * DAY_MS) },
  { table: 'login_history', due: 'at <= ?', at: before(LOGINS_KEPT_DAYS * DAY_MS) },
  {
    table: 'payment_events',
    due: 'received_at <= ?',
    at: before(PAYMENT_EVENT_KEPT_DAYS * DAY_MS),
  },
  // One that waits for the end of another subscription says which one it replaces.
  {
    table: 'checkouts',
    due: `state <> 'open' and created_at <= ?
          and not exists (select from subscriptions s where s.checkout_id = checkouts.id and s.state = 'incomplete')`,
    at: before(CHECKOUT_KEPT_DAYS * DAY_MS),
  },
  { table: 'payment_duties', due: 'done_at <= ?', at: before(PAYMENT_EVENT_KEPT_DAYS * DAY_MS) },
  { table: 'ledger_entries', due: 'happened_at <= ?', at: yearsBefore(INVOICES_KEPT_YEARS) },
  // A credit note goes before the invoice that it corrects.
  {
    table: 'invoices',
    due: `kind = 'credit_note' and issued_at <= ?
          and not exists (select from ledger_entries l where l.invoice_id = invoices.id)`,
    at: yearsBefore(INVOICES_KEPT_YEARS),
  },
  {
    table: 'invoices',
    due: `kind = 'invoice' and issued_at <= ?
          and not exists (select from invoices c where c.corrects_id = invoices.id)
          and not exists (select from ledger_entries l where l.invoice_id = invoices.id)`,
    at: yearsBefore(INVOICES_KEPT_YEARS),
  },
  {
    table: 'billing_parties',
    due: `created_at <= ? and ${UNUSED_PARTY}`,
    at: before(DAY_MS),
  },
  { table: 'rate_limits', due: 'expire <= ?', at: (now) => now.getTime() },
  {
    table: 'users',
    due: `email_verified_at is null and account_type = 'free' and created_at <= ?
          and not exists (select from domains d where d.user_id = users.id)
          and not exists (select from zones z where z.owner_id = users.id)`,
    at: before(UNVERIFIED_LIFETIME_MS),
  },
]

/** Deletes the rows of one kind that are due, in batches. @returns their number */
async function expireOne(knex: Knex, { table, due, at }: Expiry, now: Date): Promise<number> {
  let gone = 0
  for (;;) {
    const rows = await query(
      knex,
      `delete from ${table} where ctid in (
         select ctid from ${table} where ${due} limit ${BATCH} for update skip locked)
       returning 1`,
      [at(now)],
    )
    gone += rows.length
    if (rows.length < BATCH) return gone
  }
}

/**
 * Deletes everything that is due. A failure in one table does not stop the others.
 *
 * @returns the number of deleted rows, by table
 * @throws AggregateError with the failures, each with the name of its table
 */
export async function expire(knex: Knex, now: Date): Promise<Readonly<Record<string, number>>> {
  const gone: Record<string, number> = {}
  const faults: Error[] = []
  for (const expiry of EXPIRIES) {
    const { table } = expiry
    try {
      gone[table] = (gone[table] ?? 0) + (await expireOne(knex, expiry, now))
    } catch (cause) {
      faults.push(new Error(`expiry of ${table} failed`, { cause }))
    }
  }
  if (faults.length > 0) throw new AggregateError(faults, 'the expiry of some tables failed')
  return gone
}
