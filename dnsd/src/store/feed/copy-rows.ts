/*
 * Rows of `COPY … TO STDOUT (FORMAT binary)`. This format needs no unescaping and has no ambiguous text.
 * It is the same in all versions of PostgreSQL: a header, then for each row the number of fields and each
 * field's length (-1 for null) and octets, then -1 (PostgreSQL documentation, "COPY", "Binary Format").
 */
import type { RRsetRow } from './served-rows.ts'

/** One row of the view `dns_record`. Without `set` the name exists and has no data. */
export interface RecordRow {
  readonly owner: string
  readonly set: RRsetRow | undefined
}

const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1')
const FIELDS = 4
const NULL = -1
const TRAILER = -1

/** The stream is not a COPY of `owner, type, ttl, rdata`. */
export class CopyFormatError extends Error {
  constructor(message: string) {
    super(`COPY: ${message}`)
    this.name = 'CopyFormatError'
  }
}

/**
 * Takes the stream in pieces and returns the positions of complete rows, because most rows are small and
 * there may be a million of them. `readRow` parses a row.
 */
export class CopyRows {
  #unread: Buffer = Buffer.alloc(0)
  /** The offset of the next row in it. */
  #at = 0
  #hasHeader = false
  #isOver = false

  /** Whether the trailer was received: without it, rows are missing. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** The buffer of the rows. Valid until the next piece. */
  get octets(): Buffer {
    return this.#unread
  }

  /** Takes the next piece. All complete rows must have been read before. */
  push(piece: Buffer): void {
    const rest = this.#unread.subarray(this.#at)
    this.#unread = rest.length === 0 ? piece : Buffer.concat([rest, piece])
    this.#at = 0
  }

  /**
   * @returns the offset of the next row in `octets`, -1 when it is not complete
   * @throws CopyFormatError
   */
  next(): number {
    if (!this.#hasHeader && !this.#takeHeader()) return -1
    const start = this.#at
    const end = this.#rowEnd(start)
    if (end === undefined) return -1
    this.#at = end
    return start
  }

  #takeHeader(): boolean {
    const fixedBytes = SIGNATURE.length + 8
    if (this.#unread.length < fixedBytes) return false
    if (!this.#unread.subarray(0, SIGNATURE.length).equals(SIGNATURE)) {
      throw new CopyFormatError('the signature is missing')
    }
    const extensionBytes = this.#unread.readInt32BE(SIGNATURE.length + 4)
    if (this.#unread.length < fixedBytes + extensionBytes) return false
    this.#at = fixedBytes + extensionBytes
    this.#hasHeader = true
    return true
  }

  /** The end of the row at `start`; undefined when it is incomplete or missing. */
  #rowEnd(start: number): number | undefined {
    const octets = this.#unread
    if (this.#isOver || octets.length - start < 2) return undefined
    const fields = octets.readInt16BE(start)
    if (fields === TRAILER) {
      this.#isOver = true
      return undefined
    }
    if (fields !== FIELDS) throw new CopyFormatError(`a row has ${fields} fields`)
    let at = start + 2
    for (let field = 0; field < FIELDS; field++) {
      if (octets.length - at < 4) return undefined
      at += 4 + Math.max(0, octets.readInt32BE(at))
    }
    return at <= octets.length ? at : undefined
  }
}

/** Parses the row that begins at `start`. @throws CopyFormatError */
export function readRow(octets: Buffer, start: number): RecordRow {
  let at = start + 2
  const field = (): Buffer | undefined => {
    const length = octets.readInt32BE(at)
    at += 4
    if (length === NULL) return undefined
    at += length
    return octets.subarray(at - length, at)
  }
  const owner = field()
  const type = field()
  const ttl = field()
  const rdata = field()
  if (owner === undefined) throw new CopyFormatError('a row has no owner name')
  if (type === undefined || ttl === undefined || rdata === undefined) {
    return { owner: owner.toString(), set: undefined }
  }
  const set = { type: type.toString('latin1'), ttl: ttl.readInt32BE(0), rdata: textArray(rdata) }
  return { owner: owner.toString(), set }
}

// The format of a one-dimensional array: number of dimensions, whether there are nulls, type of the
// elements, then length and lower bound of the dimension, then each element with its length.
function textArray(octets: Buffer): string[] {
  if (octets.readInt32BE(0) === 0) return []
  if (octets.readInt32BE(0) !== 1) throw new CopyFormatError('RDATA is not a simple array')
  const count = octets.readInt32BE(12)
  const texts: string[] = []
  for (let at = 20; texts.length < count;) {
    const length = octets.readInt32BE(at)
    at += 4
    if (length !== NULL) texts.push(octets.toString('utf8', at, at + length))
    else texts.push('')
    at += Math.max(0, length)
  }
  return texts
}
