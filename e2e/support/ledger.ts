/**
 * The updates that the service acknowledged to a client. Each acknowledgement is a
 * line that is on disk before the next request for that name is sent, so a crash of
 * the service or of the machine does not lose it.
 */
import { readFileSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'

/** An update of a name. Of two, the one with the greater number was sent later. */
export interface Update {
  readonly name: string
  readonly number: number
}

export class Ledger {
  readonly #file: FileHandle
  /** Lines that are not on disk yet, and the callers that wait for them. */
  #lines = ''
  #waiting: PromiseWithResolvers<void>[] = []
  #isFlushing = false

  private constructor(file: FileHandle) {
    this.#file = file
  }

  /** @throws the system's error when the file exists */
  static async create(path: string): Promise<Ledger> {
    return new Ledger(await open(path, 'ax'))
  }

  /** Resolves when the line is on disk. Lines that arrive during a flush share the next flush. */
  async acknowledge({ name, number }: Update): Promise<void> {
    this.#lines += `${number} ${name}\n`
    const written = Promise.withResolvers<void>()
    this.#waiting.push(written)
    if (!this.#isFlushing) void this.#flush()
    return written.promise
  }

  async #flush(): Promise<void> {
    this.#isFlushing = true
    while (this.#waiting.length > 0) {
      const lines = this.#lines
      const waiting = this.#waiting.splice(0)
      this.#lines = ''
      try {
        await this.#file.appendFile(lines)
        await this.#file.datasync()
        for (const { resolve } of waiting) resolve()
      } catch (error) {
        for (const { reject } of waiting) reject(error)
      }
    }
    this.#isFlushing = false
  }

  async close(): Promise<void> {
    await this.#file.close()
  }
}

/** The acknowledgements of a ledger file, in the order in which they were written. */
export function readLedger(path: string): Update[] {
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1)
  return lines.map((line) => {
    const [number = '', name = ''] = line.split(' ')
    return { name, number: Number(number) }
  })
}
