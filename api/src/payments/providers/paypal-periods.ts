/**
 * The billing periods of a PayPal subscription. PayPal tells only the next payment, and that only while it renews, so the
 * end of what was paid is computed here: PayPal bills on the day of the month on which the subscription started (on the
 * last day of shorter months), at 10:00 UTC.
 */
import type { PaypalPlan } from './paypal-objects.ts'

export interface Interval {
  readonly unit: 'DAY' | 'WEEK' | 'MONTH' | 'YEAR'
  readonly count: number
}

export interface Period {
  readonly start: Date
  readonly end: Date
}

const BILLING_HOUR_UTC = 10
const UNITS: readonly string[] = ['DAY', 'WEEK', 'MONTH', 'YEAR']

/** Undefined: the plan does not have exactly one price without an end. */
export function intervalOf(plan: PaypalPlan | undefined): Interval | undefined {
  const [cycle, ...others] = plan?.billing_cycles ?? []
  const unit = cycle?.frequency?.interval_unit ?? ''
  if (cycle === undefined || others.length > 0 || !UNITS.includes(unit)) return undefined
  return { unit: unit as Interval['unit'], count: cycle.frequency?.interval_count ?? 1 }
}

/** A number of intervals after (negative: before) a day; at the hour of `start`. */
function plusIntervals(start: Date, { unit, count }: Interval, times: number): Date {
  const at = new Date(start)
  if (unit === 'DAY' || unit === 'WEEK') {
    at.setUTCDate(at.getUTCDate() + (unit === 'DAY' ? 1 : 7) * count * times)
    return at
  }
  const day = at.getUTCDate()
  at.setUTCDate(1)
  at.setUTCMonth(at.getUTCMonth() + (unit === 'MONTH' ? 1 : 12) * count * times)
  const last = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate()
  at.setUTCDate(Math.min(day, last))
  return at
}

function billingTime(start: Date, interval: Interval, times: number): Date {
  const at = plusIntervals(start, interval, times)
  at.setUTCHours(BILLING_HOUR_UTC, 0, 0, 0)
  return at
}

const dayOf = (at: Date): number => Math.floor(at.getTime() / 86_400_000)

/** More than any subscription has: daily for a hundred years. */
const MOST_PERIODS = 36_500

/** The period that a payment at a time is for. A payment that was late belongs to the period that it was due for. */
export function periodAt(start: Date, interval: Interval, at: Date): Period {
  let times = 0
  while (times < MOST_PERIODS && dayOf(billingTime(start, interval, times + 1)) <= dayOf(at)) {
    times += 1
  }
  return {
    start: times === 0 ? start : billingTime(start, interval, times),
    end: billingTime(start, interval, times + 1),
  }
}
