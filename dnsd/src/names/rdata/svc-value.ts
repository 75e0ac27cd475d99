/*
 * Values of SvcParams (RFC 9460 §7): for each key with its own text form, octets from text and back.
 *
 * `parse` gets the value with the escapes of its character string already removed. `print` returns the text with escapes,
 * in quotes where the value may contain any octets.
 */
import { ipv4FromText, ipv4ToText, ipv6FromText, ipv6ToText } from '../address.ts'
import { quoted } from '../octet-text.ts'
import { quotedString } from './character-string.ts'
import { RdataError } from './rdata-error.ts'

export interface SvcValue {
  parse(value: Buffer): Buffer
  print(octets: Buffer): string
}

/** A value of any octets, for keys without their own form. */
export const opaqueValue: SvcValue = { parse: (value) => value, print: quotedString }

/** A key without a value. */
export const emptyValue: SvcValue = {
  parse(value) {
    if (value.length > 0) throw new RdataError('takes no value')
    return value
  },
  print(octets) {
    if (octets.length > 0) throw new RdataError('takes no value')
    return ''
  },
}

export const portValue: SvcValue = {
  parse(value) {
    const text = value.toString('latin1')
    if (!/^\d{1,5}$/.test(text) || Number(text) > 0xffff) {
      throw new RdataError(`expected a number from 0 to 65535, found ${quoted(text)}`)
    }
    return Buffer.from([Number(text) >> 8, Number(text) & 0xff])
  },
  print(octets) {
    if (octets.length !== 2) throw new RdataError('expected two octets')
    return String(octets.readUInt16BE(0))
  },
}

function addressList(
  octets: 4 | 16,
  fromText: (text: string) => Buffer,
  toText: (wire: Buffer) => string,
): SvcValue {
  return {
    parse: (value) => Buffer.concat(value.toString('latin1').split(',').map(fromText)),
    print(wire) {
      if (wire.length === 0 || wire.length % octets !== 0)
        throw new RdataError('expected one or more whole addresses')
      const count = wire.length / octets
      return Array.from({ length: count }, (_, index) =>
        toText(wire.subarray(index * octets, (index + 1) * octets)),
      ).join(',')
    },
  }
}

export const ipv4Hint = addressList(4, ipv4FromText, ipv4ToText)
export const ipv6Hint = addressList(16, ipv6FromText, ipv6ToText)

/** Octets as base64 with its padding (RFC 9460 §9 for ech). */
export const base64Value: SvcValue = {
  parse(value) {
    const text = value.toString('latin1')
    const octets = Buffer.from(text, 'base64')
    // Buffer skips invalid base64 characters, so the result is encoded again and compared.
    if (octets.length === 0 || octets.toString('base64') !== text) {
      throw new RdataError(`expected base64, found ${quoted(text)}`)
    }
    return octets
  },
  print(octets) {
    if (octets.length === 0) throw new RdataError('expected a value')
    return octets.toString('base64')
  },
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true })

// RFC 6570 §2.3: the variables of an expression are in braces, after an optional operator and separated by commas, each
// with an optional modifier. It is read piece by piece: one pattern for the whole would backtrack from every "dns" in a
// long template.
function hasVariable(template: string, name: string): boolean {
  for (const [, expression = ''] of template.matchAll(/\{([^{}]*)\}/gu)) {
    const variables = expression.replace(/^[+#./;?&=,!@|]/u, '').split(',')
    if (variables.some((each) => each.replace(/(?::\d{1,4}|\*)$/u, '') === name)) return true
  }
  return false
}

function requireTemplate(octets: Buffer): void {
  let template = ''
  try {
    template = strictUtf8.decode(octets)
  } catch {
    throw new RdataError('expected UTF-8')
  }
  if (!template.startsWith('/') || !hasVariable(template, 'dns')) {
    throw new RdataError('expected a path with the variable dns, as in /dns-query{?dns}')
  }
}

/** A relative URI template in UTF-8 with the variable `dns` (RFC 9461 §5). */
export const templateValue: SvcValue = {
  parse(value) {
    requireTemplate(value)
    return value
  },
  print(octets) {
    requireTemplate(octets)
    return quotedString(octets)
  },
}

const COMMA = 0x2c
const BACKSLASH = 0x5c

// RFC 9460 appendix A.1: within a value list, a comma or backslash of an item has a backslash before it.
function splitItems(value: Buffer): Buffer[] {
  const items: number[][] = [[]]
  for (let at = 0; at < value.length; at++) {
    const octet = value[at] ?? 0
    if (octet === COMMA) {
      items.push([])
      continue
    }
    const next = value[at + 1]
    if (octet === BACKSLASH) {
      if (next !== COMMA && next !== BACKSLASH)
        throw new RdataError('in a list, a backslash must be followed by a comma or a backslash')
      at += 1
    }
    items.at(-1)?.push(octet === BACKSLASH ? (next ?? 0) : octet)
  }
  return items.map((item) => Buffer.from(item))
}

function joinItems(items: readonly Buffer[]): Buffer {
  const joined = items.flatMap((item, index) => [
    ...(index > 0 ? [COMMA] : []),
    ...[...item].flatMap((octet) =>
      octet === COMMA || octet === BACKSLASH ? [BACKSLASH, octet] : [octet],
    ),
  ])
  return Buffer.from(joined)
}

function requireItem(item: Uint8Array): void {
  if (item.length === 0 || item.length > 255)
    throw new RdataError('expected protocol names of 1 to 255 octets')
}

/** Protocol names, each with a length octet (RFC 9460 §7.1.1). */
export const alpnValue: SvcValue = {
  parse(value) {
    const items = splitItems(value)
    for (const item of items) requireItem(item)
    return Buffer.concat(items.flatMap((item) => [Uint8Array.of(item.length), item]))
  },
  print(octets) {
    const items: Buffer[] = []
    for (let at = 0; at < octets.length;) {
      const end = at + 1 + (octets[at] ?? 0)
      if (end > octets.length) throw new RdataError('a protocol name runs past the end')
      items.push(octets.subarray(at + 1, end))
      requireItem(octets.subarray(at + 1, end))
      at = end
    }
    if (items.length === 0) throw new RdataError('expected at least one protocol name')
    return quotedString(joinItems(items))
  },
}
