/*
 * The words of a master file (RFC 1035 §5.1), on octet texts.
 *
 * A token keeps its escapes: whether `\.` is a dot within a label or `\032` a space is for its reader to decide. A quote
 * inside a word belongs to the word, except that `="` opens a quoted value with spaces, as SvcParams have it (RFC 9460 §2.1).
 */

export interface Token {
  readonly text: string
  readonly quoted: boolean
}

/** An entry being read: its tokens so far, and how many parentheses are open. */
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

/** The place of the quote that closes the string whose text begins at `at`; -1 when the line has none. */
function closingQuote(line: string, at: number): number {
  for (let place = at; place < line.length; place++) {
    const code = line.charCodeAt(place)
    if (code === QUOTE) return place
    if (code === BACKSLASH) place += 1
  }
  return -1
}

/** The place after the word that begins at `at`; -1 when it holds a quoted value that is not closed. */
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

/** Whether the line begins with white space: then its record has the owner of the one before. */
export function beginsBlank(line: string): boolean {
  return isBlank(line.charCodeAt(0))
}

/**
 * Adds the words of one line to an entry.
 *
 * @returns what is wrong with the line, in a sentence; undefined when nothing is. The words before the fault are kept, and
 * parentheses counted, so that the reader of a broken entry still finds its end.
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

/** Whether the text holds an unquoted comment, parenthesis or line end: what belongs to a file and not to one record. */
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
