import { optRecord, type Edns } from './edns.ts'
import type { AnswerOptions } from './edns-options.ts'
import { FLAG, HEADER_BYTES, OPCODE_SHIFT } from './header.ts'
import { MessageWriter } from './message-writer.ts'
import { RCODE } from './rcode.ts'
import type { PlacedRRset, Reply } from './reply.ts'
import type { Request } from './request.ts'

/** A reply in wire form, and whether it is truncated (TC). */
export interface Message {
  readonly octets: Buffer
  readonly truncated: boolean
}

const NO_OCTETS = Buffer.alloc(0)
const OPCODE_QUERY = 0

/**
 * Writes the reply to a request in at most `limitBytes` octets.
 *
 * RRsets are never split. TC is set when an RRset of the answer, the authority section or the glue
 * does not fit, and nothing follows it; other additional records are omitted without TC (RFC 2181 §9,
 * RFC 9471 §3.1). Space for OPT and TSIG is reserved first.
 *
 * @param options the options of the answer's OPT record; requests without OPT get none
 */
export function writeMessage(
  request: Request,
  reply: Reply,
  limitBytes: number,
  options: AnswerOptions = {},
): Message {
  const rcode = RCODE[reply.rcode]
  const { question } = request
  const bareBytes = HEADER_BYTES + (question?.wire.length ?? 0)
  const { extendedError } = reply
  const trailer = trailingRecords(
    request,
    rcode,
    extendedError === undefined ? options : { ...options, extendedError },
    limitBytes - bareBytes,
  )
  const trailerBytes = lengthOf(trailer)
  const writer = new MessageWriter(
    question?.wire ?? NO_OCTETS,
    question?.name,
    limitBytes - trailerBytes,
    // Answers have the class of the question, because class ANY is refused.
    question?.qclass,
  )
  const { counts, truncated } = writeSections(writer, reply)
  for (const record of trailer) writer.append(record)
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt16BE(request.id, 0)
  header.writeUInt16BE(flagsOf(request, reply, truncated) | (rcode & 0xf), 2)
  header.writeUInt16BE(question === undefined ? 0 : 1, 4)
  header.writeUInt16BE(counts.answer, 6)
  header.writeUInt16BE(counts.authority, 8)
  header.writeUInt16BE(counts.additional + trailer.length, 10)
  return { octets: writer.finish(header), truncated }
}

/**
 * The records at the end of the message, as far as they fit beside the question. TSIG is the last
 * record of a message (RFC 8945 §5.1). With a very long question in 512 octets there may not be
 * enough space for a very long key name, which leaves only the code, or for a long NSID. A cookie
 * always fits.
 */
function trailingRecords(
  { edns, tsigRefusal }: Request,
  rcode: number,
  options: AnswerOptions,
  roomBytes: number,
): Buffer[] {
  const tsig = rcode === RCODE.NOTAUTH && tsigRefusal !== undefined ? [tsigRefusal] : []
  const all = [...optWith(edns, rcode, options), ...tsig]
  if (lengthOf(all) <= roomBytes) return all
  const opt = optWith(edns, rcode, options)
  return lengthOf(opt) <= roomBytes ? opt : optWith(edns, rcode, { cookie: options.cookie })
}

function optWith(edns: Edns | undefined, rcode: number, options: AnswerOptions): Buffer[] {
  return edns === undefined ? [] : [optRecord(edns, rcode, options)]
}

function lengthOf(records: readonly Buffer[]): number {
  return records.reduce((sum, record) => sum + record.length, 0)
}

function writeSections(writer: MessageWriter, reply: Reply) {
  const counts = { answer: 0, authority: 0, additional: 0 }
  const writeAll = (section: keyof typeof counts, rrsets: readonly PlacedRRset[]): boolean =>
    rrsets.every((placed) => {
      const written = writer.add(placed)
      counts[section] += written
      return written > 0
    })
  const whole =
    writeAll('answer', reply.answer) &&
    writeAll('authority', reply.authority) &&
    writeAll('additional', reply.glue)
  if (whole) {
    for (const placed of reply.additional) counts.additional += writer.add(placed)
  }
  return { counts, truncated: !whole }
}

// RA stays clear because this server does not recurse. Z stays clear, and so does AD, which means
// validated data (RFC 6840 §5.8). RD and CD are copied from a query (RFC 1035 §4.1.1, RFC 4035
// §3.1.6). In messages of other opcodes the meaning of these bits is unknown (RFC 8906 §3.1.4).
function flagsOf(request: Request, reply: Reply, truncated: boolean): number {
  const isQuery = request.opcode === OPCODE_QUERY
  return (
    FLAG.QR |
    (request.opcode << OPCODE_SHIFT) |
    (reply.authoritative ? FLAG.AA : 0) |
    (truncated ? FLAG.TC : 0) |
    (isQuery && request.recursionDesired ? FLAG.RD : 0) |
    (isQuery && request.checkingDisabled ? FLAG.CD : 0)
  )
}
