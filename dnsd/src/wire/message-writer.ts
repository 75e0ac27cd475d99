import { embeddedNames, TYPE } from '../names/index.ts'
import { HEADER_BYTES, MAX_MESSAGE_BYTES } from './header.ts'
import { NameCompressor } from './name-compressor.ts'
import type { PlacedRRset } from './reply.ts'

// RFC 3597 §4: names in RDATA may only be compressed in the types of RFC 1035, because software
// that does not know other types must be able to read them.
const COMPRESSIBLE = new Set<number>([TYPE.NS, TYPE.CNAME, TYPE.SOA, TYPE.PTR, TYPE.MX])

const CLASS_IN = 1
const MAX_RECORD_BYTES = 255 + 10 + 65_535

// Messages are written here and copied out. There is space for one record beyond the limit, so a
// record is written first and removed if it does not fit, instead of being measured before.
const scratch = Buffer.allocUnsafe(MAX_MESSAGE_BYTES + MAX_RECORD_BYTES)

/** Writes the records of one message. Only one writer is in use at a time: they share a buffer. */
export class MessageWriter {
  readonly #rclass: number
  readonly #limitBytes: number
  readonly #names: NameCompressor
  #position: number

  /**
   * @param question all octets of the question, echoed unchanged; empty without a question
   * @param name the question's name; owners that are the same object become pointers to it
   * @param limitBytes the limit of the message before `finish`
   * @param rclass the class of all records
   */
  constructor(
    question: Uint8Array,
    name: Uint8Array | undefined,
    limitBytes: number,
    rclass: number = CLASS_IN,
  ) {
    scratch.set(question, HEADER_BYTES)
    this.#position = HEADER_BYTES + question.length
    this.#rclass = rclass
    this.#limitBytes = limitBytes
    this.#names = new NameCompressor(scratch, name, HEADER_BYTES)
  }

  /**
   * Writes a complete RRset, or nothing when it does not fit.
   *
   * @returns the number of records written
   */
  add({ owner, rrset }: PlacedRRset): number {
    const start = this.#position
    for (const rdata of rrset.rdata) {
      this.#position = this.#names.write(owner, this.#position)
      this.#position = scratch.writeUInt16BE(rrset.type, this.#position)
      this.#position = scratch.writeUInt16BE(this.#rclass, this.#position)
      this.#position = scratch.writeUInt32BE(rrset.ttlSeconds, this.#position)
      this.#writeRdata(rrset.type, rdata)
      if (this.#position > this.#limitBytes) {
        this.#position = start
        this.#names.rewind(start)
        return 0
      }
    }
    return rrset.rdata.length
  }

  /** Appends a record, for which space was reserved, unchanged. */
  append(record: Uint8Array): void {
    scratch.set(record, this.#position)
    this.#position += record.length
  }

  /** A copy of the message. */
  finish(header: Uint8Array): Buffer {
    scratch.set(header, 0)
    return Buffer.from(scratch.subarray(0, this.#position))
  }

  #writeRdata(type: number, rdata: Uint8Array): void {
    const lengthAt = this.#position
    this.#position += 2
    let done = 0
    if (COMPRESSIBLE.has(type)) {
      for (const { offset, length } of embeddedNames(type, rdata)) {
        this.append(rdata.subarray(done, offset))
        this.#position = this.#names.write(rdata.subarray(offset, offset + length), this.#position)
        done = offset + length
      }
    }
    this.append(rdata.subarray(done))
    scratch.writeUInt16BE(this.#position - lengthAt - 2, lengthAt)
  }
}
