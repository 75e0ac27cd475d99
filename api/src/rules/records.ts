/**
 * Records that users create: from the user's input to the RRset as it is stored.
 *
 * `@homing/dnsd/names` knows the forms of names, types and RDATA. This module adds which owner names and types users can
 * have. `records-values.ts` reads the values, `records-conflicts.ts` says what can stand beside what.
 */
import { RECORD_BOUNDS } from '@homing/openapi/vocabulary'
import {
  canonicalName,
  isDataType,
  isSubdomain,
  NameError,
  nameFromText,
  nameToText,
  RecordTypeError,
  ROOT_NAME,
  TYPE,
  typeFromText,
  typeToText,
} from '@homing/dnsd/names'
import { Refusal } from './errors.ts'

/** An RRset as it is stored. */
export interface RecordSet {
  /** Lower case, no final dot. */
  readonly owner: string
  /** A mnemonic, or `TYPE` and a number. */
  readonly type: string
  /** Seconds. */
  readonly ttl: number
  /** In the form of a zone file. */
  readonly values: readonly string[]
}

/** A field of a record is not allowed. */
export const recordNotAllowed = (field: string, message: string): Refusal<'record-not-allowed'> =>
  new Refusal('record-not-allowed', message, { faults: [{ field, message }] })

// The rest of the service splits names at dots. Underscores: RFC 8552. Slashes: RFC 2317.
const LABEL = /^[a-z0-9_/-]+$/

/**
 * The most labels below a domain or zone: as many as the name of an IPv6 address has (RFC 3596 §2.5). DNS answers for each
 * name above a record, so a record takes as many places as it has labels.
 */
const LABELS_BELOW_LIMIT = 32

const labelCount = (name: string) => name.split('.').length

function requireLabels(owner: string, place: string): void {
  if (labelCount(owner) - labelCount(place) > LABELS_BELOW_LIMIT) {
    throw recordNotAllowed(
      'owner',
      `The owner name has more than ${LABELS_BELOW_LIMIT} labels below ${place}. Give a shorter name.`,
    )
  }
  const [first = '', ...others] = owner.split('.')
  if (others.includes('*') || (first !== '*' && first.includes('*'))) {
    throw recordNotAllowed(
      'owner',
      `${owner} has a star inside. Only the first label can be a star, alone: *.example.`,
    )
  }
  const wrong = [...(first === '*' ? [] : [first]), ...others].find((label) => !LABEL.test(label))
  if (wrong === undefined) return
  throw recordNotAllowed(
    'owner',
    `The owner name has the label ${wrong}. Expected letters, digits, hyphens, underscores and slashes; write labels of other scripts as A-labels (xn--…).`,
  )
}

function wireOf(text: string, apex: Buffer): Buffer {
  const isAbsolute = text.endsWith('.') && text !== '.'
  const origin = isAbsolute || text === '.' ? undefined : ROOT_NAME
  // `@` would be the root.
  const full = text === '@' ? apex : nameFromText(text, origin)
  if (isSubdomain(full, apex)) return full
  if (!isAbsolute && text !== '.') return nameFromText(text, apex)
  throw recordNotAllowed(
    'owner',
    `${text} is not at or below ${nameToText(apex)}. Give a name that ends in ${nameToText(apex)}, or one relative to it.`,
  )
}

/**
 * Reads an owner name: the full name with or without a final dot, a name relative to the place, or `@` for the place.
 *
 * @param place the domain or zone, in stored form
 * @returns the stored form: lower case, no final dot
 * @throws Refusal `record-not-allowed`
 */
export function parseRecordOwner(text: string, place: string): string {
  try {
    const apex = nameFromText(place, ROOT_NAME)
    const owner = nameToText(canonicalName(wireOf(text.trim(), apex)))
    requireLabels(owner, place)
    return owner
  } catch (error) {
    if (error instanceof NameError) throw recordNotAllowed('owner', error.message)
    throw error
  }
}

const SIGNED =
  'The service does not sign zones, so DNSSEC records would make names fail at validating resolvers.'

/** Obsolete types of DNSSEC (RFC 3755), and ZONEMD, a digest of the whole zone (RFC 8976). */
const [SIG, KEY, NXT, ZONEMD] = [24, 25, 30, 63]

const REFUSED_TYPES: ReadonlyMap<number, string> = new Map([
  [TYPE.SOA, 'The service makes the SOA record of each zone.'],
  [TYPE.DNAME, 'DNAME records are not supported. Use a CNAME record for each name.'],
  ...[
    TYPE.DS,
    TYPE.DNSKEY,
    TYPE.RRSIG,
    TYPE.NSEC,
    TYPE.NSEC3,
    TYPE.NSEC3PARAM,
    TYPE.CDS,
    TYPE.CDNSKEY,
    SIG,
    KEY,
    NXT,
  ].map((type): [number, string] => [type, SIGNED]),
  [ZONEMD, 'A ZONEMD record is wrong after the next change of the zone.'],
])

/**
 * Reads a record type. `TYPE1` and other numbers of types with a name become their name (RFC 3597 §5).
 *
 * @returns the number of the type
 * @throws Refusal `record-not-allowed` also for types that users cannot have, with the reason
 */
export function parseRecordType(text: string): number {
  const type = typeNumberOf(text.trim())
  const reason = reasonAgainst(type)
  if (reason !== undefined) throw recordNotAllowed('type', reason)
  return type
}

/** Why users cannot have records of a type; undefined: they can. A and AAAA depend on the place (`records-conflicts.ts`). */
export function reasonAgainst(type: number): string | undefined {
  const name = typeToText(type)
  if (!isDataType(type)) return `${name} is a type of queries, not of records.`
  const reason = REFUSED_TYPES.get(type)
  return reason === undefined ? undefined : `${name} records cannot be created. ${reason}`
}

function typeNumberOf(text: string): number {
  try {
    return typeFromText(text)
  } catch (error) {
    if (error instanceof RecordTypeError) throw recordNotAllowed('type', error.message)
    throw error
  }
}

const DEFAULT_TTL_SECONDS = 3600

/**
 * The TTL of a record in seconds.
 *
 * @param ttl undefined: the default
 * @param minimum the TTL of the plan
 * @throws Refusal `record-not-allowed`
 */
export function recordTtl(ttl: number | undefined, minimum: number): number {
  if (ttl === undefined) return Math.max(DEFAULT_TTL_SECONDS, minimum)
  const { maximum } = RECORD_BOUNDS.ttl
  if (ttl < minimum) {
    throw recordNotAllowed(
      'ttl',
      `The TTL ${ttl} is too short: the minimum of your plan is ${minimum} seconds. Use a longer TTL, or choose a larger plan.`,
    )
  }
  if (ttl > maximum) {
    throw recordNotAllowed('ttl', `The TTL ${ttl} is too long: the maximum is ${maximum} seconds.`)
  }
  return ttl
}
