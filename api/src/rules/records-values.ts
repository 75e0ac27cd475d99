/** The values of a record: from the user's text to the canonical text of each, and rules about all of them. */
import {
  canonicalName,
  canonicalRdata,
  embeddedNames,
  nameFromText,
  nameKey,
  nameToText,
  RdataError,
  rdataFromText,
  rdataToText,
  ROOT_NAME,
  TYPE,
  typeToText,
} from '@homing/dnsd/names'
import { RECORD_BOUNDS } from '@homing/openapi/vocabulary'
import { type AddressPolicy, parseAddress } from './addresses.ts'
import { Refusal } from './errors.ts'
import { recordNotAllowed } from './records.ts'

const STRING_LIMIT_OCTETS = 255
const MESSAGE_LIMIT_OCTETS = 65_535
/** Header (RFC 1035 §4.1.1), type and class of the question, and an OPT record (RFC 6891 §6.1.2). */
const MESSAGE_OVERHEAD_OCTETS = 12 + 4 + 11
/** A compressed owner name, type, class, TTL and length (RFC 1035 §4.1.3). */
const RECORD_OVERHEAD_OCTETS = 12

/** One text as strings of at most 255 octets (RFC 1035 §3.3). */
function oneText(text: string): Buffer {
  const octets = Buffer.from(text, 'utf8')
  const parts: Buffer[] = []
  for (let at = 0; at < octets.length; at += STRING_LIMIT_OCTETS) {
    const part = octets.subarray(at, at + STRING_LIMIT_OCTETS)
    parts.push(Buffer.from([part.length]), part)
  }
  return Buffer.concat(parts)
}

