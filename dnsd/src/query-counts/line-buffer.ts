/* The octets of lines, written piece by piece into memory that is used again. */
import { nameToText } from '../names/index.ts'

const START_OCTETS = 128 * 1024
// An octet of text takes at most three octets of UTF-8 for each UTF-16 unit.
const UTF8_LIMIT = 3
const DOT = 0x2e
const ZERO = 0x30
const COMMA = 0x2c
const OPENING = 0x7b
const CLOSING = 0x7d

/** The text of each octet of a label, and whether it is the octet itself. */
const TEXTS = Array.from({ length: 256 }, (_, octet) => nameToText(Uint8Array.of(1, octet, 0)))
const PLAIN = Uint8Array.from(TEXTS, (text) => (text.length === 1 ? 1 : 0))

/** Writes are not checked: call `reserve` before them. */
export class LineBuffer {
  #octets = Buffer.allocUnsafe(START_OCTETS)
  #end = 0

  get length(): number {
    return this.#end
  }

  /** What was written since the last `clear`, valid until the next write. */
  get octets(): Buffer {
    return this.#octets.subarray(0, this.#end)
  }

  clear(): void {
    this.#end = 0
  }

  /** Makes room for so many octets. */
  reserve(octets: number): void {
    if (this.#end + octets <= this.#octets.length) return
    const larger = Buffer.allocUnsafe(2 * (this.#end + octets))
    this.octets.copy(larger)
    this.#octets = larger
  }

  octet(octet: number): void {
    this.#octets[this.#end++] = octet
  }

  /** Octets of a constant text, which are faster than the text itself. */
  constant(octets: Uint8Array): void {
    const into = this.#octets
    const end = this.#end
    for (let at = 0; at < octets.length; at++) into[end + at] = octets[at] as number
    this.#end = end + octets.length
  }

  /** Any text. It reserves its own room. */
  text(text: string): void {
    this.reserve(UTF8_LIMIT * text.length)
    this.#end += this.#octets.write(text, this.#end)
  }

  /** A whole number from 0 on, in decimal: at most 16 octets. */
  number(number: number): void {
    if (number < 10) {
      this.#octets[this.#end++] = ZERO + number
      return
    }
    if (number > 0x7fff_ffff) {
      this.text(String(number))
      return
    }
    let digits = 2
    for (let power = 100; power <= number; power *= 10) digits += 1
    let rest = number | 0
    for (let at = this.#end + digits - 1; at >= this.#end; at--) {
      const tenth = (rest / 10) | 0
      this.#octets[at] = ZERO + rest - 10 * tenth
      rest = tenth
    }
    this.#end += digits
  }

  /** Some of these numbers as an array, in this order. */
  array(numbers: Float64Array, order: Uint8Array): void {
    let into = this.#octets
    let to = this.#end
    for (let index = 0; index < order.length; index++) {
      const number = numbers[order[index] as number] as number
      into[to++] = index === 0 ? OPENING : COMMA
      if (number < 10) {
        into[to++] = ZERO + number
        continue
      }
      this.#end = to
      this.number(number)
      to = this.#end
      into = this.#octets
    }
    into[to] = CLOSING
    this.#end = to + 1
  }

  /** The name in wire form at `start`, as `nameToText` writes it: at most four octets for each of its own. */
  name(wire: Uint8Array, start: number): void {
    const octets = this.#octets
    let to = this.#end
    let at = start
    if (wire[at] === 0) octets[to++] = DOT
    for (let length = wire[at] as number; length !== 0; length = wire[at] as number) {
      if (at > start) octets[to++] = DOT
      const next = at + 1 + length
      for (at += 1; at < next; at++) {
        const octet = wire[at] as number
        if (PLAIN[octet] === 1) octets[to++] = octet
        else to += octets.write(TEXTS[octet] as string, to, 'latin1')
      }
    }
    this.#end = to
  }
}
