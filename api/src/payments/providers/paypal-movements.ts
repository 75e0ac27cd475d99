/**
 * What became of a payment: refunds and reversals.
 *
 * A transaction of a subscription says only that something was paid back. What, when and by whom is in the events that
 * PayPal keeps for 30 days, which show it at once, and in the reports of transactions, which have three years and are up
 * to three hours late. Both are read from PayPal, and both name a movement by the same id.
 * Where neither can be read, the status of the transaction is all that is known.
 */
import type { ReadDispute, ReadRefund } from '../provider.ts'
import { refundedCents } from '../refunded-cents.ts'
import { centsOf, type PaypalMoney } from './paypal-amount.ts'
import type { PaypalCall } from './paypal-client.ts'
import { dateOf, linkOf, type PaypalLink, timeOf } from './paypal-objects.ts'
import { entriesBetween } from './paypal-books.ts'
import { trouble } from './paypal-trouble.ts'

export interface Movements {
  readonly refunds: readonly ReadRefund[]
  readonly disputes: readonly ReadDispute[]
}

/** A payment of which something may have been paid back. */
export interface Paid {
  readonly id: string
  readonly cents: number
  readonly at: Date
  readonly status: string
}

interface Movement {
  readonly id: string
  readonly kind: 'refund' | 'reversal'
  readonly cents: number
  readonly at: Date
}

const DAY_MS = 86_400_000
/** PayPal keeps events for 30 days. */
const EVENTS_MS = 29 * DAY_MS
const EVENTS = '/v1/notifications/webhooks-events'
const PAGE = 20
const MOST_PAGES = 50

const KINDS = {
  'PAYMENT.SALE.REFUNDED': 'refund',
  'PAYMENT.SALE.REVERSED': 'reversal',
  'PAYMENT.CAPTURE.REFUNDED': 'refund',
  'PAYMENT.CAPTURE.REVERSED': 'reversal',
} as const

interface KeptEvent {
  readonly event_type?: string
  readonly create_time?: string
  readonly resource?: {
    readonly id?: string
    readonly sale_id?: string
    readonly create_time?: string
    readonly amount?: Partial<PaypalMoney> & { readonly total?: string; readonly currency?: string }
    readonly links?: readonly PaypalLink[]
  }
}

interface Page {
  readonly events?: readonly KeptEvent[]
  readonly links?: readonly PaypalLink[]
}

/** The payment that the resource of a refund or reversal belongs to. */
export function paymentOfMovement(resource: {
  readonly sale_id?: unknown
  readonly links?: unknown
}): string | undefined {
  if (typeof resource.sale_id === 'string') return resource.sale_id
  const links = Array.isArray(resource.links) ? (resource.links as PaypalLink[]) : []
  for (const { href } of links) {
    const found = /\/(?:captures|sale)\/([\w-]+)(?:$|\?)/.exec(href)
    if (found !== null) return found[1]
  }
  return undefined
}

function movementOf({
  event_type: type = '',
  create_time,
  resource,
}: KeptEvent): Movement | undefined {
  const kind = type in KINDS ? KINDS[type as keyof typeof KINDS] : undefined
  const { id, amount } = resource ?? {}
  const value = amount?.total ?? amount?.value
  const currency = amount?.currency ?? amount?.currency_code
  const at = resource?.create_time ?? create_time
  if (kind === undefined || id === undefined || value === undefined) return undefined
  if (currency === undefined || at === undefined) return undefined
  const cents = Math.abs(centsOf({ value, currency_code: currency }))
  return { id, kind, cents, at: dateOf(at) }
}

/** Movements of a payment in the events that PayPal keeps. Undefined: they cannot be read. */
async function fromEvents(
  call: PaypalCall,
  paid: Paid,
  now: Date,
): Promise<Movement[] | undefined> {
  const from = new Date(Math.max(paid.at.getTime() - DAY_MS, now.getTime() - EVENTS_MS))
  const found: Movement[] = []
  for (const type of Object.keys(KINDS)) {
    const query = new URLSearchParams({
      event_type: type,
      start_time: timeOf(from),
      end_time: timeOf(new Date(now.getTime() + DAY_MS)),
      page_size: String(PAGE),
    })
    let path: string | undefined = `${EVENTS}?${query.toString()}`
    for (let page = 0; page < MOST_PAGES && path !== undefined; page += 1) {
      const answer: Page | undefined = await call.findOptional<Page>(path)
      if (answer === undefined) return undefined
      const { events = [], links } = answer
      const its = events.filter(({ resource }) => paymentOfMovement(resource ?? {}) === paid.id)
      found.push(...its.map(movementOf).filter((each) => each !== undefined))
      path = nextOf(links)
    }
  }
  return byId(found)
}

/** The path of the next page, which PayPal names: pages have no numbers. */
function nextOf(links: Page['links']): string | undefined {
  const next = linkOf(links, 'next')
  const url = next === undefined ? null : URL.parse(next)
  return url?.pathname === EVENTS ? `${EVENTS}${url.search}` : undefined
}

/** A movement can be told as that of a sale and as that of a capture, and again. */
const byId = (movements: readonly Movement[]) => [
  ...new Map(movements.map((each) => [each.id, each])).values(),
]

