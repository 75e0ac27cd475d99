/** Values of records as a zone file writes them (RFC 1035 §5.1), and the texts that people type. */

/** The strings of a TXT record are at most this long, in octets (RFC 1035 §3.3.14). */
const STRING_OCTETS = 255
const PRINTABLE = /^[\x20-\x7e]$/

/** The strings of a value that consists of quoted strings alone; undefined for another form. */
function quotedStrings(value: string): readonly string[] | undefined {
  const strings = value.match(/"(?:[^"\\]|\\[\s\S])*"/g)
  return strings !== null && strings.join(' ') === value ? strings : undefined
}

/** The octets of a quoted string: `\"` and `\065` are one octet each. */
function octetsOf(quoted: string): number[] {
  const octets: number[] = []
  const inside = quoted.slice(1, -1)
  for (const [part, decimal, escaped] of inside.matchAll(/\\(\d{3})|\\([\s\S])|[\s\S]/gu)) {
    if (decimal !== undefined) octets.push(Number(decimal))
    else octets.push(...new TextEncoder().encode(escaped ?? part))
  }
  return octets
}

/** The text of quoted strings, joined as programs join them; undefined if it is not UTF-8 text of one line. */
export function textOfStrings(value: string): string | undefined {
  const octets = quotedStrings(value)?.flatMap(octetsOf)
  if (octets === undefined || octets.some((octet) => octet > 255)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(new Uint8Array(octets))
  } catch {
    return undefined
  }
}

function writtenOctet(octet: number): string {
  const character = String.fromCharCode(octet)
  if (character === '"' || character === '\\') return `\\${character}`
  return PRINTABLE.test(character) ? character : `\\${String(octet).padStart(3, '0')}`
}

/** A text as quoted strings: `"v=spf1 -all"`. A long one becomes several strings. */
export function stringsOfText(text: string): string {
  const octets = [...new TextEncoder().encode(text)]
  const strings: string[] = []
  for (let start = 0; start === 0 || start < octets.length; start += STRING_OCTETS) {
    const part = octets.slice(start, start + STRING_OCTETS)
    strings.push(`"${part.map(writtenOctet).join('')}"`)
  }
  return strings.join(' ')
}

/** The first `count` words of a value, and the rest of it; undefined if it has fewer. */
export function wordsOf(value: string, count: number): readonly string[] | undefined {
  const words = value.split(' ')
  if (words.length < count || words.includes('')) return undefined
  return [...words.slice(0, count - 1), words.slice(count - 1).join(' ')]
}
