/** What the page of DNS queries counts, and over which period. The URL holds both. */
import type { AdminQueries } from '../../api/client.ts'

export interface Choice {
  readonly value: string
  readonly label: string
}

export type Group = AdminQueries['by']

/** The heading of the first column, by what the rows count. */
export const GROUPS = {
  zone: 'Zone',
  country: 'Country',
  network: 'Network',
  type: 'Type',
} as const satisfies Record<Group, string>

export const GROUP_CHOICES: readonly Choice[] = Object.entries(GROUPS).map(([value, label]) => ({
  value,
  label,
}))

const DAY_MS = 86_400_000

/** Queries are kept for 400 days. */
const PERIODS = {
  '24h': { label: 'Last 24 hours', ms: DAY_MS },
  '7d': { label: 'Last 7 days', ms: 7 * DAY_MS },
  '30d': { label: 'Last 30 days', ms: 30 * DAY_MS },
  '365d': { label: 'Last 365 days', ms: 365 * DAY_MS },
} as const
export type Period = keyof typeof PERIODS

export const PERIOD_CHOICES: readonly Choice[] = Object.entries(PERIODS).map(
  ([value, { label }]) => ({ value, label }),
)

/** What a URL asks for. Unknown words are as if they were absent. */
export function chosenIn(search: URLSearchParams): { readonly by: Group; readonly last: Period } {
  const by = search.get('by') ?? ''
  const last = search.get('last') ?? ''
  return {
    by: Object.hasOwn(GROUPS, by) ? (by as Group) : 'zone',
    last: Object.hasOwn(PERIODS, last) ? (last as Period) : '24h',
  }
}

/** When the period begins. @param nowMs milliseconds */
export const beginOf = (period: Period, nowMs: number): string =>
  new Date(nowMs - PERIODS[period].ms).toISOString()
