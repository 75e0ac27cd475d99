/** From what is typed to the name that is asked for. */

/** The label or labels before the zone; who types the whole name means the same. */
function labelsOf(typed: string, zone: string): string {
  const name = typed.trim().replace(/\.$/, '').toLowerCase()
  return name.endsWith(`.${zone}`) ? name.slice(0, -zone.length - 1) : name
}

/** The whole name; empty while nothing is typed. */
export function wholeName(typed: string, zone: string): string {
  const labels = labelsOf(typed, zone)
  return labels === '' || zone === '' ? '' : `${labels}.${zone}`
}

/** The record type of an address as far as it is typed; undefined while it could be either. */
export function typeOfAddress(typed: string): 'A' | 'AAAA' | undefined {
  if (typed.includes(':')) return 'AAAA'
  return /^\s*\d+\./.test(typed) ? 'A' : undefined
}
