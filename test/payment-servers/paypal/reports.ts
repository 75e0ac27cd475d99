/**
 * What PayPal tells about the past: the events that it keeps for 30 days, the disputes about a payment, and the reports of
 * transactions: https://developer.paypal.com/docs/api/transaction-search/v1/.
 */
import type { BookEntry } from '../books.ts'
import { disputeBody } from './payments.ts'
import { invalid } from './trouble.ts'
import { iso, money, type PayPalWorld } from './world.ts'

const KEPT_MS = 30 * 86_400_000
const WINDOW_MS = 31 * 86_400_000

function timeOf(query: URLSearchParams, name: string, otherwise: number): number {
  const text = query.get(name)
  const at = text === null ? otherwise : Date.parse(text)
  if (Number.isNaN(at)) throw invalid(name)
  return at
}

/** GET /v1/notifications/webhooks-events, the latest first. A page has no number: it names the next one. */
export function keptEvents(world: PayPalWorld, query: URLSearchParams): Record<string, unknown> {
  const now = world.clock.now()
  const from = Math.max(timeOf(query, 'start_time', 0), now - KEPT_MS)
  const to = timeOf(query, 'end_time', Infinity)
  const type = query.get('event_type')
  const events = world.events.toReversed().filter(({ event_type, create_time }) => {
    const at = Date.parse(create_time)
    return (type === null || event_type === type) && at >= from && at <= to
  })
  const first = Number(query.get('next_page_token') ?? 0)
  const size = Number(query.get('page_size') ?? 10)
  if (!(size >= 1 && first >= 0)) throw invalid('page_size')
  const path = '/v1/notifications/webhooks-events'
  const following = new URLSearchParams(query)
  following.set('next_page_token', String(first + size))
  const isLast = first + size >= events.length
  const next = isLast ? [] : [world.link(`${path}?${following.toString()}`, 'next')]
  return {
    events: events.slice(first, first + size),
    count: events.length,
    links: [world.link(path), ...next],
  }
}

/** GET /v1/customer/disputes: the disputes about one payment. */
export function disputesAbout(world: PayPalWorld, query: URLSearchParams): Record<string, unknown> {
  const payment = query.get('disputed_transaction_id')
  const items = [...world.disputes.values()]
    .filter(({ sale }) => payment === null || sale === payment)
    .map((dispute) => {
      const { dispute_id, create_time, update_time, reason, status, dispute_state, links } =
        disputeBody(world, dispute)
      return { dispute_id, create_time, update_time, reason, status, dispute_state, links }
    })
  return { items, links: [world.link('/v1/customer/disputes')] }
}

const CODES = { payment: 'T0002', refund: 'T1107', dispute: 'T1106', dispute_won: 'T1202' } as const

function rowOf(world: PayPalWorld, { kind, source, amountCents, at }: BookEntry) {
  const sale = world.movements.get(source)
  const agreement = world.sales.get(source)?.agreement
  return {
    transaction_info: {
      transaction_id: source,
      transaction_event_code: CODES[kind],
      transaction_initiation_date: iso(at),
      transaction_updated_date: iso(at),
      transaction_amount: {
        ...money(Math.abs(amountCents)),
        value: `${amountCents < 0 ? '-' : ''}${money(Math.abs(amountCents)).value}`,
      },
      transaction_status: 'S',
      ...(sale !== undefined && { paypal_reference_id: sale, paypal_reference_id_type: 'TXN' }),
      ...(agreement !== undefined && {
        paypal_reference_id: agreement,
        paypal_reference_id_type: 'SUB',
      }),
    },
  }
}

/** GET /v1/reporting/transactions */
export function report(world: PayPalWorld, query: URLSearchParams): Record<string, unknown> {
  const [from, to] = [
    timeOf(query, 'start_date', Number.NaN),
    timeOf(query, 'end_date', Number.NaN),
  ]
  if (to - from > WINDOW_MS)
    throw invalid('end_date', 'INVALID_REQUEST', 'Date range is greater than 31 days')
  const [size, page] = [Number(query.get('page_size') ?? 100), Number(query.get('page') ?? 1)]
  const rows = world.books
    .of('usd')
    .filter(({ at }) => at >= from && at <= to)
    .map((entry) => rowOf(world, entry))
  return {
    transaction_details: rows.slice((page - 1) * size, page * size),
    start_date: iso(from),
    end_date: iso(to),
    page,
    total_items: rows.length,
    total_pages: Math.max(1, Math.ceil(rows.length / size)),
    links: [world.link('/v1/reporting/transactions')],
  }
}
