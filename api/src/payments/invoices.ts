/**
 * Our invoices and credit notes. An invoice is issued when the provider's is paid, or when it is open on a subscription
 * that was paid before; a credit note for each refund. Numbers have no gaps: the row of the year stays locked until commit.
 */
import type { Knex } from 'knex'
import { query } from '../database/sql.ts'
import { withoutKnown, writeLedger } from './ledger.ts'
import type { ProviderName, ReadInvoice } from './provider.ts'
import { refundedCents } from './refunded-cents.ts'

/** Who and what the invoices of a subscription are for. */
export interface InvoiceContext {
  readonly provider: ProviderName
  /** The party of a new invoice; a credit note has that of its invoice. */
  readonly party: () => Promise<string>
  /** Null: the account was deleted. */
  readonly userId: string | null
  readonly subscriptionId: string
  /** The price of the subscription. */
  readonly priceId: string
  /** Whether the subscription was ever paid: only then an open invoice is one of ours. */
  readonly isStarted: boolean
}

/** What an application of a read changed, for mails. */
export interface InvoiceChange {
  readonly kind: 'paid' | 'refunded'
  readonly invoiceId: string
}

interface InvoiceRow {
  readonly id: string
  readonly status: string
}

interface KnownInvoice extends InvoiceRow {
  readonly tax_basis_points: number
  readonly party_id: string
}

/** Our invoice, as a credit note needs it. */
interface Issued {
  readonly id: string
  readonly basisPoints: number
  readonly partyId: string
}

interface Rate {
  readonly country: string
  readonly rate_basis_points: number | null
}

/** The tax in an amount that includes it, rounded to the nearest cent. */
function taxIn(totalCents: number, basisPoints: number): number {
  return Math.round((totalCents * basisPoints) / (10_000 + basisPoints))
}

/** The next number of a year. The transaction holds it until its end. */
async function nextNumber(trx: Knex.Transaction, at: Date): Promise<string> {
  const year = at.getUTCFullYear()
  const [row] = await query<{ last: number }>(
    trx,
    `insert into invoice_numbers as n (year, last) values (?, 1)
     on conflict (year) do update set last = n.last + 1 returning last`,
    [year],
  )
  return `H-${year}-${String(row?.last).padStart(6, '0')}`
}

async function rateOf(trx: Knex.Transaction, partyId: string): Promise<number> {
  const [row] = await query<Rate>(
    trx,
    `select p.country, r.rate_basis_points from billing_parties p left join tax_rates r using (country) where p.id = ?`,
    [partyId],
  )
  return row?.rate_basis_points ?? 0
}

const INSERT = `
  insert into invoices (number, kind, status, provider, provider_id, party_id, corrects_id, issued_at, paid_at, total_cents,
                        tax_cents, tax_basis_points, currency, lines)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) returning id, status`

interface NewInvoice {
  readonly kind: 'invoice' | 'credit_note'
  readonly status: string
  readonly providerId: string
  readonly correctsId: string | null
  readonly issuedAt: Date
  readonly paidAt: Date | null
  readonly totalCents: number
  readonly taxCents: number
  readonly currency: string
  readonly lines: readonly { readonly description: string; readonly amountCents: number }[]
  readonly basisPoints: number
  readonly partyId: string
}

async function issue(
  trx: Knex.Transaction,
  context: InvoiceContext,
  invoice: NewInvoice,
): Promise<InvoiceRow> {
  const rate = invoice.basisPoints
  const [row] = await query<InvoiceRow>(trx, INSERT, [
    await nextNumber(trx, invoice.issuedAt),
    invoice.kind,
    invoice.status,
    context.provider,
    invoice.providerId,
    invoice.partyId,
    invoice.correctsId,
    invoice.issuedAt,
    invoice.paidAt,
    invoice.totalCents,
    invoice.taxCents,
    rate,
    invoice.currency,
    JSON.stringify(invoice.lines),
  ])
  if (row === undefined) throw new Error('an inserted invoice has a row')
  if (context.userId !== null) {
    await query(
      trx,
      'insert into invoice_accounts (invoice_id, user_id, subscription_id) values (?, ?, ?)',
      [row.id, context.userId, context.subscriptionId],
    )
  }
  return row
}

