/** The file ends early or has invalid contents. */
export class FormatError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'FormatError'
  }
}

const FIRST_ROOM_BYTES = 4096

/** Collects octets in network byte order. It grows as needed and can be reused after `take`. */
export class OctetWriter {
  #octets = Buffer.allocUnsafe(FIRST_ROOM_BYTES)
  #length = 0

  u8(value: number): void {
    this.#length = this.#room(1).writeUInt8(value, this.#length)
  }

  u16(value: number): void {
    this.#length = this.#room(2).writeUInt16BE(value, this.#length)
  }

  u32(value: number): void {
    this.#length = this.#room(4).writeUInt32BE(value, this.#length)
  }

  u64(value: bigint): void {
    this.#length = this.#room(8).writeBigUInt64BE(value, this.#length)
  }

  bytes(value: Uint8Array): void {
    this.#room(value.length).set(value, this.#length)
    this.#length += value.length
  }

  /** A short text such as an id, of at most 255 octets in UTF-8. */
  text(value: string): void {
    const octets = Buffer.from(value)
    this.u8(octets.length)
    this.bytes(octets)
  }

  /** The collected octets. Valid until the next write. */
  get octets(): Buffer {
    return this.#octets.subarray(0, this.#length)
  }

  /** Discards the collected octets. */
  clear(): void {
    this.#length = 0
  }

  /** A copy of the collected octets. The writer is empty afterwards. */
  take(): Buffer {
    const taken = Buffer.from(this.#octets.subarray(0, this.#length))
    this.#length = 0
    return taken
  }

  #room(bytes: number): Buffer {
    const needed = this.#length + bytes
    if (needed > this.#octets.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, this.#octets.length * 2))
      larger.set(this.#octets.subarray(0, this.#length))
      this.#octets = larger
    }
    return this.#octets
  }
}

/** Parses octets. Results are views of the same memory. */
export class OctetReader {
  readonly #octets: Buffer
  #at = 0

  constructor(octets: Buffer) {
    this.#octets = octets
  }

  get isAtEnd(): boolean {
    return this.#at === this.#octets.length
  }

  u8(): number {
    return this.#octets.readUInt8(this.#advance(1))
  }

  u16(): number {
    return this.#octets.readUInt16BE(this.#advance(2))
  }

  u32(): number {
    return this.#octets.readUInt32BE(this.#advance(4))
  }

  u64(): bigint {
    return this.#octets.readBigUInt64BE(this.#advance(8))
  }

  bytes(length: number): Buffer {
    const at = this.#advance(length)
    return this.#octets.subarray(at, at + length)
  }

  text(): string {
    return this.bytes(this.u8()).toString()
  }

  /** The remaining octets, without taking them. */
  rest(): Buffer {
    return this.#octets.subarray(this.#at)
  }

  /** @throws FormatError when there are fewer octets */
  #advance(bytes: number): number {
    const at = this.#at
    if (at + bytes > this.#octets.length) throw new FormatError('a record ends early')
    this.#at = at + bytes
    return at
  }
}
