/** Turns the typed text into the full domain and the record type. */
import type { ZonedName } from '../../api/domain-check.ts'

export type RecordType = 'A' | 'AAAA'

/** Written for the zone itself, as in zone files. */
const APEX = '@'

/** The label or labels before the zone. The user can also type the full domain. */
function labelsOf(typed: string, zone: string): string {
  const name = typed.trim().replace(/\.$/, '').toLowerCase()
  return name.endsWith(`.${zone}`) ? name.slice(0, -zone.length - 1) : name
}

/** The full domain; empty while nothing is typed. */
export function wholeName(typed: string, zone: string): string {
  const labels = labelsOf(typed, zone)
  if (labels === '' || zone === '') return ''
  return labels === APEX ? zone : `${labels}.${zone}`
}

/** The labels and the zone of a domain; undefined if it is in none of these zones. */
export function splitName(
  fqdn: string,
  zones: readonly string[],
): { readonly labels: string; readonly zone: string } | undefined {
  const zone = zones
    .filter((each) => fqdn.endsWith(`.${each}`))
    .toSorted((one, other) => other.length - one.length)[0]
  return zone === undefined ? undefined : { labels: labelsOf(fqdn, zone), zone }
}

const LABEL_LIMIT = 63

/** Names that are close to a name that is not free: the same in other zones first, then similar ones in its zone. */
export function namesNear(
  typed: string,
  zone: string,
  zones: readonly string[],
): readonly ZonedName[] {
  const labels = labelsOf(typed, zone)
  if (labels === APEX) return []
  const [first = '', ...others] = labels.split('.')
  const elsewhere = zones
    .filter((each) => each !== zone)
    .slice(0, 2)
    .map((each) => ({ fqdn: wholeName(labels, each), zone: each }))
  const place = first.includes('home') ? 'net' : 'home'
  const similar = [`${first}2`, `my-${first}`, `${first}-${place}`]
    .filter((label) => label.length <= LABEL_LIMIT)
    .map((label) => ({ fqdn: wholeName([label, ...others].join('.'), zone), zone }))
  return [...elsewhere, ...similar]
}

/** The record type of a partly typed address; undefined while both are possible. */
export function typeOfAddress(typed: string): RecordType | undefined {
  if (typed.includes(':')) return 'AAAA'
  return /^\s*\d+\./.test(typed) ? 'A' : undefined
}
