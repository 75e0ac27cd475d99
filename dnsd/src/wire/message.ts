import { optRecord } from './edns.ts'
import { FLAG, HEADER_BYTES, OPCODE_SHIFT } from './header.ts'
import { MessageWriter } from './message-writer.ts'
import { RCODE } from './rcode.ts'
import type { PlacedRRset, Reply } from './reply.ts'
import type { Request } from './request.ts'

/** A reply in wire form, and whether TC says that there would be more. */
export interface Message {
  readonly octets: Buffer
  readonly truncated: boolean
}

const NO_OCTETS = Buffer.alloc(0)

/**
 * Writes the reply to a request in at most `limitBytes` octets.
 *
 * RRsets go in whole. TC is set when one of the answer, the authority section or the glue does not
 * fit, and nothing follows it then; other additional records are left out silently (RFC 2181 §9,
 * RFC 9471 §3.1). Room for OPT and TSIG is set aside first.
 */
export function writeMessage(request: Request, reply: Reply, limitBytes: number): Message {
  const rcode = RCODE[reply.rcode]
  const { question } = request
  const bareBytes = HEADER_BYTES + (question?.wire.length ?? 0)
  const trailer = trailingRecords(request, rcode, limitBytes - bareBytes)
  const trailerBytes = trailer.reduce((sum, record) => sum + record.length, 0)
  const writer = new MessageWriter(
    question?.wire ?? NO_OCTETS,
    question?.name,
    limitBytes - trailerBytes,
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

// TSIG is the last record of a message (RFC 8945 §5.1). Beside a very long question a very long key
// name has no place in 512 octets, and then the code alone has to do.
function trailingRecords(request: Request, rcode: number, roomBytes: number): Buffer[] {
  const { edns, tsigRefusal } = request
  const opt = edns === undefined ? [] : [optRecord(edns, rcode)]
  if (tsigRefusal === undefined || rcode !== RCODE.NOTAUTH) return opt
  const records = [...opt, tsigRefusal]
  return Buffer.concat(records).length <= roomBytes ? records : opt
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

// RA stays clear, this server does not recurse; so do Z and AD, which says that data was validated
// (RFC 6840 §5.8). RD and CD are copied (RFC 1035 §4.1.1, RFC 4035 §3.1.6).
function flagsOf(request: Request, reply: Reply, truncated: boolean): number {
  return (
    FLAG.QR |
    (request.opcode << OPCODE_SHIFT) |
    (reply.authoritative ? FLAG.AA : 0) |
    (truncated ? FLAG.TC : 0) |
    (request.recursionDesired ? FLAG.RD : 0) |
    (request.checkingDisabled ? FLAG.CD : 0)
  )
}
