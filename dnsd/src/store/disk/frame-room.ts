import type { FileHandle } from './files.ts'

/** Length and checksum before each entry. */
export const FRAME_BYTES = 8
/** Far above the size of any change set (500 names with their data) and any piece of a snapshot. */
export const ENTRY_LIMIT_BYTES = 256 * 1024 * 1024

/** The size of the first frame, or 0 when it is unknown or implausible. */
export function frameLength(octets: Buffer): number {
  if (octets.length < FRAME_BYTES) return 0
  const length = octets.readUInt32BE(0)
  return length > ENTRY_LIMIT_BYTES ? 0 : FRAME_BYTES + length
}

/**
 * The octets of a file that were read and not taken yet. One buffer serves the whole file and is as
 * large as its largest entry. Separate buffers for each piece would only be freed after many of them,
 * and use more memory.
 */
export class FrameRoom {
  #octets: Buffer
  #length = 0

  constructor(bytes: number) {
    this.#octets = Buffer.allocUnsafeSlow(bytes)
  }

  /** Valid until `readMore` or `take`. */
  get unread(): Buffer {
    return this.#octets.subarray(0, this.#length)
  }

  /**
   * Reads more octets, at least as many as the first frame needs if one read returns them.
   *
   * @param atBytes the offset of the unread part of the file
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

  /** Removes octets from the front. */
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
