/** Names in a walk: ASCII, in lower case, without the final dot; the root is the empty text. */

/** Whether a name is a zone's name or below it. */
export function isAtOrBelow(name: string, zone: string): boolean {
  return zone === '' || name === zone || name.endsWith(`.${zone}`)
}

/** The ancestors of a name below the root, the shortest first: `net`, `example.net` for `a.example.net`. */
export function ancestorsOf(name: string): string[] {
  const labels = name.split('.')
  return labels.slice(1).map((_, index) => labels.slice(-(index + 1)).join('.'))
}

/** The name in a record. dns-packet writes the root as a dot. */
export const nameInRecord = (text: string): string => (text === '.' ? '' : text)

/**
 * Whether a name can be asked for. Names of servers come from strangers: other octets in them would be escapes in a
 * question.
 */
export function isAskable(name: string): boolean {
  return name.length <= 253 && /^[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*$/.test(name)
}

const SHOWN_LIMIT_CHARACTERS = 120

/** A name for messages, without characters that a terminal or a page could interpret. A long name is cut. */
export function shownName(name: string): string {
  if (name === '') return '.'
  if (name.length > SHOWN_LIMIT_CHARACTERS) {
    return `${shownName(name.slice(0, SHOWN_LIMIT_CHARACTERS))}…`
  }
  return name.replaceAll(
    /[^a-z0-9_.*/-]/g,
    (character) => `\\${String(character.charCodeAt(0)).padStart(3, '0')}`,
  )
}

/** A zone within a sentence. */
export const shownZone = (zone: string): string => (zone === '' ? 'the root zone' : shownName(zone))

const LISTED_LIMIT = 6

/** `a`, `a and b`, `a, b and c`; of many only the first. */
export function listed(words: readonly string[]): string {
  const more = words.length - LISTED_LIMIT
  const shown = more > 0 ? [...words.slice(0, LISTED_LIMIT), `${more} more`] : words
  return shown.length < 2
    ? (shown[0] ?? 'nothing')
    : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`
}
