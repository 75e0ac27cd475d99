/*
 * A type's RDATA is a list of fields in wire order, and its text is the same list in the same order, so one description of
 * the fields serves both ways. `layouts.ts` holds those lists.
 */
import type { Token } from '../token.ts'
import { RdataError } from './rdata-error.ts'

export interface RdataField {
  /** What the type's specification calls it; messages begin with it. */
  readonly label: string
  /** Whether the field is a domain name, which then is never compressed here. */
  readonly isName?: true
  /** Takes its words and gives the octets. Throws RdataError, NameError or AddressError. */
  parse(words: Words, origin: Uint8Array | undefined): Uint8Array
  /** Where the field that begins at `start` ends. Throws RdataError or NameError when it does not fit. */
  end(wire: Buffer, start: number): number
  /** Its octets as text. Throws RdataError for octets that no text may stand for. */
  print(octets: Buffer): string
}

/** The words of one record's RDATA, taken from the left. */
export class Words {
  readonly #tokens: readonly Token[]
  #at = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  /** The next word, which stays the next. @throws RdataError when none is left */
  peek(): Token {
    const token = this.#tokens[this.#at]
    if (token === undefined) throw new RdataError('missing')
    return token
  }

  /** @throws RdataError when no word is left */
  next(): Token {
    const token = this.peek()
    this.#at += 1
    return token
  }

  /** All that are left, at least one. @throws RdataError */
  rest(): Token[] {
    return [this.next(), ...this.optionalRest()]
  }

  /** All that are left, perhaps none. */
  optionalRest(): Token[] {
    const rest = this.#tokens.slice(this.#at)
    this.#at = this.#tokens.length
    return rest
  }
}

/** The end of a field of fixed size. @throws RdataError when the RDATA ends before */
export function fixedEnd(wire: Buffer, start: number, octets: number): number {
  const end = start + octets
  if (end > wire.length) throw new RdataError('the RDATA ends before it')
  return end
}
