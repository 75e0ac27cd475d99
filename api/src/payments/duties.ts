/**
 * What remains to be done at a provider. A duty is stored in the transaction that decides on it, so that nothing is
 * forgotten when a provider or this process is away, and a job does it until it is done (`do-duties.ts`).
 */
import type { Knex } from 'knex'
import { query } from '../database/sql.ts'
import type { ProviderName } from './provider.ts'
import type { Duty } from './state/subscription.ts'

/** A row of `payment_duties`. */
export interface DutyRow {
  readonly id: string
  readonly subscription_id: string
  readonly kind: Duty['kind']
  readonly payment_id: string | null
  readonly amount_cents: number | null
  readonly currency: string | null
  readonly reason: string
  readonly attempts: number
}

// A read shows again what remains to be done. What the provider refuses is tried again after a minute, and then after as
// long as it has been refused, at most a day.
const ADD = `
  with given as (select ?::bigint as subscription_id, ?::text as reason, ?::timestamptz as now),
  refused as (
    select d.kind, d.payment_id, min(d.done_at) as since from payment_duties d join given g using (subscription_id)
    where d.done_at is not null and d.error is not null
      and not exists (
        select from payment_duties later
        where later.subscription_id = d.subscription_id and later.kind = d.kind
          and later.payment_id is not distinct from d.payment_id
          and later.id > d.id and later.done_at is not null and later.error is null)
    group by d.kind, d.payment_id)
  insert into payment_duties as p
    (subscription_id, kind, payment_id, amount_cents, currency, ends_plan, note, reason, created_at, due_at)
  select distinct on (d.kind, d."paymentId")
         g.subscription_id, d.kind, d."paymentId", d."amountCents", d.currency, coalesce(d."endsPlan", true), d.note, g.reason,
         g.now, case when r.since is null then g.now
                else g.now + least(interval '1 day', greatest(interval '1 minute', g.now - r.since)) end
  from given g cross join json_to_recordset(?::json)
    as d(kind text, "paymentId" text, "amountCents" int, currency text, "endsPlan" boolean, note text)
  left join refused r on r.kind = d.kind and r.payment_id is not distinct from d."paymentId"
  on conflict (subscription_id, kind, payment_id) where done_at is null do update set note = excluded.note
  where p.note is null and excluded.note is not null`

// The later of two opposite wishes counts, and an end makes both pointless.
const CONTRARY: Readonly<Record<Duty['kind'], readonly Duty['kind'][]>> = {
  cancel: ['resume'],
  resume: ['cancel'],
  end: ['cancel', 'resume'],
  refund: [],
}

/** Stores duties. One that is open already gets a note that it lacks, and no second one. The caller has locked the subscription. */
export async function addDuties(
  trx: Knex.Transaction,
  subscriptionId: string,
  duties: readonly Duty[],
  { reason, now }: { readonly reason: string; readonly now: Date },
): Promise<void> {
  if (duties.length === 0) return
  const contrary = duties.flatMap(({ kind }) => CONTRARY[kind])
  if (contrary.length > 0) {
    await query(
      trx,
      'update payment_duties set done_at = ?, error = null where subscription_id = ? and done_at is null and kind = any (?::text[])',
      [now, subscriptionId, contrary],
    )
  }
  await query(trx, ADD, [subscriptionId, reason, now, JSON.stringify(duties)])
}

/** The kinds of duties of a subscription that are open. */
export async function openDuties(db: Knex, subscriptionId: string): Promise<Set<Duty['kind']>> {
  const rows = await query<Pick<DutyRow, 'kind'>>(
    db,
    'select distinct kind from payment_duties where subscription_id = ? and done_at is null',
    [subscriptionId],
  )
  return new Set(rows.map(({ kind }) => kind))
}

/** Payments of a subscription that were refunded for goodwill, or will be: that ends no plan. */
export async function goodwillPayments(db: Knex, subscriptionId: string): Promise<Set<string>> {
  const rows = await query<{ payment_id: string }>(
    db,
    `select payment_id from payment_duties
     where subscription_id = ? and kind = 'refund' and not ends_plan and (done_at is null or error is null)`,
    [subscriptionId],
  )
  return new Set(rows.map(({ payment_id }) => payment_id))
}

// A lease: a job that stops in the middle leaves the duty to the next one.
const LEASE_MS = 90_000
const CLAIM = `
  update payment_duties set due_at = ?, attempts = attempts + 1
  where id in (
    select d.id from payment_duties d join subscriptions s on s.id = d.subscription_id
    where d.done_at is null and d.due_at <= ? and s.provider = any (?::text[]) order by d.due_at, d.id limit ?
    for update of d skip locked)
  returning id, subscription_id, kind, payment_id, amount_cents, currency, reason, attempts`

/** Takes duties at some providers that are due. No other job gets them for a while. */
export async function claimDuties(
  knex: Knex,
  names: readonly ProviderName[],
  { now, limit }: { readonly now: Date; readonly limit: number },
): Promise<DutyRow[]> {
  const lease = new Date(now.getTime() + LEASE_MS)
  const rows = await query<DutyRow>(knex, CLAIM, [lease, now, names, limit])
  return rows.toSorted((a, b) => Number(a.id) - Number(b.id))
}

/** Waits that double from 2 s to 60 s: a cancellation is done within 90 s of the provider's return. */
const FIRST_WAIT_MS = 2_000
const LONGEST_WAIT_MS = 60_000

/** When a failed call is repeated. */
export const retryAt = (attempts: number, now: Date): Date =>
  new Date(
    now.getTime() + Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.max(0, attempts - 1)),
  )

/** Marks a duty as done. */
export async function finishDuty(db: Knex, id: string, now: Date): Promise<void> {
  await query(db, 'update payment_duties set done_at = ?, error = null where id = ?', [now, id])
}

/** Puts a duty off after a failure. @param error without data of a payer */
export async function postponeDuty(
  db: Knex,
  { id, attempts }: Pick<DutyRow, 'id' | 'attempts'>,
  error: string,
  now: Date,
): Promise<void> {
  const values = [retryAt(attempts, now), error, id]
  await query(
    db,
    'update payment_duties set due_at = ?, error = ? where id = ? and done_at is null',
    values,
  )
}