/** Whether a value of a TXT record has the form of a zone file: quoted strings, or RFC 3597 §5. */
const isFileForm = (text: string) => /^\s*(?:"|\\#\s)/.test(text)

const namesIn = (type: number, wire: Buffer): Buffer[] =>
  embeddedNames(type, wire).map(({ offset, length }) => wire.subarray(offset, offset + length))

/** Whether a name is the root or has one label. */
const isShort = (name: Buffer) => (name[0] ?? 0) + 2 >= name.length

/**
 * Names are complete with or without a final dot. A single label without a dot, or `@`, is more likely meant as a relative
 * name, and would silently be a name of the top level.
 */
function requireCompleteNames(type: number, wire: Buffer, text: string): void {
  if (!namesIn(type, wire).some(isShort)) return
  try {
    rdataFromText(type, text)
  } catch (error) {
    if (!(error instanceof RdataError)) throw error
    throw new RdataError(
      'Write the name in full, such as mail.example.com. A name with a single label needs a final dot.',
      { cause: error },
    )
  }
}

function wireOf(type: number, text: string): Buffer {
  if (type === TYPE.TXT && !isFileForm(text)) return oneText(text)
  const wire = rdataFromText(type, text, ROOT_NAME)
  requireCompleteNames(type, wire, text)
  return wire
}

/** The octets of each value. @throws Refusal `record-not-allowed`, whose field is that of the value */
function readAll(type: number, values: readonly string[]): Buffer[] {
  return values.map((text, n) => {
    try {
      return wireOf(type, text)
    } catch (error) {
      if (error instanceof RdataError) throw recordNotAllowed(`values.${n}`, error.message)
      throw error
    }
  })
}

/** Loops that are certain: the name points to itself. Longer ones can lead through other zones, and are not examined. */
function requireOtherTarget(owner: string, type: number, wires: readonly Buffer[]): void {
  if (type !== TYPE.CNAME && type !== TYPE.NS) return
  const own = nameKey(nameFromText(owner, ROOT_NAME))
  const n = wires.findIndex((wire) => nameKey(wire) === own)
  if (n < 0) return
  throw recordNotAllowed(
    `values.${n}`,
    `The ${typeToText(type)} record of ${owner} points to ${owner} itself. Give another name.`,
  )
}

const IPV4_LIKE = /^\d{1,3}(?:\.\d{1,3}){3}$/

/** An address where a host name belongs would silently be a name of the top level that nobody has (RFC 2181 §10.3). */
function requireNoAddresses(type: number, wires: readonly Buffer[]): void {
  for (const [n, wire] of wires.entries()) {
    const address = namesIn(type, wire)
      .map((name) => nameToText(name))
      .find((name) => IPV4_LIKE.test(name))
    if (address === undefined) continue
    throw recordNotAllowed(
      `values.${n}`,
      `${address} is an address. Expected a host name, such as mail.example.com.`,
    )
  }
}

/** RFC 7505 §3: beside other exchanges, the one that says that there is no mail would contradict them. */
function requireLoneNullMx(owner: string, type: number, wires: readonly Buffer[]): void {
  if (type !== TYPE.MX || wires.length < 2) return
  const n = wires.findIndex((wire) => namesIn(type, wire).some((name) => name.equals(ROOT_NAME)))
  if (n < 0) return
  throw recordNotAllowed(
    `values.${n}`,
    `The value with the host . means that ${owner} receives no mail, so it must be the only value (RFC 7505 §3).`,
  )
}

function requireDistinct(type: number, wires: readonly Buffer[]): void {
  const seen = new Map<string, number>()
  for (const [n, wire] of wires.entries()) {
    const key = canonicalRdata(type, wire).toString('latin1')
    const first = seen.get(key)
    if (first !== undefined) {
      throw recordNotAllowed(
        `values.${n}`,
        `Value ${n + 1} is the same record as value ${first + 1}. Remove one of them.`,
      )
    }
    seen.set(key, n)
  }
}

function requireFit(owner: string, wires: readonly Buffer[]): void {
  const name = nameFromText(owner, ROOT_NAME).length
  const records = wires.reduce((sum, wire) => sum + RECORD_OVERHEAD_OCTETS + wire.length, 0)
  const octets = MESSAGE_OVERHEAD_OCTETS + name + records
  if (octets <= MESSAGE_LIMIT_OCTETS) return
  throw recordNotAllowed(
    'values',
    `The values need a DNS message of ${octets} octets, and the maximum is ${MESSAGE_LIMIT_OCTETS}. Use fewer or shorter values.`,
  )
}

/** The rules about all values of an RRset in wire form. @throws Refusal `record-not-allowed` */
export function requireValidSet(owner: string, type: number, wires: readonly Buffer[]): void {
  if (wires.length > RECORD_BOUNDS.values) {
    throw recordNotAllowed(
      'values',
      `${owner} can have at most ${RECORD_BOUNDS.values} ${typeToText(type)} records.`,
    )
  }
  if (type === TYPE.CNAME && wires.length > 1) {
    throw recordNotAllowed('values', `${owner} can have only one CNAME record (RFC 1034 §3.6.2).`)
  }
  requireDistinct(type, wires)
  requireOtherTarget(owner, type, wires)
  requireNoAddresses(type, wires)
  requireLoneNullMx(owner, type, wires)
  requireFit(owner, wires)
}

/**
 * Reads the values of a record.
 *
 * @param policy which addresses the name servers of a delegation can have
 * @returns their canonical text: complete names with a final dot, strings in quotes
 * @throws Refusal `record-not-allowed`
 */
export function parseRecordValues(
  { owner, type, values }: { owner: string; type: number; values: readonly string[] },
  policy: AddressPolicy,
): string[] {
  const wires = readAll(type, values)
  requireValidSet(owner, type, wires)
  return valueTexts(type, wires, policy)
}

/** The canonical text of values in wire form. @throws Refusal `record-not-allowed` for an address that cannot be used */
export function valueTexts(
  type: number,
  wires: readonly Buffer[],
  policy: AddressPolicy,
): string[] {
  const texts = wires.map((wire) => rdataToText(type, wire))
  if (type === TYPE.A || type === TYPE.AAAA) {
    for (const [n, text] of texts.entries()) requireAddress(text, policy, `values.${n}`)
  }
  return texts
}

function requireAddress(text: string, policy: AddressPolicy, field: string): void {
  try {
    parseAddress(text, policy, field)
  } catch (error) {
    if (error instanceof Refusal) throw recordNotAllowed(field, error.message)
    throw error
  }
}

/** The name servers of a delegation, in stored form, from the canonical text of NS values. */
export const nameServersOf = (values: readonly string[]): string[] =>
  values.map((value) => nameToText(canonicalName(nameFromText(value, ROOT_NAME))))
