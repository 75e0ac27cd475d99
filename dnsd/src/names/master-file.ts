/*
 * Master files (RFC 1035 §5): zones as text.
 *
 * The parser takes chunks and returns the items that they complete, so a file of any size needs only the memory of one
 * entry. Lines become tokens (token.ts). The tokens of one entry, which parentheses may spread over many lines, become
 * a record or a change of state (record-reader.ts). An error is a result like any other: it is returned with its line
 * and parsing continues, because a user who fixes a file wants all of its errors at once. The caller decides whether to
 * use a file with errors, and whether a record belongs to the zone.
 */
import { ENTRY_LIMIT_CHARACTERS, LineSplitter } from './master-file/line-splitter.ts'
import {
  type MasterFileOptions,
  type MasterFileProblem,
  type MasterRecord,
  RecordReader,
} from './master-file/record-reader.ts'
import { nameToText } from './name-text.ts'
import { rdataToText } from './rdata.ts'
import { typeToText } from './record-type.ts'
import { beginsBlank, type Entry, scanLine } from './token.ts'

export type MasterFileItem = MasterRecord | MasterFileProblem

/** Whether an item is a problem and not a record. */
export function isProblem(item: MasterFileItem): item is MasterFileProblem {
  return 'message' in item
}

const TOO_LONG = `An entry is longer than ${ENTRY_LIMIT_CHARACTERS} characters.`

// After an error the rest of the line is not parsed. A parenthesis at its end most likely closed the entry.
const CLOSES_ENTRY = /\)\s*(?:;.*)?$/s

/** Reads a master file chunk by chunk. One parser reads one file. */
export class MasterFileParser {
  readonly #reader: RecordReader
  readonly #splitter = new LineSplitter((line) => this.#takeLine(line))
  #items: MasterFileItem[] = []
  #line = 0
  #entry: Entry = { tokens: [], depth: 0 }
  #entryLine = 0
  #entryLength = 0
  #sameOwner = false
  #isBroken = false

  constructor(options: MasterFileOptions) {
    this.#reader = new RecordReader(options)
  }

  /**
   * Takes the next part of the file. It may be cut anywhere.
   *
   * @param chunk octets, or a string that is encoded as UTF-8
   * @returns the records and problems that it completes, in the order of the file
   */
  push(chunk: Uint8Array | string): MasterFileItem[] {
    this.#splitter.push(chunk)
    return this.#taken()
  }

  /** Ends the file, and returns the remaining items. */
  end(): MasterFileItem[] {
    this.#splitter.end()
    if (this.#entry.depth > 0) {
      this.#report(
        this.#entryLine,
        'A parenthesis that is opened in this entry is not closed before the end of the file.',
      )
    }
    return this.#taken()
  }

  #taken(): MasterFileItem[] {
    const items = this.#items
    this.#items = []
    return items
  }

  #report(line: number, message: string): void {
    this.#isBroken = true
    this.#items.push({ line, message })
  }

  #takeLine(line: string | undefined): void {
    this.#line += 1
    if (this.#entry.depth === 0) this.#beginEntry(line ?? '')
    this.#entryLength += line?.length ?? 0
    if (line === undefined || this.#entryLength > ENTRY_LIMIT_CHARACTERS) {
      this.#report(this.#entryLine, TOO_LONG)
      this.#entry.depth = 0
    } else {
      this.#scan(line)
    }
    if (this.#entry.depth === 0) this.#finishEntry()
  }

  #beginEntry(line: string): void {
    this.#entry = { tokens: [], depth: 0 }
    this.#entryLine = this.#line
    this.#entryLength = 0
    this.#sameOwner = beginsBlank(line)
    this.#isBroken = false
  }

  #scan(line: string): void {
    const fault = scanLine(line, this.#entry)
    if (fault === undefined) return
    this.#report(this.#line, fault)
    if (CLOSES_ENTRY.test(line)) this.#entry.depth = 0
  }

  #finishEntry(): void {
    if (this.#isBroken) {
      this.#reader.forgetOwner()
      return
    }
    if (this.#entry.tokens.length === 0) return
    const item = this.#reader.read(this.#entry.tokens, this.#sameOwner, this.#entryLine)
    if (item !== undefined) this.#items.push(item)
  }
}

// A complete text is read in parts, so that not all of its records are in memory before the first is used.
const PART_CHARACTERS = 65_536

function* partsOf(text: string): Generator<string> {
  for (let at = 0; at < text.length;) {
    let end = at + PART_CHARACTERS
    // A character outside the basic plane is a surrogate pair, which must not be split before it is encoded as UTF-8.
    const last = text.charCodeAt(end - 1)
    if (last >= 0xd800 && last <= 0xdbff) end += 1
    yield text.slice(at, end)
    at = end
  }
}

/** Reads a master file from a text or from available chunks. `MasterFileParser` reads a file that arrives over time. */
export function* parseMasterFile(
  source: string | Iterable<Uint8Array | string>,
  options: MasterFileOptions,
): Generator<MasterFileItem> {
  const parser = new MasterFileParser(options)
  for (const chunk of typeof source === 'string' ? partsOf(source) : source)
    yield* parser.push(chunk)
  yield* parser.end()
}

/**
 * One record as a line of a master file, without a line end: absolute names, TTL in seconds, class, type and RDATA in
 * canonical form.
 *
 * @throws NameError, RdataError when the octets are not a valid name or RDATA of that type
 */
export function masterLine(
  owner: Uint8Array,
  ttlSeconds: number,
  type: number,
  rdata: Uint8Array,
): string {
  const name = nameToText(owner)
  return `${name === '.' ? name : `${name}.`} ${ttlSeconds} IN ${typeToText(type)} ${rdataToText(type, rdata)}`
}
