/*
 * Interprets the entries of a master file (RFC 1035 §5.1): records, and directives that change how later entries are read.
 *
 * The reader keeps the values that entries may omit: the origin, the owner and TTL of the previous record, and the TTL of
 * $TTL.
 */
import { AddressError } from '../address.ts'
import { NameError } from '../name-error.ts'
import { nameFromText } from '../name-text.ts'
import { quoted } from '../octet-text.ts'
import { rdataFromTokens } from '../rdata.ts'
import { RdataError } from '../rdata/rdata-error.ts'
import { RecordTypeError, typeFromText } from '../record-type.ts'
import type { Token } from '../token.ts'
import { TTL_LIMIT_SECONDS, ttlFromText } from '../ttl.ts'

/** One record of a master file; `line` is the first line of its entry, counted from 1. */
export interface MasterRecord {
  readonly line: number
  readonly owner: Buffer
  readonly ttlSeconds: number
  readonly type: number
  readonly rdata: Buffer
}

/** An error in one entry, as a sentence. */
export interface MasterFileProblem {
  readonly line: number
  readonly message: string
}

export interface MasterFileOptions {
  /** The zone's name: the origin until a $ORIGIN changes it. */
  readonly origin: Uint8Array
  /**
   * The TTL for records without one when neither $TTL nor an earlier record has one. Without it, such a record is a
   * problem.
   */
  readonly defaultTtlSeconds?: number
}

class EntryError extends Error {}

function isExpected(error: unknown): error is Error {
  return [EntryError, RdataError, NameError, AddressError, RecordTypeError].some(
    (kind) => error instanceof kind,
  )
}

function ttlOf(text: string): number {
  const seconds = ttlFromText(text)
  if (seconds !== undefined) return seconds
  throw new EntryError(
    `${quoted(text)} is not a TTL: expected seconds up to ${TTL_LIMIT_SECONDS}, or a span such as 1h30m.`,
  )
}

function requireInternet(text: string): void {
  const upper = text.toUpperCase()
  if (upper !== 'IN' && upper !== 'CLASS1')
    throw new EntryError(`Class ${upper} is not served: the only class is IN.`)
}

const CLASS = /^(?:IN|CH|CS|HS|CLASS\d{1,5})$/i

interface Head {
  readonly ttlSeconds: number | undefined
  readonly type: number
  /** The number of tokens before the RDATA. */
  readonly length: number
}

// RFC 1035 §5.1: TTL and class are optional and come in either order before the type. A TTL begins with a digit, which
// neither a class nor a type does.
function readHead(tokens: readonly Token[], start: number): Head {
  let ttlSeconds: number | undefined
  let hasClass = false
  for (let at = start; ; at++) {
    const token = tokens[at]
    if (token === undefined) throw new EntryError('The record has no type.')
    const { text } = token
    if (token.quoted)
      throw new EntryError(`Expected a record type, found the quoted string ${quoted(text)}.`)
    const code = text.charCodeAt(0)
    if (code >= 0x30 && code <= 0x39) {
      if (ttlSeconds !== undefined) throw new EntryError('The record has two TTLs.')
      ttlSeconds = ttlOf(text)
    } else if (text === 'IN' || CLASS.test(text)) {
      if (hasClass) throw new EntryError('The record has two classes.')
      requireInternet(text)
      hasClass = true
    } else {
      return { ttlSeconds, type: typeFromText(text), length: at + 1 }
    }
  }
}

export class RecordReader {
  #origin: Uint8Array
  #owner: Buffer | undefined
  #directiveTtlSeconds: number | undefined
  #lastTtlSeconds: number | undefined
  readonly #defaultTtlSeconds: number | undefined

  constructor({ origin, defaultTtlSeconds }: MasterFileOptions) {
    this.#origin = origin
    this.#defaultTtlSeconds = defaultTtlSeconds
  }

  /**
   * Reads one entry that begins at `line`.
   *
   * @param sameOwner whether the entry begins with white space and so has the owner of the previous record
   * @returns nothing for a valid directive
   */
  read(
    tokens: readonly Token[],
    sameOwner: boolean,
    line: number,
  ): MasterRecord | MasterFileProblem | undefined {
    try {
      const first = tokens[0]
      if (!sameOwner && first?.quoted === false && first.text.startsWith('$')) {
        this.#obey(first.text, tokens)
        return undefined
      }
      return this.#record(tokens, sameOwner, line)
    } catch (error) {
      if (isExpected(error)) return { line, message: error.message }
      throw error
    }
  }

  /** Clears the owner after an invalid entry, so that the next entry does not inherit a wrong owner. */
  forgetOwner(): void {
    this.#owner = undefined
  }

  #record(tokens: readonly Token[], sameOwner: boolean, line: number): MasterRecord {
    const owner = sameOwner ? this.#lastOwner() : this.#readOwner(tokens[0])
    const { ttlSeconds: written, type, length } = readHead(tokens, sameOwner ? 0 : 1)
    if (written !== undefined) this.#lastTtlSeconds = written
    const ttlSeconds = written ?? this.#impliedTtl()
    const rdata = rdataFromTokens(type, tokens.slice(length), this.#origin)
    return { line, owner, ttlSeconds, type, rdata }
  }

  #lastOwner(): Buffer {
    if (this.#owner !== undefined) return this.#owner
    throw new EntryError('The line begins with white space, but no earlier line has an owner name.')
  }

  #readOwner(token: Token | undefined): Buffer {
    this.#owner = undefined
    if (token === undefined || token.quoted) throw new EntryError('The owner name is in quotes.')
    this.#owner = nameFromText(token.text, this.#origin)
    return this.#owner
  }

  // RFC 2308 §4: $TTL is the default of all records after it. Without $TTL, the last TTL in the file is the default (RFC
  // 1035 §5.1).
  #impliedTtl(): number {
    const seconds = this.#directiveTtlSeconds ?? this.#lastTtlSeconds ?? this.#defaultTtlSeconds
    if (seconds !== undefined) return seconds
    throw new EntryError('The record has no TTL: write one, or begin the file with $TTL.')
  }

  #obey(directive: string, tokens: readonly Token[]): void {
    const value = tokens[1]
    const name = directive.toUpperCase()
    if (name === '$INCLUDE')
      throw new EntryError('$INCLUDE is not followed: put the records into this file.')
    if (name !== '$ORIGIN' && name !== '$TTL') {
      throw new EntryError(`${quoted(directive)} is not a directive: expected $ORIGIN or $TTL.`)
    }
    if (value === undefined || value.quoted || tokens.length > 2) {
      throw new EntryError(`${name} takes one ${name === '$TTL' ? 'span of time' : 'name'}.`)
    }
    if (name === '$TTL') this.#directiveTtlSeconds = ttlOf(value.text)
    else this.#origin = nameFromText(value.text, this.#origin)
  }
}
