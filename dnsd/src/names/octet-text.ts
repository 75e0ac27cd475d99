/*
 * Octets written as text (RFC 1035 §5.1).
 *
 * In this folder a text is an *octet text*: one character per octet, codes 0 to 255. Master files are read in this form,
 * because they may not be UTF-8. JavaScript strings are converted when they are passed in (`octetText`).
 */

const BACKSLASH = 0x5c
const ZERO = 0x30

/** The UTF-8 octets of a text, one character per octet; an ASCII text is returned as it is. */
export function octetText(text: string): string {
  for (let at = 0; at < text.length; at++) {
    if (text.charCodeAt(at) > 0x7f) return Buffer.from(text, 'utf8').toString('latin1')
  }
  return text
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true })

// Invalid UTF-8 is shown unchanged: a message must not fail because of the input that it reports.
function readable(octets: string): string {
  try {
    return strictUtf8.decode(Uint8Array.from(octets, (character) => character.charCodeAt(0)))
  } catch {
    return octets
  }
}

const SHOWN_CHARACTERS = 60

/** A piece of input in quotation marks, for messages: cut to 60 characters, with octets decoded as UTF-8. */
export function quoted(text: string): string {
  const shown = /^[\0-\x7f]*$|[^\0-\xff]/.test(text) ? text : readable(text)
  if (shown.length <= SHOWN_CHARACTERS) return `"${shown}"`
  // A character outside the basic plane is a surrogate pair; half of one is invalid Unicode.
  return `"${shown.slice(0, SHOWN_CHARACTERS).replace(/[\uD800-\uDBFF]$/, '')}…"`
}

function digitAt(text: string, at: number): number {
  const digit = text.charCodeAt(at) - ZERO
  return digit >= 0 && digit <= 9 ? digit : Number.NaN
}

/**
 * The octet of the escape at `at` (the position of its backslash): `\DDD` is a decimal octet, `\X` is X itself.
 *
 * @returns undefined when the text ends after the backslash, when X is not ASCII, and when a digit is not followed by two
 * more or the three exceed 255 (RFC 1035 §5.1).
 */
export function escapedOctet(text: string, at: number): number | undefined {
  if (at + 1 >= text.length) return undefined
  const code = text.charCodeAt(at + 1)
  if (code > 0x7f) return undefined
  if (Number.isNaN(digitAt(text, at + 1))) return code
  const value = digitAt(text, at + 1) * 100 + digitAt(text, at + 2) * 10 + digitAt(text, at + 3)
  return value <= 255 ? value : undefined
}

/** The length of the escape at `at` in characters: four for `\DDD`, two for `\X`. */
export function escapeLength(text: string, at: number): 2 | 4 {
  return Number.isNaN(digitAt(text, at + 1)) ? 2 : 4
}

/** An octet as `\DDD`. */
export function decimalEscape(octet: number): string {
  return `\\${String(octet).padStart(3, '0')}`
}

export function isBackslash(code: number): boolean {
  return code === BACKSLASH
}
