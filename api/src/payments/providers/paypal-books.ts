/**
 * PayPal's own books: the reports of transactions (Transaction Search), in windows of 31 days. The app at PayPal needs
 * the permission for them. A transaction appears in them up to three hours after it happened.
 */
import type { ReadBookEntry } from '../provider.ts'
import { centsOf, type PaypalMoney } from './paypal-amount.ts'
import type { PaypalCall } from './paypal-client.ts'
import { dateOf, timeOf } from './paypal-objects.ts'

export interface BookEntry extends ReadBookEntry {
  /** The payment that a refund or reversal belongs to. */
  readonly paymentId: string | null
}

interface Row {
  readonly transaction_info?: {
    readonly transaction_id?: string
    readonly transaction_event_code?: string
    readonly transaction_initiation_date?: string
    readonly transaction_amount?: PaypalMoney
    readonly transaction_status?: string
    readonly paypal_reference_id?: string
    readonly paypal_reference_id_type?: string
  }
}

interface Report {
  readonly transaction_details?: readonly Row[]
  readonly total_pages?: number
}

const WINDOW_MS = 31 * 86_400_000 - 1_000
const PAGE = 500

/** Codes of PayPal's transactions: a subscription's payment; refund; reversal; chargeback and its return. */
const KINDS: Readonly<Record<string, ReadBookEntry['kind']>> = {
  T0002: 'payment',
  T0003: 'payment',
  T1107: 'refund',
  T1106: 'dispute',
  T1201: 'dispute',
  T1202: 'dispute_won',
}

function entryOf({ transaction_info: info = {} }: Row): BookEntry | undefined {
  const { transaction_id: id, transaction_initiation_date: at, transaction_amount: amount } = info
  const kind = KINDS[info.transaction_event_code ?? '']
  // S: succeeded. P is pending, D denied, V reversed before it counted.
  const counts = info.transaction_status === undefined || info.transaction_status === 'S'
  if (kind === undefined || id === undefined || at === undefined || amount === undefined)
    return undefined
  if (!counts) return undefined
  const isMovement = info.paypal_reference_id_type === 'TXN'
  return {
    kind,
    providerId: id,
    amountCents: centsOf(amount),
    currency: amount.currency_code,
    happenedAt: dateOf(at),
    paymentId: isMovement ? (info.paypal_reference_id ?? null) : null,
  }
}

type Ask = (path: string) => Promise<Report | undefined>

async function window(ask: Ask, from: Date, to: Date): Promise<BookEntry[] | undefined> {
  const entries: BookEntry[] = []
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const query = new URLSearchParams({
      start_date: timeOf(from),
      end_date: timeOf(to),
      fields: 'transaction_info',
      balance_affecting_records_only: 'Y',
      page_size: String(PAGE),
      page: String(page),
    })
    const report = await ask(`/v1/reporting/transactions?${query.toString()}`)
    if (report === undefined) return undefined
    pages = report.total_pages ?? 1
    entries.push(
      ...(report.transaction_details ?? []).map(entryOf).filter((each) => each !== undefined),
    )
  }
  return entries
}

/** What moved money between two times, each once. Undefined: the reports cannot be read. */
async function entries(ask: Ask, from: Date, to: Date): Promise<BookEntry[] | undefined> {
  const found = new Map<string, BookEntry>()
  for (let at = from.getTime(); at < to.getTime(); at += WINDOW_MS) {
    const end = new Date(Math.min(at + WINDOW_MS, to.getTime()))
    const inWindow = await window(ask, new Date(at), end)
    if (inWindow === undefined) return undefined
    for (const entry of inWindow) found.set(`${entry.kind} ${entry.providerId}`, entry)
  }
  return [...found.values()]
}

/** As `listBooks`. Undefined: the app lacks the permission for reports. */
export const entriesBetween = async (
  call: PaypalCall,
  from: Date,
  to: Date,
): Promise<BookEntry[] | undefined> =>
  entries(async (path) => call.findOptional<Report>(path), from, to)

/** The books from a time (inclusive) to another (exclusive). */
export async function listBooks(call: PaypalCall, from: Date, to: Date): Promise<ReadBookEntry[]> {
  const all = (await entries(async (path) => call.send<Report>({ path }), from, to)) ?? []
  return all.filter(({ happenedAt }) => happenedAt >= from && happenedAt < to)
}
