/* Splits chunks of a file into lines. Chunks may be cut anywhere. It holds one unfinished line, up to the limit. */
import { octetText } from '../octet-text.ts'

/**
 * The maximum number of characters of a line, and of an entry over several lines. The longest RDATA, 65535 octets all
 * written as `\DDD` in strings of 255, has 263,000.
 */
export const ENTRY_LIMIT_CHARACTERS = 300_000

/** Called with each line without its end; `undefined` stands for a line over the limit, whose text is discarded. */
export type TakeLine = (line: string | undefined) => void

const UTF8_BYTE_ORDER_MARK = '\u00EF\u00BB\u00BF'

function chunkText(chunk: Uint8Array | string): string {
  if (typeof chunk === 'string') return octetText(chunk)
  return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).toString('latin1')
}

export class LineSplitter {
  #pending = ''
  #overlong = false
  #atFileStart = true
  readonly #take: TakeLine

  constructor(take: TakeLine) {
    this.#take = take
  }

  push(chunk: Uint8Array | string): void {
    const text = chunkText(chunk)
    let start = 0
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      this.#hold(text.slice(start, end))
      this.#release()
      start = end + 1
    }
    this.#hold(text.slice(start))
  }

  /** Returns the last line, if the file does not end with a line end. */
  end(): void {
    if (this.#pending !== '' || this.#overlong) this.#release()
  }

  #hold(piece: string): void {
    if (this.#overlong) return
    this.#pending = this.#pending === '' ? piece : this.#pending + piece
    if (this.#pending.length <= ENTRY_LIMIT_CHARACTERS) return
    this.#overlong = true
    this.#pending = ''
  }

  #release(): void {
    const line = this.#overlong ? undefined : this.#withoutMark(this.#pending)
    this.#pending = ''
    this.#overlong = false
    this.#take(line)
  }

  #withoutMark(line: string): string {
    const atStart = this.#atFileStart
    this.#atFileStart = false
    return atStart && line.startsWith(UTF8_BYTE_ORDER_MARK)
      ? line.slice(UTF8_BYTE_ORDER_MARK.length)
      : line
  }
}
