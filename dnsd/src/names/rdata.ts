/* RDATA: text to wire and back by the type's layout, or as plain octets (RFC 3597) for types without a layout. */
import { AddressError } from './address.ts'
import { NameError } from './name-error.ts'
import { octetText, quoted } from './octet-text.ts'
import { canonicalName } from './owner-name.ts'
import { isDataType, typeToText } from './record-type.ts'
import { type Entry, hasFileSyntax, scanLine, type Token } from './token.ts'
import { type RdataField, Words } from './rdata/field.ts'
import { layouts } from './rdata/layouts.ts'
import { hexText, octetsFromHex } from './rdata/octets-field.ts'
import { RdataError } from './rdata/rdata-error.ts'

/** The maximum length of RDATA: its length on the wire has 16 bits (RFC 1035 §3.2.1). */
export const RDATA_LIMIT_OCTETS = 0xffff

/** The position of a domain name in RDATA. */
export interface EmbeddedName {
  readonly offset: number
  readonly length: number
}

function sentence(message: string): string {
  return message.endsWith('.') ? message : `${message}.`
}

/** Runs `run`. Its errors become sentences that begin with the place. */
function at<T>(place: string, run: () => T): T {
  try {
    return run()
  } catch (error) {
    if (
      error instanceof RdataError ||
      error instanceof NameError ||
      error instanceof AddressError
    ) {
      throw new RdataError(sentence(`${place}: ${error.message}`), { cause: error })
    }
    throw error
  }
}

function inField<T>(type: number, field: RdataField, run: () => T): T {
  return at(`${typeToText(type)} ${field.label}`, run)
}

function requireDataType(type: number): void {
  if (!isDataType(type))
    throw new RdataError(`${typeToText(type)} is not a type that a zone can hold.`)
}

function asBuffer(wire: Uint8Array): Buffer {
  return Buffer.isBuffer(wire) ? wire : Buffer.from(wire.buffer, wire.byteOffset, wire.length)
}

// RFC 3597 §5: `\# 4 C0000201`. A known type in this form must still match its layout.
function genericRdata(type: number, tokens: readonly Token[]): Buffer {
  const [, lengthToken, ...digits] = tokens
  const length = lengthToken?.text ?? ''
  if (!/^\d{1,5}$/.test(length))
    throw new RdataError(`After \\# comes the number of octets, found ${quoted(length)}.`)
  const wire = at(`${typeToText(type)} after \\#`, () => octetsFromHex(digits))
  if (wire.length !== Number(length)) {
    throw new RdataError(`\\# announces ${length} octets, but ${wire.length} follow.`)
  }
  checkRdata(type, wire)
  return wire
}

function fieldsFromTokens(
  type: number,
  fields: readonly RdataField[],
  tokens: readonly Token[],
  origin?: Uint8Array,
): Buffer {
  const words = new Words(tokens)
  const parts = fields.map((field) => inField(type, field, () => field.parse(words, origin)))
  const [surplus] = words.optionalRest()
  if (surplus !== undefined)
    throw new RdataError(`${typeToText(type)} ends before ${quoted(surplus.text)}.`)
  const [only] = parts
  return parts.length === 1 && only !== undefined ? asBuffer(only) : Buffer.concat(parts)
}

/**
 * RDATA from the words of a record.
 *
 * @throws RdataError
 */
export function rdataFromTokens(
  type: number,
  tokens: readonly Token[],
  origin?: Uint8Array,
): Buffer {
  requireDataType(type)
  const [first] = tokens
  if (first?.text === '\\#' && !first.quoted) return genericRdata(type, tokens)
  const layout = layouts.get(type)
  if (layout === undefined) {
    throw new RdataError(
      `${typeToText(type)} is written as \\#, the number of octets and hexadecimal digits.`,
    )
  }
  const wire = fieldsFromTokens(type, layout.fields, tokens, origin)
  if (wire.length > RDATA_LIMIT_OCTETS)
    throw new RdataError(`The RDATA is longer than ${RDATA_LIMIT_OCTETS} octets.`)
  checkRelations(type, wire)
  return wire
}

