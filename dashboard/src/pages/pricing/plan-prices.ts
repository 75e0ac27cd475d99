import type { SitePages } from '@homing/openapi/site'

export type SitePlan = SitePages['pricing']['plans'][number]
export type Billing = 'month' | 'year'

const MONTHS_A_YEAR = 12

/** What a year costs less than twelve months, in cents; 0 if the plan is not sold by both. */
export function yearlySavings({ price_month_cents, price_year_cents }: SitePlan): number {
  if (price_month_cents === null || price_year_cents === null) return 0
  return Math.max(0, price_month_cents * MONTHS_A_YEAR - price_year_cents)
}

const PLAN_NAMES: Readonly<Record<string, string>> = { free: 'Free', pro: 'Pro', elite: 'Elite' }

export const planName = ({ id }: SitePlan): string => PLAN_NAMES[id] ?? id
