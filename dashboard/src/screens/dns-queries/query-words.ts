/** DNS queries in words: times, and what they are told apart by. */
import { dayText, minuteText, timeText } from '@homing/theme/formats'
import type {
  AddressMarker,
  QueryDimension,
  QueryPart,
  QuerySeries,
} from '../../api/dns-queries.ts'
import { countryName } from '../../components/country-name.ts'

export const DIMENSION_NAMES: Readonly<Record<QueryDimension, string>> = {
  type: 'Record types',
  rcode: 'Answers',
  transport: 'Transport',
  family: 'Address families',
  country: 'Countries',
  network: 'Networks',
}

/** `Example Net (AS64496)`. @param organization empty: not known */
export function networkName(asn: number, organization: string): string {
  if (asn === 0) return 'Unknown or small networks'
  return organization === '' ? `AS${asn}` : `${organization} (AS${asn})`
}

const OTHER = 'other'
const ANSWERS: Readonly<Record<string, string>> = {
  NOERROR: 'NOERROR (answered)',
  NODATA: 'NODATA (no such record type)',
  NXDOMAIN: 'NXDOMAIN (no such name)',
}

/** A value of a dimension, for people. */
export function valueName(
  dimension: QueryDimension,
  { value, label }: Pick<QuerySeries['values'][number], 'value' | 'label'>,
): string {
  if (value === OTHER) return 'Other'
  if (dimension === 'country') return countryName(value)
  return dimension === 'rcode' ? (ANSWERS[value] ?? label) : label
}

type Resolution = QuerySeries['resolution']

/** The time of a part. Days are those of UTC; times are the user's. */
export function partTime({ from, to }: Pick<QueryPart, 'from' | 'to'>, resolution: Resolution) {
  if (resolution === '1d') return `${dayText(from, 'UTC')} (UTC)`
  return `${timeText(from)} to ${minuteText(to)}`
}

/** The time of a series: from its first part to its last. */
export function rangeText({
  from,
  to,
  resolution,
}: Pick<QuerySeries, 'from' | 'to' | 'resolution'>): string {
  if (resolution !== '1d') return `${timeText(from)} to ${timeText(to)}`
  return `${dayText(from, 'UTC')} to ${dayText(Date.parse(to) - 1, 'UTC')} (UTC)`
}

/** The changes of addresses within a part. */
export const markersIn = (
  markers: readonly AddressMarker[],
  { from, to }: Pick<QueryPart, 'from' | 'to'>,
): readonly AddressMarker[] =>
  markers.filter(({ at }) => {
    const time = Date.parse(at)
    return Date.parse(from) <= time && time < Date.parse(to)
  })