/**
 * RDATA in wire form, names uncompressed and in their letter case, from the text of one record: words with
 * escapes and quotes (RFC 1035 §5.1), or `\# length hex` for any type (RFC 3597 §5). Characters beyond ASCII in strings are
 * taken as UTF-8. Comments, parentheses and line ends are only valid in files and are refused.
 *
 * @param origin completes relative names; without it they are refused
 * @throws RdataError
 */
export function rdataFromText(type: number, text: string, origin?: Uint8Array): Buffer {
  const octets = octetText(text)
  if (hasFileSyntax(octets)) {
    throw new RdataError(
      'A semicolon, a parenthesis or a line end is outside quotes: put the string in quotes.',
    )
  }
  const entry: Entry = { tokens: [], depth: 0 }
  const fault = scanLine(octets, entry)
  if (fault !== undefined) throw new RdataError(fault)
  return rdataFromTokens(type, entry.tokens, origin)
}

function checkRelations(type: number, wire: Buffer): void {
  at(typeToText(type), () => layouts.get(type)?.check?.(wire))
}

interface Part {
  readonly field: RdataField
  readonly start: number
  readonly end: number
}

function partsOf(type: number, wire: Buffer, fields: readonly RdataField[]): Part[] {
  let start = 0
  const parts = fields.map((field) => {
    const part = { field, start, end: inField(type, field, () => field.end(wire, start)) }
    start = part.end
    return part
  })
  if (start !== wire.length)
    throw new RdataError(`${typeToText(type)} has ${wire.length - start} octets too many.`)
  return parts
}

/**
 * RDATA as text, in the form that this project writes: names absolute with their final dot, strings in quotes,
 * hexadecimal digits in upper case, addresses canonical, types without a layout as `\# length hex`. `rdataFromText` returns
 * the same octets.
 *
 * @throws RdataError when the octets are not valid RDATA of that type
 */
export function rdataToText(type: number, wire: Uint8Array): string {
  requireDataType(type)
  const octets = asBuffer(wire)
  if (octets.length > RDATA_LIMIT_OCTETS)
    throw new RdataError(`The RDATA is longer than ${RDATA_LIMIT_OCTETS} octets.`)
  const layout = layouts.get(type)
  if (layout === undefined)
    return octets.length === 0 ? '\\# 0' : `\\# ${octets.length} ${hexText(octets)}`
  const words = partsOf(type, octets, layout.fields).map(({ field, start, end }) =>
    inField(type, field, () => field.print(octets.subarray(start, end))),
  )
  checkRelations(type, octets)
  return words.filter((word) => word !== '').join(' ')
}

/**
 * Checks that external octets are valid RDATA of that type.
 *
 * @throws RdataError when they are invalid
 */
function checkRdata(type: number, wire: Uint8Array): void {
  rdataToText(type, wire)
}

/**
 * The names inside well-formed RDATA, for compression (only of the types of RFC 1035: RFC 3597 §4) and for the addresses
 * in the additional section. Types without a layout have none.
 *
 * @throws RdataError when the octets are not valid RDATA of that type
 */
export function embeddedNames(type: number, wire: Uint8Array): EmbeddedName[] {
  const layout = layouts.get(type)
  if (layout === undefined) return []
  return partsOf(type, asBuffer(wire), layout.fields)
    .filter(({ field }) => field.isName)
    .map(({ start, end }) => ({ offset: start, length: end - start }))
}

/**
 * The form in which two RDATA of one RRset are compared (RFC 4034 §6.2): names in lower case for the types listed there.
 * Records whose canonical forms are equal are one record (RFC 2181 §5).
 *
 * @throws RdataError when the octets are not valid RDATA of that type
 */
export function canonicalRdata(type: number, wire: Uint8Array): Buffer {
  const canonical = Buffer.from(wire)
  if (layouts.get(type)?.foldsNames !== true) return canonical
  for (const { offset, length } of embeddedNames(type, canonical)) {
    canonicalName(canonical.subarray(offset, offset + length)).copy(canonical, offset)
  }
  return canonical
}
