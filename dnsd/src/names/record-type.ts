/* RR types by number and mnemonic (RFC 6895 §3.1 and the IANA registry); unknown types as TYPE123 (RFC 3597 §5). */
import { quoted } from './octet-text.ts'

/** The types that this project knows by name. All other types of the registry can be written as `TYPE<number>`. */
export const TYPE = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  PTR: 12,
  MX: 15,
  TXT: 16,
  AAAA: 28,
  SRV: 33,
  NAPTR: 35,
  DNAME: 39,
  OPT: 41,
  DS: 43,
  SSHFP: 44,
  RRSIG: 46,
  NSEC: 47,
  DNSKEY: 48,
  NSEC3: 50,
  NSEC3PARAM: 51,
  TLSA: 52,
  CDS: 59,
  CDNSKEY: 60,
  SVCB: 64,
  HTTPS: 65,
  TKEY: 249,
  TSIG: 250,
  IXFR: 251,
  AXFR: 252,
  ANY: 255,
  CAA: 257,
} as const

/** The types with their own text form. Other types are stored as octets and written in the form of RFC 3597 §5. */
export const SERVED_TYPES: readonly number[] = [
  TYPE.SOA,
  TYPE.NS,
  TYPE.A,
  TYPE.AAAA,
  TYPE.CNAME,
  TYPE.MX,
  TYPE.TXT,
  TYPE.CAA,
  TYPE.SRV,
  TYPE.PTR,
  TYPE.TLSA,
  TYPE.SSHFP,
  TYPE.SVCB,
  TYPE.HTTPS,
  TYPE.NAPTR,
  TYPE.DNAME,
  TYPE.DS,
]

/** A text that is not the name of an RR type. */
export class RecordTypeError extends Error {
  constructor(text: string) {
    super(
      `${quoted(text)} is not a record type: expected a name such as A or TXT, or TYPE and a number up to 65535.`,
    )
    this.name = 'RecordTypeError'
  }
}

const numbers = new Map<string, number>(Object.entries(TYPE))
const mnemonics = new Map<number, string>(Object.entries(TYPE).map(([text, type]) => [type, text]))

/**
 * The number of a type, from its mnemonic or `TYPE<number>` in any case (`*` does not mean ANY).
 *
 * @throws RecordTypeError
 */
export function typeFromText(text: string): number {
  const known = numbers.get(text) ?? numbers.get(text.toUpperCase())
  if (known !== undefined) return known
  const digits = /^TYPE(\d{1,5})$/i.exec(text)?.[1]
  if (digits === undefined || Number(digits) > 0xffff) throw new RecordTypeError(text)
  return Number(digits)
}

/** The mnemonic of a type, or `TYPE<number>` (RFC 3597 §5). */
export function typeToText(type: number): string {
  return mnemonics.get(type) ?? `TYPE${type}`
}

/**
 * Whether records of this type can be stored in a zone. This excludes 0, OPT, the range 128 to 255 of question and meta
 * types (including TKEY, TSIG, IXFR, AXFR, ANY) and the reserved 65535 (RFC 6895 §3.1).
 */
export function isDataType(type: number): boolean {
  return type > 0 && type < 0xffff && type !== TYPE.OPT && (type < 128 || type > 255)
}
