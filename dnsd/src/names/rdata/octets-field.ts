/* Fields that take the rest of the RDATA as octets: digests in hexadecimal, and the property of a CAA record. */
import { quoted } from '../octet-text.ts'
import type { Token } from '../token.ts'
import { quotedString, unescaped } from './character-string.ts'
import { fixedEnd, type RdataField } from './field.ts'
import { RdataError } from './rdata-error.ts'

/** Octets from hexadecimal digits in one or more words. @throws RdataError */
export function octetsFromHex(tokens: readonly Token[]): Buffer {
  const digits = tokens.map((token) => token.text).join('')
  if (digits.length % 2 !== 0 || !/^[0-9a-f]*$/i.test(digits)) {
    throw new RdataError(`expected an even number of hexadecimal digits, found ${quoted(digits)}`)
  }
  return Buffer.from(digits, 'hex')
}

export function hexText(octets: Buffer): string {
  return octets.toString('hex').toUpperCase()
}

/** A digest or fingerprint: at least one octet, to the end of the RDATA. */
export function hexOctets(label: string): RdataField {
  return {
    label,
    parse(words) {
      const octets = octetsFromHex(words.rest())
      fixedEnd(octets, 0, 1)
      return octets
    },
    end(wire, start) {
      fixedEnd(wire, start, 1)
      return wire.length
    },
    print: hexText,
  }
}

// RFC 8659 §4.1: a tag is one or more letters and digits with a length octet before it.
const TAG = /^[0-9a-z]{1,255}$/i

function requireTag(tag: string): void {
  if (!TAG.test(tag))
    throw new RdataError(`expected letters and digits such as issue, found ${quoted(tag)}`)
}

export const caaTag: RdataField = {
  label: 'tag',
  parse(words) {
    const { text } = words.next()
    requireTag(text)
    return Buffer.concat([Uint8Array.of(text.length), Buffer.from(text, 'latin1')])
  },
  end(wire, start) {
    return fixedEnd(wire, fixedEnd(wire, start, 1), wire[start] ?? 0)
  },
  print(wire) {
    const tag = wire.toString('latin1', 1)
    requireTag(tag)
    return tag
  },
}

/** RFC 8659 §4.1: the value is the rest, without a length octet, and may be longer than a character string. */
export const caaValue: RdataField = {
  label: 'value',
  parse: (words) => unescaped(words.next().text),
  end: (wire) => wire.length,
  print: quotedString,
}
