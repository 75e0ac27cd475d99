/** What the page of DNS analytics shows, as its URL says: `#analytics?period=7d&domain=42&by=country&value=AT&live=on`. */
import { QUERY_RESOLUTIONS } from '@homing/openapi/vocabulary'
import { QUERY_DIMENSIONS, type QueryDimension, type Span } from '../../api/dns-queries.ts'
import { hashOf } from '../../routes.ts'

/** Each as wide as a picture can show. The last part is the present one. */
export const PERIODS = {
  '2h': { name: '2 hours', resolution: '5m', parts: 24 },
  '24h': { name: '24 hours', resolution: '1h', parts: 24 },
  '7d': { name: '7 days', resolution: '1h', parts: 168 },
  '30d': { name: '30 days', resolution: '1d', parts: 30 },
  '90d': { name: '90 days', resolution: '1d', parts: 90 },
  '1y': { name: '1 year', resolution: '1d', parts: 365 },
} as const satisfies Readonly<Record<string, Omit<Span, 'back'> & { readonly name: string }>>

export type Period = keyof typeof PERIODS
export const PERIOD_IDS = Object.keys(PERIODS) as readonly Period[]

interface Filter {
  readonly dimension: QueryDimension
  readonly value: string
}

export interface View {
  readonly period: Period
  /** By how many periods it is earlier than the present one. */
  readonly back: number
  /** Undefined: all domains. */
  readonly domainId: string | undefined
  /** One value of one dimension: counts hold one dimension each. */
  readonly filter: Filter | undefined
  /** Whether the picture shows the period before too. */
  readonly isCompared: boolean
  /** Whether live queries are shown. */
  readonly isLive: boolean
}

export const spanOf = ({ period, back }: Pick<View, 'period' | 'back'>): Span => {
  const { resolution, parts } = PERIODS[period]
  return { resolution, parts, back }
}

const DAY_SECONDS = 86_400

/** How many periods back all parts are still kept. */
export function longestBack(period: Period): number {
  const { resolution, parts } = PERIODS[period]
  const { seconds, keptDays } = QUERY_RESOLUTIONS[resolution]
  return Math.floor((keptDays * DAY_SECONDS) / (parts * seconds)) - 1
}

function readBack(text: string | null, period: Period): number {
  const back = Number(text)
  return Number.isSafeInteger(back) && back > 0 ? Math.min(back, longestBack(period)) : 0
}

const isPeriod = (text: string): text is Period => Object.hasOwn(PERIODS, text)
const START: Period = '7d'
const LONGEST_VALUE = 64

function readFilter(parameters: URLSearchParams): Filter | undefined {
  const dimension = QUERY_DIMENSIONS.find((each) => each === parameters.get('by'))
  const value = (parameters.get('value') ?? '').slice(0, LONGEST_VALUE)
  return dimension === undefined || value === '' ? undefined : { dimension, value }
}

/** Reads the state. Invalid parameters are ignored, because users can edit the URL. */
export function readView(query: string): View {
  const parameters = new URLSearchParams(query)
  const wanted = parameters.get('period') ?? ''
  const period = isPeriod(wanted) ? wanted : START
  const domain = parameters.get('domain') ?? ''
  return {
    period,
    back: readBack(parameters.get('back'), period),
    domainId: /^[1-9]\d{0,17}$/.test(domain) ? domain : undefined,
    filter: readFilter(parameters),
    isCompared: parameters.get('compare') !== 'off',
    isLive: parameters.get('live') === 'on',
  }
}

/** The place of a view, without what has its initial value. */
export function viewHash(view: Partial<View>): string {
  const { period = START, back = 0, domainId, filter, isCompared = true, isLive = false } = view
  return hashOf('analytics', {
    ...(period !== START && { period }),
    ...(back > 0 && { back: String(back) }),
    ...(domainId !== undefined && { domain: domainId }),
    ...(filter && { by: filter.dimension, value: filter.value }),
    ...(!isCompared && { compare: 'off' }),
    ...(isLive && { live: 'on' }),
  })
}