/** Our invoice for one of the provider's; undefined: it is not stored yet. */
async function invoiceOf(
  trx: Knex.Transaction,
  provider: ProviderName,
  kind: 'invoice' | 'credit_note',
  providerId: string,
): Promise<KnownInvoice | undefined> {
  const [row] = await query<KnownInvoice>(
    trx,
    'select id, status, tax_basis_points, party_id from invoices where provider = ? and provider_id = ? and kind = ? for update',
    [provider, providerId, kind],
  )
  return row
}

function statusOf(invoice: ReadInvoice): 'open' | 'paid' | 'void' | 'refunded' {
  if (invoice.status !== 'paid') return invoice.status
  const isRefunded = invoice.paidCents > 0 && refundedCents(invoice) >= invoice.paidCents
  return isRefunded ? 'refunded' : 'paid'
}

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

/** `, 12 May 2026 to 12 May 2027`. */
const periodText = ({ periodStart: from, periodEnd: to }: ReadInvoice): string =>
  from === null || to === null ? '' : `, ${DAY.format(from)} to ${DAY.format(to)}`

const SOLD = `
  select plan, billing from plan_prices where amount_cents = ? and currency = ? order by (id = ?::bigint) desc, id desc limit 1`

/**
 * What was sold. An invoice must name the service and its period, which PayPal does not do, and Stripe only for changes. Of a
 * single line, the amount says which plan it was, also after a change of the subscription.
 */
async function linesOf(
  trx: Knex.Transaction,
  { priceId }: InvoiceContext,
  invoice: ReadInvoice,
): Promise<ReadInvoice['lines']> {
  const [only, ...others] = invoice.lines
  if (only === undefined || others.length > 0 || invoice.kind === 'change') return invoice.lines
  const [sold] = await query<{ plan: string; billing: string }>(trx, SOLD, [
    only.amountCents,
    invoice.currency,
    priceId,
  ])
  const name =
    sold === undefined
      ? only.description
      : `${sold.plan.charAt(0).toUpperCase()}${sold.plan.slice(1)}, ${sold.billing}`
  return [{ ...only, description: `${name}${periodText(invoice)}` }]
}

/** Issues or updates our invoice. @returns undefined when the provider's is not one of ours */
async function writeInvoice(
  trx: Knex.Transaction,
  context: InvoiceContext,
  invoice: ReadInvoice,
): Promise<(Issued & { readonly isNewlyPaid: boolean }) | undefined> {
  const known = await invoiceOf(trx, context.provider, 'invoice', invoice.id)
  const status = statusOf(invoice)
  if (known !== undefined) {
    const isNewlyPaid = known.status === 'open' && (status === 'paid' || status === 'refunded')
    if (known.status !== status) {
      await query(trx, 'update invoices set status = ?, paid_at = ? where id = ?', [
        status,
        invoice.paidAt,
        known.id,
      ])
    }
    const { id, tax_basis_points: basisPoints, party_id: partyId } = known
    return { id, basisPoints, partyId, isNewlyPaid }
  }
  const isOurs = invoice.paidAt !== null || (context.isStarted && invoice.status === 'open')
  if (!isOurs || invoice.totalCents <= 0) return undefined
  const partyId = await context.party()
  const basisPoints = await rateOf(trx, partyId)
  const { id } = await issue(trx, context, {
    kind: 'invoice',
    status,
    providerId: invoice.id,
    correctsId: null,
    issuedAt: invoice.issuedAt,
    paidAt: invoice.paidAt,
    totalCents: invoice.totalCents,
    taxCents: taxIn(invoice.totalCents, basisPoints),
    currency: invoice.currency,
    lines: await linesOf(trx, context, invoice),
    basisPoints,
    partyId,
  })
  return { id, basisPoints, partyId, isNewlyPaid: invoice.paidAt !== null }
}

