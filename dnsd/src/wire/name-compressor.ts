import { nameKey } from '../names/index.ts'

// A pointer has 14 bits for its target (RFC 1035 §4.1.4).
const MAX_POINTER_TARGET = 0x3fff
const POINTER_BITS = 0xc000

/**
 * Writes compressed names into a message: the new labels, then a pointer to the part that the
 * message already has (RFC 1035 §4.1.4). The comparison ignores letter case, so a client that mixes
 * the case of its question does not get longer answers.
 */
export class NameCompressor {
  readonly #message: Buffer
  readonly #offsets = new Map<string, number>()
  /** The keys in the order in which they were added, which is also the order of their offsets. */
  readonly #keys: string[] = []
  readonly #question: Uint8Array | undefined
  readonly #questionAt: number
  #questionIsKnown = false

  /**
   * @param message the buffer for the names
   * @param question the name that is already at `questionAt`, if any
   */
  constructor(message: Buffer, question: Uint8Array | undefined, questionAt: number) {
    this.#message = message
    this.#question = question
    this.#questionAt = questionAt
  }

  /**
   * Writes a name and returns the position after it. The message must have 255 free octets there.
   */
  write(name: Uint8Array, position: number): number {
    // Most owners are the question's name. They need no key.
    if (name === this.#question && name.length > 1)
      return this.#writePointer(this.#questionAt, position)
    this.#learnQuestion()
    const key = nameKey(name)
    let at = 0
    let end = position
    while ((name[at] ?? 0) > 0) {
      const suffix = key.slice(at)
      const offset = this.#offsets.get(suffix)
      if (offset !== undefined) return this.#writePointer(offset, end)
      this.#learn(suffix, end)
      const next = at + 1 + (name[at] ?? 0)
      this.#message.set(name.subarray(at, next), end)
      end += next - at
      at = next
    }
    this.#message[end] = 0
    return end + 1
  }

  /** Removes the names at or after `position`, which will be overwritten. */
  rewind(position: number): void {
    for (let key = this.#keys.at(-1); key !== undefined; key = this.#keys.at(-1)) {
      if ((this.#offsets.get(key) ?? 0) < position) return
      this.#offsets.delete(key)
      this.#keys.pop()
    }
  }

  #learnQuestion(): void {
    if (this.#questionIsKnown || this.#question === undefined) return
    this.#questionIsKnown = true
    const key = nameKey(this.#question)
    for (let at = 0; key.charCodeAt(at) > 0; at += 1 + key.charCodeAt(at)) {
      this.#learn(key.slice(at), this.#questionAt + at)
    }
  }

  #learn(key: string, offset: number): void {
    if (offset > MAX_POINTER_TARGET) return
    this.#offsets.set(key, offset)
    this.#keys.push(key)
  }

  #writePointer(target: number, position: number): number {
    return this.#message.writeUInt16BE(POINTER_BITS | target, position)
  }
}
