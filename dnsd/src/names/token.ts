/*
 * The words of a master file (RFC 1035 §5.1), on octet texts.
 *
 * A token keeps its escapes: its reader interprets `\.` as a dot within a label or `\032` as a space. A quote
 * inside a word belongs to the word, except that `="` opens a quoted value with spaces, as in SvcParams (RFC 9460 §2.1).
 */

export interface Token {
  readonly text: string
  readonly quoted: boolean
}

/** An entry that is being read: its tokens so far, and the number of open parentheses. */
export interface Entry {
  tokens: Token[]
  depth: number
}

const TAB = 0x09
const LINE_FEED = 0x0a
const FORM_FEED = 0x0c
const RETURN = 0x0d
const SPACE = 0x20
const QUOTE = 0x22
const OPEN = 0x28
const CLOSE = 0x29
const SEMICOLON = 0x3b
const EQUALS = 0x3d
const BACKSLASH = 0x5c

const NOT_CLOSED = 'A quoted string is not closed before the end of the line.'

function isBlank(code: number): boolean {
  return (
    code === SPACE || code === TAB || code === RETURN || code === LINE_FEED || code === FORM_FEED
  )
}

/** The position of the quote that closes the string whose text begins at `at`; -1 without a closing quote. */
function closingQuote(line: string, at: number): number {
  for (let place = at; place < line.length; place++) {
    const code = line.charCodeAt(place)
    if (code === QUOTE) return place
    if (code === BACKSLASH) place += 1
  }
  return -1
}

/** The position after the word that begins at `at`; -1 when it has an unclosed quoted value. */
function wordEnd(line: string, at: number): number {
  let place = at
  while (place < line.length) {
    const code = line.charCodeAt(place)
    if (isBlank(code) || code === SEMICOLON || code === OPEN || code === CLOSE) return place
    if (code === BACKSLASH) {
      place += 2
    } else if (code === EQUALS && line.charCodeAt(place + 1) === QUOTE) {
      const close = closingQuote(line, place + 2)
      if (close < 0) return -1
      place = close + 1
    } else {
      place += 1
    }
  }
  return line.length
}

/** Whether the line begins with white space: then its record has the owner of the previous record. */
export function beginsBlank(line: string): boolean {
  return isBlank(line.charCodeAt(0))
}

/**
 * Adds the words of one line to an entry.
 *
 * @returns the error in the line, as a sentence; undefined for a valid line. The words before the error are kept, and
 * parentheses are counted, so that the end of an invalid entry is still found.
 */
export function scanLine(line: string, entry: Entry): string | undefined {
  for (let at = 0; at < line.length;) {
    const code = line.charCodeAt(at)
    if (code === SEMICOLON) return undefined
    if (isBlank(code)) {
      at += 1
    } else if (code === OPEN) {
      entry.depth += 1
      at += 1
    } else if (code === CLOSE) {
      if (entry.depth === 0) return 'A parenthesis is closed that was not opened.'
      entry.depth -= 1
      at += 1
    } else {
      const quoted = code === QUOTE
      const start = quoted ? at + 1 : at
      const end = quoted ? closingQuote(line, start) : wordEnd(line, start)
      if (end < 0) return NOT_CLOSED
      entry.tokens.push({ text: line.slice(start, end), quoted })
      at = quoted ? end + 1 : end
    }
  }
  return undefined
}

/** Whether the text has an unquoted comment, parenthesis or line end, which are only valid in a file. */
export function hasFileSyntax(text: string): boolean {
  for (let at = 0; at < text.length;) {
    const code = text.charCodeAt(at)
    if (
      code === SEMICOLON ||
      code === OPEN ||
      code === CLOSE ||
      code === RETURN ||
      code === LINE_FEED
    )
      return true
    if (isBlank(code)) {
      at += 1
    } else {
      const end = code === QUOTE ? closingQuote(text, at + 1) + 1 : wordEnd(text, at)
      if (end <= 0) return false
      at = end
    }
  }
  return false
}
