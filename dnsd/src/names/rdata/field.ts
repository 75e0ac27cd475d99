/*
 * A type's RDATA is a list of fields in wire order, and its text is the same list in the same order, so one description of
 * the fields works in both directions. `layouts.ts` has those lists.
 */
import type { Token } from '../token.ts'
import { RdataError } from './rdata-error.ts'

export interface RdataField {
  /** The field's name in the specification of the type. Messages begin with it. */
  readonly label: string
  /** Whether the field is a domain name, which is never compressed here. */
  readonly isName?: true
  /** Takes the words of the field and returns its octets. Throws RdataError, NameError or AddressError. */
  parse(words: Words, origin: Uint8Array | undefined): Uint8Array
  /** The end of the field that begins at `start`. Throws RdataError or NameError when it does not fit. */
  end(wire: Buffer, start: number): number
  /** The octets as text. Throws RdataError for octets that have no valid text. */
  print(octets: Buffer): string
}

/** The words of one record's RDATA, taken from the left. */
export class Words {
  readonly #tokens: readonly Token[]
  #at = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  /** The next word, without taking it. @throws RdataError when no words are left */
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

  /** All remaining words, at least one. @throws RdataError */
  rest(): Token[] {
    return [this.next(), ...this.optionalRest()]
  }

  /** All remaining words. There may be none. */
  optionalRest(): Token[] {
    const rest = this.#tokens.slice(this.#at)
    this.#at = this.#tokens.length
    return rest
  }
}

/** The end of a field of fixed size. @throws RdataError when the RDATA ends earlier */
export function fixedEnd(wire: Buffer, start: number, octets: number): number {
  const end = start + octets
  if (end > wire.length) throw new RdataError('the RDATA ends before it')
  return end
}
