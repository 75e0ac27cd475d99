/** Everything that a PayPal merchant has: catalog, agreements, sales, events, books. */
import { randomBytes } from 'node:crypto'
import { Books } from '../books.ts'
import type { TestClock } from '../clock.ts'
import type {
  Agreement,
  Dispute,
  Money,
  PayPalEvent,
  Plan,
  Product,
  Refund,
  Sale,
} from './objects.ts'
import { invalid, missing } from './trouble.ts'

export const iso = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`

/** PayPal writes 10.00 as `10.0` in subscriptions and as `10.00` in payments. */
export const money = (cents: number, currency = 'USD'): Money => ({
  currency_code: currency,
  value: (cents / 100).toFixed(2),
})
export const shortMoney = (cents: number, currency = 'USD'): Money => ({
  currency_code: currency,
  value: (cents / 100).toFixed(2).replace(/0$/, ''),
})

/** @throws PayPalTrouble for what is not an amount with at most two decimals. */
export function centsOf(value: unknown, field: string): number {
  const text = (value as Partial<Money> | undefined)?.value
  if (typeof text !== 'string' || !/^\d{1,9}(\.\d{1,2})?$/.test(text)) throw invalid(field)
  const [whole = '0', part = ''] = text.split('.')
  return Number(whole) * 100 + Number(part.padEnd(2, '0'))
}

export class PayPalWorld {
  readonly books = new Books()
  readonly clock: TestClock
  origin = ''
  onEvent: (event: PayPalEvent) => void = () => undefined
  readonly products = new Map<string, Product>()
  readonly plans = new Map<string, Plan>()
  readonly agreements = new Map<string, Agreement>()
  readonly sales = new Map<string, Sale>()
  readonly refunds = new Map<string, Refund>()
  /** The payment of each refund and reversal. */
  readonly movements = new Map<string, string>()
  readonly disputes = new Map<string, Dispute>()
  /** Which events tell a refund. */
  refundsAs: 'sale' | 'capture' | 'both' = 'sale'
  readonly events: PayPalEvent[] = []
  readonly #run = randomBytes(4).toString('hex').toUpperCase()
  #count = 0

  constructor(clock: TestClock) {
    this.clock = clock
  }

  /** 17 capitals and digits, as PayPal's ids. */
  newId(prefix = ''): string {
    this.#count += 1
    return `${prefix}${this.#run}${this.#count.toString(36).toUpperCase().padStart(9, '0')}`
  }

  need<T>(table: ReadonlyMap<string, T>, id: string): T {
    const found = table.get(id)
    if (found === undefined) throw missing()
    return found
  }

  link(path: string, rel = 'self', method = 'GET'): Record<string, string> {
    return { href: `${this.origin}${path}`, rel, method }
  }

  emit(type: string, resourceType: string, summary: string, resource: unknown): void {
    const id = `WH-${this.newId()}-${this.newId()}`
    const event: PayPalEvent = {
      id,
      event_version: '1.0',
      create_time: iso(this.clock.now()),
      resource_type: resourceType,
      ...(resourceType === 'subscription' && { resource_version: '2.0' }),
      event_type: type,
      summary,
      resource: structuredClone(resource),
      links: [
        this.link(`/v1/notifications/webhooks-events/${id}`),
        this.link(`/v1/notifications/webhooks-events/${id}/resend`, 'resend', 'POST'),
      ],
    }
    this.events.push(event)
    this.onEvent(event)
  }
}
