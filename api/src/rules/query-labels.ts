/** The values of DNS analytics for people. */
import type { QueryDimension } from '@homing/openapi/vocabulary'

/** The country of a network that is in no database. */
const UNKNOWN_COUNTRY = 'ZZ'
const UNKNOWN_SYSTEM = '0'
/** All values that are not listed. */
export const OTHER_VALUES = 'other'

const countryNames = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'code' })

const WORDS: Readonly<Record<string, string>> = {
  NOERROR: 'Answered',
  NODATA: 'No data of this type',
  NXDOMAIN: 'Name does not exist',
  udp: 'UDP',
  tcp: 'TCP',
  ipv4: 'IPv4',
  ipv6: 'IPv6',
}

/** Whether the values of a dimension are types, which everybody knows by their mnemonic. */
const isWord = (dimension: QueryDimension) =>
  dimension === 'rcode' || dimension === 'transport' || dimension === 'family'

/** @param organisations of autonomous systems, by number */
export function labelOf(
  dimension: QueryDimension,
  value: string,
  organisations: ReadonlyMap<string, string>,
): string {
  if (value === OTHER_VALUES) return 'Other'
  if (dimension === 'country') {
    return value === UNKNOWN_COUNTRY ? 'Unknown' : (countryNames.of(value) ?? value)
  }
  if (dimension === 'network') {
    if (value === UNKNOWN_SYSTEM) return 'Unknown or small networks'
    const organisation = organisations.get(value)
    return organisation === undefined ? `AS${value}` : `${organisation} (AS${value})`
  }
  return isWord(dimension) ? (WORDS[value] ?? value) : value
}
