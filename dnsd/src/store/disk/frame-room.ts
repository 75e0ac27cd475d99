import type { FileHandle } from './files.ts'

/** Length and checksum before each entry. */
export const FRAME_BYTES = 8
/** Far above any change set (500 names and what hangs on them) and any piece of a snapshot. */
export const ENTRY_LIMIT_BYTES = 256 * 1024 * 1024

/** How many octets the first frame takes, or 0 when that is not known or not to be believed. */
export function frameLength(octets: Buffer): number {
  if (octets.length < FRAME_BYTES) return 0
  const length = octets.readUInt32BE(0)
  return length > ENTRY_LIMIT_BYTES ? 0 : FRAME_BYTES + length
}

/**
 * What of a file is read and not taken yet. It is one room for the whole file, as large as its largest
 * entry: a buffer for each piece would be freed only when there are many, and the memory kept.
 */
export class FrameRoom {
  #octets: Buffer
  #length = 0

  constructor(bytes: number) {
    this.#octets = Buffer.allocUnsafeSlow(bytes)
  }

  /** Good until `readMore` or `take`. */
  get unread(): Buffer {
    return this.#octets.subarray(0, this.#length)
  }

  /**
   * Reads what follows, at least as much as the first frame needs if the file gives it at once.
   *
   * @param atBytes where what is unread begins in the file
   * @returns false at the end of the file
   */
  async readMore(file: FileHandle, atBytes: number): Promise<boolean> {
    const frameBytes = frameLength(this.unread)
    if (frameBytes > this.#octets.length) this.#enlarge(frameBytes)
    const free = this.#octets.length - this.#length
    const { bytesRead } = await file.read(this.#octets, this.#length, free, atBytes + this.#length)
    this.#length += bytesRead
    return bytesRead > 0
  }

  /** Forgets octets from the front. */
  take(bytes: number): void {
    this.#octets.copyWithin(0, bytes, this.#length)
    this.#length -= bytes
  }

  #enlarge(bytes: number): void {
    const larger = Buffer.allocUnsafeSlow(bytes)
    this.#octets.copy(larger, 0, 0, this.#length)
    this.#octets = larger
  }
}
