/**
 * The unused time of a subscription as time of another price, for providers that do not prorate: the new subscription
 * takes its first payment when the credit is used up. Whole cents, and whole milliseconds rounded down.
 */
import type { BillingCycle } from '@homing/openapi/vocabulary'

const DAY_MS = 86_400_000
const PERIOD_MS: Readonly<Record<BillingCycle, number>> = {
  monthly: 30 * DAY_MS,
  annual: 365 * DAY_MS,
}

interface Priced {
  readonly amount_cents: number
  readonly billing: BillingCycle
}

export interface Credit {
  readonly cents: number
  /** When the first payment of the new price is due. */
  readonly usedUpAt: Date
}

/** @param paidUntil the end of the time that is paid for */
export function unusedCredit(
  { paidUntil, now }: { readonly paidUntil: Date; readonly now: Date },
  old: Priced,
  next: Priced,
): Credit {
  const leftMs = Math.max(0, paidUntil.getTime() - now.getTime())
  const left = Math.min(1, leftMs / PERIOD_MS[old.billing])
  const cents = Math.floor(old.amount_cents * left)
  const ms = Math.floor((cents / next.amount_cents) * PERIOD_MS[next.billing])
  return { cents, usedUpAt: new Date(now.getTime() + ms) }
}
