/** The ledger: every payment, refund and dispute once, so that its sum is that of the providers' books. */
import type { LedgerKind } from '@homing/openapi/vocabulary'
import type { Knex } from 'knex'
import { query } from '../database/sql.ts'
import type { ProviderName, ReadInvoice } from './provider.ts'

interface Entry {
  readonly kind: LedgerKind
  readonly provider_id: string
  readonly amount_cents: number
  readonly happened_at: Date
}

/** The entries of one invoice at the provider. */
function entriesOf(invoice: ReadInvoice): Entry[] {
  const { paymentId, paidAt, paidCents } = invoice
  const entries: Entry[] = []
  if (invoice.status === 'paid' && paymentId !== null && paidAt !== null && paidCents > 0) {
    const payment = { provider_id: paymentId, amount_cents: paidCents, happened_at: paidAt }
    entries.push({ kind: 'payment', ...payment })
  }
  for (const { id, amountCents, at, hasSucceeded } of invoice.refunds) {
    if (!hasSucceeded || amountCents <= 0) continue
    entries.push({ kind: 'refund', provider_id: id, amount_cents: -amountCents, happened_at: at })
  }
  for (const { id, amountCents, openedAt, isWithdrawn, returned } of invoice.disputes) {
    if (!isWithdrawn || amountCents <= 0) continue
    entries.push({
      kind: 'dispute',
      provider_id: id,
      amount_cents: -amountCents,
      happened_at: openedAt,
    })
    if (returned === null) continue
    const won = { provider_id: id, amount_cents: returned.amountCents, happened_at: returned.at }
    entries.push({ kind: 'dispute_won', ...won })
  }
  return entries
}

// The reason of a refund is the note of the administrator who wanted it.
const WRITE = `
  insert into ledger_entries (happened_at, provider, kind, amount_cents, currency, provider_id, invoice_id, reason)
  select happened_at, ?, kind, amount_cents, ?, provider_id, ?,
         case when kind = 'refund' then (
           select note from payment_duties d
           where d.subscription_id = ? and d.kind = 'refund' and d.payment_id = ? and d.note is not null
           order by d.id desc limit 1) end
  from json_to_recordset(?::json) as e(happened_at timestamptz, kind text, amount_cents int, provider_id text)
  on conflict (provider, kind, provider_id) do nothing`

/** What the provider took back is no longer in its books, and what was only assumed never was. */
const REMOVE = `
  delete from ledger_entries where provider = ? and kind = any (?::text[]) and provider_id = any (?::text[])`

const KNOWN = `
  select coalesce(-sum(amount_cents), 0)::int as cents from ledger_entries
  where invoice_id = ? and kind in ('refund', 'dispute') and provider_id <> all (?::text[])`

/**
 * Limits assumed refunds and disputes to what the ledger does not have yet: a provider deletes its records after a while.
 *
 * @param invoiceId our invoice
 */
export async function withoutKnown(
  trx: Knex.Transaction,
  invoice: ReadInvoice,
  invoiceId: string,
): Promise<ReadInvoice> {
  const { assumedIds = [], replacedIds = [], paidCents, refunds, disputes } = invoice
  if (assumedIds.length === 0) return invoice
  const unsure = [...assumedIds, ...replacedIds]
  const [known] = await query<{ cents: number }>(trx, KNOWN, [invoiceId, unsure])
  const leftCents = paidCents - (known?.cents ?? 0)
  const limited = <Movement extends { readonly id: string; readonly amountCents: number }>(
    movements: readonly Movement[],
  ) =>
    movements
      .map((each) =>
        assumedIds.includes(each.id)
          ? { ...each, amountCents: Math.min(each.amountCents, leftCents) }
          : each,
      )
      .filter(({ amountCents }) => amountCents > 0)
  return { ...invoice, refunds: limited(refunds), disputes: limited(disputes) }
}

interface LedgerContext {
  readonly provider: ProviderName
  readonly subscriptionId: string
}

/** Writes what is new, and removes what does not count any more. @param invoiceId our invoice; null: the payment has no invoice */
export async function writeLedger(
  trx: Knex.Transaction,
  { provider, subscriptionId }: LedgerContext,
  invoice: ReadInvoice,
  invoiceId: string | null,
): Promise<void> {
  const entries = entriesOf(invoice)
  if (entries.length > 0) {
    const { currency, paymentId } = invoice
    const given = [provider, currency, invoiceId, subscriptionId, paymentId]
    await query(trx, WRITE, [...given, JSON.stringify(entries)])
  }
  const failed = invoice.refunds.filter(({ hasSucceeded }) => !hasSucceeded).map(({ id }) => id)
  if (failed.length > 0) await query(trx, REMOVE, [provider, ['refund'], failed])
  const { replacedIds = [] } = invoice
  if (replacedIds.length > 0)
    await query(trx, REMOVE, [provider, ['refund', 'dispute'], replacedIds])
}