/** Movements of a payment in the reports. Undefined: they cannot be read. */
async function fromReports(
  call: PaypalCall,
  paid: Paid,
  now: Date,
): Promise<Movement[] | undefined> {
  const entries = await entriesBetween(call, paid.at, now)
  return entries
    ?.filter(
      ({ kind, paymentId }) => paymentId === paid.id && (kind === 'refund' || kind === 'dispute'),
    )
    .map(({ providerId: id, kind, amountCents, happenedAt: at }) => ({
      id,
      kind: kind === 'refund' ? 'refund' : 'reversal',
      cents: Math.abs(amountCents),
      at,
    }))
}

const TOUCHED: ReadonlySet<string> = new Set(['REFUNDED', 'PARTIALLY_REFUNDED', 'REVERSED'])

const sumOf = (movements: readonly Pick<Movement, 'cents'>[]) =>
  movements.reduce((sum, { cents }) => sum + cents, 0)

/** Whether the movements explain the status of the payment. */
function explains(movements: readonly Movement[], { status, cents }: Paid): boolean {
  const sum = sumOf(movements)
  return status === 'PARTIALLY_REFUNDED' ? sum > 0 : sum >= cents
}

async function movementsOf(call: PaypalCall, paid: Paid, now: Date): Promise<Movement[]> {
  const isRecent = now.getTime() - paid.at.getTime() < EVENTS_MS
  const kept = await fromEvents(call, paid, now)
  if (isRecent && kept !== undefined && explains(kept, paid)) return kept
  const reported = await fromReports(call, paid, now)
  const movements = byId([...(reported ?? []), ...(kept ?? [])])
  if (explains(movements, paid)) return movements
  // It is known that money went back, but not yet how: the read is repeated until PayPal shows it.
  const canShow = (isRecent && kept !== undefined) || reported !== undefined
  if (canShow) throw trouble('unavailable', 'the refund is not reported yet')
  return [...movements, ...unreported(movements, paid, now)]
}

const asDispute = ({ id, cents, at }: Movement): ReadDispute => ({
  id,
  status: 'reversed',
  amountCents: cents,
  openedAt: at,
  closedAt: at,
  isWithdrawn: true,
  returned: null,
})

/** The reversals of a payment that PayPal's events show, whatever its status. */
export async function reversalsOf(
  call: PaypalCall,
  paid: Paid,
  now: Date,
): Promise<readonly ReadDispute[]> {
  const kept = (await fromEvents(call, paid, now)) ?? []
  return kept.filter(({ kind }) => kind === 'reversal').map(asDispute)
}

const KINDS_ASSUMED = ['refund', 'reversal'] as const

/** The id of a movement that PayPal does not show. */
const assumedId = (paymentId: string, kind: Movement['kind']) => `${paymentId}-${kind}`

/** A reversal of a payment of which nothing but an event is known. It takes what was not refunded: money goes back once. */
export const assumedReversal = (
  { id, cents }: Paid,
  { refunds }: Movements,
  now: Date,
): ReadDispute =>
  asDispute({
    id: assumedId(id, 'reversal'),
    kind: 'reversal',
    cents: Math.max(0, cents - refundedCents({ refunds })),
    at: now,
  })

/** The ids of movements of a payment that are only assumed. */
export const assumedIds = ({ id }: Pick<Paid, 'id'>, { refunds, disputes }: Movements): string[] =>
  KINDS_ASSUMED.map((kind) => assumedId(id, kind)).filter((assumed) =>
    [...refunds, ...disputes].some((each) => each.id === assumed),
  )

/**
 * The ids of movements of a payment that earlier reads assumed and that are wrong by now: PayPal shows one of their kind,
 * or everything that was paid went back without them.
 */
export function replacedIds(
  { id: paymentId, cents }: Pick<Paid, 'id' | 'cents'>,
  { refunds, disputes }: Movements,
): string[] {
  const reversals = disputes.filter(({ status }) => status === 'reversed')
  const shown = [
    ...refunds.map((each) => ({ id: each.id, kind: 'refund', cents: each.amountCents })),
    ...reversals.map((each) => ({ id: each.id, kind: 'reversal', cents: each.amountCents })),
  ].filter((each) => each.cents > 0)
  if (shown.length === 0) return []
  const isWhole = sumOf(shown) >= cents
  return KINDS_ASSUMED.filter((kind) => isWhole || shown.some((each) => each.kind === kind))
    .map((kind) => assumedId(paymentId, kind))
    .filter((assumed) => !shown.some(({ id }) => id === assumed))
}

/** What the status of a payment says and nothing else shows. The size of a part is unknown; a part ends nothing. */
function unreported(movements: readonly Movement[], paid: Paid, now: Date): Movement[] {
  if (paid.status === 'PARTIALLY_REFUNDED') return []
  const kind = paid.status === 'REVERSED' ? 'reversal' : 'refund'
  return [{ id: assumedId(paid.id, kind), kind, cents: paid.cents - sumOf(movements), at: now }]
}

/** Everything that became of a payment. */
export async function movementsAndDisputes(
  call: PaypalCall,
  paid: Paid,
  now: Date,
): Promise<Movements> {
  const found = TOUCHED.has(paid.status) ? await movementsOf(call, paid, now) : []
  const movements = found.toSorted((a, b) => a.at.getTime() - b.at.getTime())
  const refunds = movements.filter(({ kind }) => kind === 'refund')
  const reversals = movements.filter(({ kind }) => kind === 'reversal')
  return {
    refunds: refunds.map(({ id, cents, at }) => ({
      id,
      amountCents: cents,
      at,
      hasSucceeded: true,
    })),
    disputes: reversals.map(asDispute),
  }
}
