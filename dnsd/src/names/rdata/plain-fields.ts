/* Fields of one word each: numbers, durations, names, addresses. */
import { ipv4FromText, ipv4ToText, ipv6FromText, ipv6ToText } from '../address.ts'
import { nameFromText, nameToText } from '../name-text.ts'
import { quoted } from '../octet-text.ts'
import { nameLengthAt } from '../owner-name.ts'
import { ttlFromText } from '../ttl.ts'
import { fixedEnd, type RdataField } from './field.ts'
import { RdataError } from './rdata-error.ts'

function unsigned(value: number, octets: number): Buffer {
  const wire = Buffer.allocUnsafe(octets)
  wire.writeUIntBE(value, 0, octets)
  return wire
}

function numberField(label: string, octets: 1 | 2 | 4): RdataField {
  const limit = 2 ** (octets * 8) - 1
  return {
    label,
    parse(words) {
      const { text } = words.next()
      if (!/^\d{1,10}$/.test(text) || Number(text) > limit) {
        throw new RdataError(`expected a number from 0 to ${limit}, found ${quoted(text)}`)
      }
      return unsigned(Number(text), octets)
    },
    end: (wire, start) => fixedEnd(wire, start, octets),
    print: (wire) => String(wire.readUIntBE(0, octets)),
  }
}

export const number8 = (label: string): RdataField => numberField(label, 1)
export const number16 = (label: string): RdataField => numberField(label, 2)
export const number32 = (label: string): RdataField => numberField(label, 4)

/** A duration of the SOA record: 32 bits of seconds, whose text may have units. */
export function seconds(label: string): RdataField {
  const plain = number32(label)
  return {
    ...plain,
    parse(words, origin) {
      const { text } = words.peek()
      if (/^\d+$/.test(text)) return plain.parse(words, origin)
      const value = ttlFromText(words.next().text)
      if (value === undefined) {
        throw new RdataError(`expected seconds or a span such as 1h30m, found ${quoted(text)}`)
      }
      return unsigned(value, 4)
    },
  }
}

/** A domain name; its text is absolute, with the final dot, so that it reads the same under any origin. */
export function domainName(label: string): RdataField {
  return {
    label,
    isName: true,
    parse(words, origin) {
      const word = words.next()
      if (word.quoted)
        throw new RdataError(`expected a name, found the quoted string ${quoted(word.text)}`)
      return nameFromText(word.text, origin)
    },
    end: (wire, start) => start + nameLengthAt(wire, start),
    print(wire) {
      const text = nameToText(wire)
      return text === '.' ? text : `${text}.`
    },
  }
}

export const ipv4Address: RdataField = {
  label: 'address',
  parse: (words) => ipv4FromText(words.next().text),
  end: (wire, start) => fixedEnd(wire, start, 4),
  print: ipv4ToText,
}

export const ipv6Address: RdataField = {
  label: 'address',
  parse: (words) => ipv6FromText(words.next().text),
  end: (wire, start) => fixedEnd(wire, start, 16),
  print: ipv6ToText,
}
