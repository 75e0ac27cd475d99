/** Turns the typed text into the full domain and the record type. */

/** The label or labels before the zone. The user can also type the full domain. */
function labelsOf(typed: string, zone: string): string {
  const name = typed.trim().replace(/\.$/, '').toLowerCase()
  return name.endsWith(`.${zone}`) ? name.slice(0, -zone.length - 1) : name
}

/** The full domain; empty while nothing is typed. */
export function wholeName(typed: string, zone: string): string {
  const labels = labelsOf(typed, zone)
  return labels === '' || zone === '' ? '' : `${labels}.${zone}`
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

/** The record type of a partly typed address; undefined while both are possible. */
export function typeOfAddress(typed: string): 'A' | 'AAAA' | undefined {
  if (typed.includes(':')) return 'AAAA'
  return /^\s*\d+\./.test(typed) ? 'A' : undefined
}
