import { WorkSlice } from '../store/work-slice.ts'
import { optRecord } from '../wire/edns.ts'
import { FLAG, HEADER_BYTES, MAX_MESSAGE_BYTES } from '../wire/header.ts'
import type { PlacedRRset, Request } from '../wire/index.ts'
import { MessageWriter } from '../wire/message-writer.ts'

// Compression pointers cannot reach names far into a message (RFC 1035 §4.1.4), so messages of 64 KiB would not save
// octets in total and would take longer to make in one step. The limit applies before compression; the sent message
// is usually smaller than 16 KiB.
const UNCOMPRESSED_BYTES = 20 * 1024

const NO_OCTETS = Buffer.alloc(0)
const NOERROR = 0

/** A record that does not fit into any message. */
class RecordTooLarge extends Error {}

/**
 * Packs records into as many messages as needed (RFC 5936 §2.2). Each is made on demand, and other work runs in
 * between. RRsets may be split; the client joins them again.
 *
 * @param parts records in order; each part begins its own message
 * @param roomBytes reserved in each message for what is added afterwards
 * @throws RecordTooLarge
 */
export async function* packedMessages(
  request: Request,
  parts: AsyncIterable<Iterable<PlacedRRset>>,
  roomBytes: number,
): AsyncGenerator<Buffer> {
  const slice = new WorkSlice()
  let isFirst = true
  for await (const part of parts) {
    const records = new SplitRecords(part)
    for (let next = records.take(); next !== undefined;) {
      const message = new TransferMessage(request, isFirst, MAX_MESSAGE_BYTES - roomBytes)
      while (next !== undefined && message.uncompressedBytes < UNCOMPRESSED_BYTES) {
        if (message.add(next)) next = records.take()
        else if (message.isEmpty) next = records.split(next)
        else break
      }
      isFirst = false
      yield message.finish()
      if (slice.isOver) await slice.rest()
    }
  }
}

/** Gives records one RRset at a time, or one record at a time when the RRset is too large. */
class SplitRecords {
  readonly #records: Iterator<PlacedRRset>
  #pieces: PlacedRRset[] = []

  constructor(records: Iterable<PlacedRRset>) {
    this.#records = records[Symbol.iterator]()
  }

  take(): PlacedRRset | undefined {
    const piece = this.#pieces.pop()
    if (piece !== undefined) return piece
    const next = this.#records.next()
    return next.done === true ? undefined : next.value
  }

  /** @returns the first of its records; the others follow */
  split({ owner, rrset }: PlacedRRset): PlacedRRset | undefined {
    if (rrset.rdata.length < 2) {
      throw new RecordTooLarge(`a record of type ${rrset.type} is too large for a message`)
    }
    this.#pieces = rrset.rdata
      .map((rdata) => ({ owner, rrset: { ...rrset, rdata: [rdata] } }))
      .toReversed()
    return this.take()
  }
}

/** One message of a transfer. Do not await between its first record and `finish`, because writers share a buffer. */
class TransferMessage {
  uncompressedBytes = 0
  readonly #request: Request
  readonly #opt: Buffer
  readonly #hasQuestion: boolean
  readonly #writer: MessageWriter
  #count = 0

  // RFC 5936 §2.2.1: the first message has the question. §2.2.5: OPT is included if the client sent it.
  constructor(request: Request, hasQuestion: boolean, limitBytes: number) {
    const { question, edns } = request
    this.#request = request
    this.#hasQuestion = hasQuestion
    this.#opt = edns === undefined ? NO_OCTETS : optRecord(edns, NOERROR)
    this.#writer = new MessageWriter(
      hasQuestion ? (question?.wire ?? NO_OCTETS) : NO_OCTETS,
      hasQuestion ? question?.name : undefined,
      limitBytes - this.#opt.length,
    )
  }

  get isEmpty(): boolean {
    return this.#count === 0
  }

  /** @returns whether it fitted */
  add(placed: PlacedRRset): boolean {
    const added = this.#writer.add(placed)
    this.#count += added
    for (const rdata of placed.rrset.rdata) {
      this.uncompressedBytes += placed.owner.length + 10 + rdata.length
    }
    return added > 0
  }

  finish(): Buffer {
    const { id, recursionDesired } = this.#request
    const hasOpt = this.#opt.length > 0
    if (hasOpt) this.#writer.append(this.#opt)
    const header = Buffer.alloc(HEADER_BYTES)
    header.writeUInt16BE(id, 0)
    header.writeUInt16BE(FLAG.QR | FLAG.AA | (recursionDesired ? FLAG.RD : 0), 2)
    header.writeUInt16BE(this.#hasQuestion ? 1 : 0, 4)
    header.writeUInt16BE(this.#count, 6)
    header.writeUInt16BE(hasOpt ? 1 : 0, 10)
    return this.#writer.finish(header)
  }
}
