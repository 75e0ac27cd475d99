const LENGTH_BYTES = 2
const NO_OCTETS = Buffer.alloc(0)

/**
 * Splits a TCP stream into messages, each preceded by its length in two octets (RFC 1035 §4.2.2).
 * Chunks may hold many messages or one octet of one (RFC 7766 §8).
 */
export class FrameReader {
  #octets: Buffer = NO_OCTETS
  #start = 0
  #end = 0

  /** Whether part of a message or of its length field is unread. */
  get hasUnread(): boolean {
    return this.#end > this.#start
  }

  /** Memory held for unread data, in octets. */
  get heldBytes(): number {
    return this.#octets.length
  }

  push(chunk: Buffer): void {
    const unread = this.#end - this.#start
    if (unread === 0) {
      // The common case: whole messages, read in place.
      this.#octets = chunk
      this.#start = 0
      this.#end = chunk.length
      return
    }
    if (this.#end + chunk.length > this.#octets.length) this.#enlarge(unread, chunk.length)
    chunk.copy(this.#octets, this.#end)
    this.#end += chunk.length
  }

  /** The next whole message; a view that the next `push` may overwrite. */
  take(): Buffer | undefined {
    const unread = this.#end - this.#start
    if (unread < LENGTH_BYTES) return undefined
    const messageBytes = this.#octets.readUInt16BE(this.#start)
    if (unread < LENGTH_BYTES + messageBytes) return undefined
    const from = this.#start + LENGTH_BYTES
    this.#start = from + messageBytes
    const message = this.#octets.subarray(from, this.#start)
    // An idle connection does not keep its last request in memory.
    if (this.#start === this.#end) this.#clear()
    return message
  }

  #clear(): void {
    this.#octets = NO_OCTETS
    this.#start = 0
    this.#end = 0
  }

  // The buffer doubles each time, so that a message that arrives octet by octet is copied only a
  // few times.
  #enlarge(unread: number, moreBytes: number): void {
    const larger = Buffer.allocUnsafe(Math.max(2 * unread, unread + moreBytes))
    this.#octets.copy(larger, 0, this.#start, this.#end)
    this.#octets = larger
    this.#start = 0
    this.#end = unread
  }
}
