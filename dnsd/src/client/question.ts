/*
 * Questions as messages, written by dns-packet.
 *
 * It splits names at dots, checks no lengths, knows no escapes, and writes an unknown type as 0. So names and types are
 * parsed by `names` first, names that dns-packet cannot write are refused, and types are passed as numbers.
 */
import { randomBytes } from 'node:crypto'
import { encode, type Answer, type RecordType } from 'dns-packet'
import { nameFromText, ROOT_NAME, typeFromText } from '../names/index.ts'
import { InvalidQuestion } from './errors.ts'

/** The name, type and class to ask for. */
export interface DnsQuestion {
  /** In the format of a master file; absolute also without its final dot. */
  readonly name: string
  /** `A`, `TXT`, `HTTPS`, or `TYPE` and a number. */
  readonly type: string
  /** `IN` by default; `CH` is the class of `version.bind`. */
  readonly class?: 'IN' | 'CH'
}

export interface QueryOptions {
  /** RD: asks a resolver to recurse (RFC 1035 §4.1.1). True by default. */
  readonly recursionDesired?: boolean
  /** Whether the question has an OPT record (RFC 6891), which extended errors need. True by default. */
  readonly edns?: boolean
  /**
   * Whether the letters of the name get a random case, which the answer must repeat
   * (draft-vixie-dnsext-dns0x20): a forged answer would have to guess it too. True by default.
   */
  readonly mixesCase?: boolean
  /** Returns that many random octets; `randomBytes` by default. */
  readonly random?: (count: number) => Uint8Array
}

/** A question in wire form. */
export interface Query {
  readonly id: number
  /** The complete message. */
  readonly octets: Buffer
  /** The question in it: name, type and class. */
  readonly question: Buffer
}

const HEADER_BYTES = 12
const RECURSION_DESIRED = 0x0100
// The largest answer over UDP that rarely fragments (DNS Flag Day 2020).
const PAYLOAD_BYTES = 1232
const TYPE_AND_CLASS_BYTES = 4
const OPT: Answer = {
  type: 'OPT',
  name: '.',
  udpPayloadSize: PAYLOAD_BYTES,
  extendedRcode: 0,
  ednsVersion: 0,
  flags: 0,
  flag_do: false,
  options: [],
}

/**
 * Creates a message with a question.
 *
 * @throws InvalidQuestion when the name or the type is invalid, or dns-packet cannot write the name
 */
export function makeQuery(question: DnsQuestion, options: QueryOptions = {}): Query {
  const { recursionDesired = true, edns = true, mixesCase = true, random = randomBytes } = options
  const plain = plainName(question.name)
  const name = mixesCase ? inMixedCase(plain, random(plain.length)) : plain
  const id = Buffer.from(random(2)).readUInt16BE(0)
  const octets = encode({
    type: 'query',
    id,
    flags: recursionDesired ? RECURSION_DESIRED : 0,
    questions: [{ name, type: packetType(question.type), class: question.class ?? 'IN' }],
    additionals: edns ? [OPT] : [],
  })
  // In wire form a name has one octet more at either end; the root is one octet.
  const nameBytes = name === '.' ? 1 : name.length + 2
  const end = HEADER_BYTES + nameBytes + TYPE_AND_CLASS_BYTES
  return { id, octets, question: octets.subarray(HEADER_BYTES, end) }
}

/** A message for benchmarks: one question without recursion and OPT record, in the given letter case, with ID 0. */
export function questionOctets(question: DnsQuestion): Buffer {
  const none = (count: number) => Buffer.alloc(count)
  return makeQuery(question, {
    recursionDesired: false,
    edns: false,
    mixesCase: false,
    random: none,
  }).octets
}

/** The name as labels between dots, as dns-packet expects it. @throws InvalidQuestion */
function plainName(text: string): string {
  const wire = orInvalid(() => nameFromText(text, ROOT_NAME))
  const labels: string[] = []
  for (let at = 0; (wire[at] ?? 0) > 0;) {
    const next = at + 1 + (wire[at] ?? 0)
    labels.push(wire.toString('latin1', at + 1, next))
    at = next
  }
  if (!labels.every((label) => /^[!-~]+$/.test(label) && !label.includes('.'))) {
    throw new InvalidQuestion(
      `The name "${text}" has a label with a dot, a space, a control character or a character outside ASCII. Such names cannot be queried.`,
    )
  }
  return labels.length === 0 ? '.' : labels.join('.')
}

/** @throws InvalidQuestion */
function packetType(text: string): RecordType {
  const number = orInvalid(() => typeFromText(text))
  // dns-packet accepts this form for every number, but the types of the package do not include it.
  return `UNKNOWN_${number}` as RecordType
}

function orInvalid<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw new InvalidQuestion(message, { cause: error })
  }
}

/** @param chance a random octet for each character, of which the lowest bit decides */
function inMixedCase(name: string, chance: Uint8Array): string {
  return name.replace(/[a-z]/gi, (letter, at: number) =>
    ((chance[at] ?? 0) & 1) === 1 ? letter.toUpperCase() : letter.toLowerCase(),
  )
}
