const LENGTH_BYTES = 2
const NO_OCTETS = Buffer.alloc(0)

/**
 * Takes a TCP stream apart into messages, each preceded by its length in two octets (RFC 1035
 * §4.2.2). Chunks may hold many messages or one octet of one (RFC 7766 §8).
 */
export class FrameReader {
  #octets: Buffer = NO_OCTETS
  #start = 0
  #end = 0

  /** Whether a message or its length has been begun. */
  get hasUnread(): boolean {
    return this.#end > this.#start
  }

  /** Octets of memory that are kept for what is unread. */
  get heldBytes(): number {
    return this.#octets.length
  }

  push(chunk: Buffer): void {
    const unread = this.#end - this.#start
    if (unread === 0) {
      // As it is in most cases: whole messages, read where they lie.
      this.#octets = chunk
      this.#start = 0
      this.#end = chunk.length
      return
    }
    if (this.#end + chunk.length > this.#octets.length) this.#enlarge(unread, chunk.length)
    chunk.copy(this.#octets, this.#end)
    this.#end += chunk.length
  }

  /** The next whole message; it is a view that the next `push` may overwrite. */
  take(): Buffer | undefined {
    const unread = this.#end - this.#start
    if (unread < LENGTH_BYTES) return undefined
    const messageBytes = this.#octets.readUInt16BE(this.#start)
    if (unread < LENGTH_BYTES + messageBytes) return undefined
    const from = this.#start + LENGTH_BYTES
    this.#start = from + messageBytes
    const message = this.#octets.subarray(from, this.#start)
    // Whoever asks nothing more for a while does not keep what was asked.
    if (this.#start === this.#end) this.#clear()
    return message
  }

  #clear(): void {
    this.#octets = NO_OCTETS
    this.#start = 0
    this.#end = 0
  }

  // Doubled each time: a message that comes octet by octet is copied a few times, not each time.
  #enlarge(unread: number, moreBytes: number): void {
    const larger = Buffer.allocUnsafe(Math.max(2 * unread, unread + moreBytes))
    this.#octets.copy(larger, 0, this.#start, this.#end)
    this.#octets = larger
    this.#start = 0
    this.#end = unread
  }
}
