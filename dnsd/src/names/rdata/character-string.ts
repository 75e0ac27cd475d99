/* Character strings (RFC 1035 §3.3 and §5.1): up to 255 arbitrary octets, with or without quotes. */
import { decimalEscape, escapedOctet, escapeLength, isBackslash, quoted } from '../octet-text.ts'
import type { Token } from '../token.ts'
import { fixedEnd, type RdataField } from './field.ts'
import { RdataError } from './rdata-error.ts'

const STRING_LIMIT_OCTETS = 255
const QUOTE = 0x22

/**
 * The octets of a string's text. `text` is without its quotes, and quotes in it must be escaped.
 *
 * @throws RdataError
 */
export function unescaped(text: string): Buffer {
  const octets = Buffer.allocUnsafe(text.length)
  let length = 0
  for (let at = 0; at < text.length; length++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      throw new RdataError(
        `${quoted(text)} contains a quote: write \\" or put the whole string in quotes`,
      )
    }
    const octet = isBackslash(code) ? escapedOctet(text, at) : code
    if (octet === undefined) {
      throw new RdataError(
        `in ${quoted(text)} a backslash is not followed by three digits up to 255 or by one character`,
      )
    }
    octets[length] = octet
    at += isBackslash(code) ? escapeLength(text, at) : 1
  }
  return octets.subarray(0, length)
}

/** Octets as a string in quotes. Everything except printable ASCII is escaped. */
export function quotedString(octets: Uint8Array): string {
  let text = '"'
  for (const octet of octets) {
    if (octet < 0x20 || octet >= 0x7f) text += decimalEscape(octet)
    else if (octet === QUOTE || isBackslash(octet)) text += `\\${String.fromCharCode(octet)}`
    else text += String.fromCharCode(octet)
  }
  return `${text}"`
}

function withLength(token: Token): Buffer {
  const octets = unescaped(token.text)
  if (octets.length > STRING_LIMIT_OCTETS) {
    throw new RdataError(
      `a string of ${octets.length} octets: expected at most ${STRING_LIMIT_OCTETS}; write a longer text as several strings`,
    )
  }
  return Buffer.concat([Uint8Array.of(octets.length), octets])
}

function stringEnd(wire: Buffer, start: number): number {
  const afterLength = fixedEnd(wire, start, 1)
  return fixedEnd(wire, afterLength, wire[start] ?? 0)
}

/** One string with its length octet. */
export function characterString(label: string): RdataField {
  return {
    label,
    parse: (words) => withLength(words.next()),
    end: stringEnd,
    print: (wire) => quotedString(wire.subarray(1)),
  }
}

/** One or more strings, to the end of the RDATA (TXT, RFC 1035 §3.3.14). */
export function characterStrings(label: string): RdataField {
  return {
    label,
    parse: (words) => Buffer.concat(words.rest().map(withLength)),
    end(wire, start) {
      let end = stringEnd(wire, start)
      while (end < wire.length) end = stringEnd(wire, end)
      return end
    },
    print(wire) {
      const strings: string[] = []
      for (let start = 0; start < wire.length;) {
        const end = stringEnd(wire, start)
        strings.push(quotedString(wire.subarray(start + 1, end)))
        start = end
      }
      return strings.join(' ')
    },
  }
}
