/** The snapshot on disk: one file that is replaced as a whole, so that a crash leaves the old one or the new one. */
import { closeSync, openSync, readSync } from 'node:fs'
import { mkdir, open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { TableCapture } from './forward-table.ts'
import { type Moment, readSnapshot, type ReadSnapshot, snapshotPieces } from './snapshot.ts'

const READ_BYTES = 256 * 1024
const LINE_FEED = 0x0a

export class SnapshotFile {
  readonly #folder: string
  readonly #path: string

  /** @param dataDir the folder of this replica; another replica needs another one */
  constructor(dataDir: string) {
    this.#folder = join(dataDir, 'forwarder')
    this.#path = join(this.#folder, 'forwards.jsonl')
  }

  /**
   * Reads the file in one step, before the server listens.
   *
   * @returns undefined when it does not exist
   * @throws DamagedSnapshot, or the system's error
   */
  read(moment: Moment): ReadSnapshot | undefined {
    let file: number
    try {
      file = openSync(this.#path, 'r')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }
    try {
      return readSnapshot(linesOf(file), moment)
    } finally {
      closeSync(file)
    }
  }

  /** Replaces the file. Requests are answered between its pieces. @throws the system's error */
  async write(capture: TableCapture, moment: Moment): Promise<void> {
    await mkdir(this.#folder, { recursive: true })
    const aside = `${this.#path}.new`
    const file = await open(aside, 'w', 0o600)
    try {
      for (const piece of snapshotPieces(capture, moment)) {
        await file.writeFile(piece)
        await nextTurn()
      }
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(aside, this.#path)
    await this.#syncFolder()
  }

  /** Makes the new name durable. */
  async #syncFolder(): Promise<void> {
    const folder = await open(this.#folder, 'r')
    try {
      await folder.sync()
    } finally {
      await folder.close()
    }
  }
}

/** The complete lines of an open file, without their line feeds. */
function* linesOf(file: number): Generator<string> {
  const piece = Buffer.alloc(READ_BYTES)
  let rest = Buffer.alloc(0)
  for (let bytes = readSync(file, piece); bytes > 0; bytes = readSync(file, piece)) {
    const octets = Buffer.concat([rest, piece.subarray(0, bytes)])
    let at = 0
    for (let end = octets.indexOf(LINE_FEED); end >= 0; end = octets.indexOf(LINE_FEED, at)) {
      yield octets.toString('utf8', at, end)
      at = end + 1
    }
    rest = octets.subarray(at)
  }
}