/** The tax of one more credit note. Together, the credit notes of a refund in full have the tax of the invoice, to the cent. */
async function creditedTax(
  trx: Knex.Transaction,
  { id, basisPoints }: Issued,
  amountCents: number,
): Promise<number> {
  const [row] = await query<{ cents: number; tax: number }>(
    trx,
    `select coalesce(-sum(total_cents), 0)::int as cents, coalesce(-sum(tax_cents), 0)::int as tax
     from invoices where corrects_id = ? and status <> 'void'`,
    [id],
  )
  const { cents = 0, tax = 0 } = row ?? {}
  // Subtracted from 0, because -0 differs from 0.
  return 0 - (taxIn(cents + amountCents, basisPoints) - tax)
}

/** Voids credit notes of refunds that were only assumed. @returns whether there were any */
async function voidReplaced(
  trx: Knex.Transaction,
  provider: ProviderName,
  ids: readonly string[],
): Promise<boolean> {
  if (ids.length === 0) return false
  const voided = await query(
    trx,
    `update invoices set status = 'void'
     where provider = ? and kind = 'credit_note' and provider_id = any (?::text[]) and status <> 'void' returning id`,
    [provider, ids],
  )
  return voided.length > 0
}

/** A credit note for each refund that has none. @returns the new ones that the owner has not heard of */
async function writeCreditNotes(
  trx: Knex.Transaction,
  context: InvoiceContext,
  invoice: ReadInvoice,
  corrected: Issued,
): Promise<string[]> {
  const added: string[] = []
  // Before the new ones, whose tax depends on those that count.
  const isTold = await voidReplaced(trx, context.provider, invoice.replacedIds ?? [])
  for (const refund of invoice.refunds) {
    const known = await invoiceOf(trx, context.provider, 'credit_note', refund.id)
    if (known !== undefined) {
      const status = refund.hasSucceeded ? 'paid' : 'void'
      if (known.status !== status)
        await query(trx, 'update invoices set status = ? where id = ?', [status, known.id])
      continue
    }
    if (!refund.hasSucceeded || refund.amountCents <= 0) continue
    const { id } = await issue(trx, context, {
      kind: 'credit_note',
      status: 'paid',
      providerId: refund.id,
      correctsId: corrected.id,
      issuedAt: refund.at,
      paidAt: refund.at,
      totalCents: -refund.amountCents,
      taxCents: await creditedTax(trx, corrected, refund.amountCents),
      currency: invoice.currency,
      lines: [{ description: 'Refund', amountCents: -refund.amountCents }],
      basisPoints: corrected.basisPoints,
      partyId: corrected.partyId,
    })
    if (!isTold) added.push(id)
  }
  return added
}

/** Brings invoices, credit notes and the ledger up to what was read. The oldest invoice gets the lowest number. */
export async function writeInvoices(
  trx: Knex.Transaction,
  context: InvoiceContext,
  invoices: readonly ReadInvoice[],
): Promise<InvoiceChange[]> {
  const changes: InvoiceChange[] = []
  const oldestFirst = invoices.toSorted((a, b) => a.issuedAt.getTime() - b.issuedAt.getTime())
  for (const invoice of oldestFirst) {
    const ours = await writeInvoice(trx, context, invoice)
    if (ours === undefined) {
      await writeLedger(trx, context, invoice, null)
      continue
    }
    const counted = await withoutKnown(trx, invoice, ours.id)
    await writeLedger(trx, context, counted, ours.id)
    if (ours.isNewlyPaid) changes.push({ kind: 'paid', invoiceId: ours.id })
    for (const id of await writeCreditNotes(trx, context, counted, ours)) {
      changes.push({ kind: 'refunded', invoiceId: id })
    }
  }
  return changes
}
