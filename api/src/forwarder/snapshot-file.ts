/** The snapshot on disk: one file that is replaced as a whole, so that a crash leaves the old one or the new one. */
import { readFileSync } from 'node:fs'
import { mkdir, open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { TableCapture } from './forward-table.ts'
import { type Moment, readSnapshot, type ReadSnapshot, snapshotPieces } from './snapshot.ts'

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
    let octets: Buffer
    try {
      octets = readFileSync(this.#path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }
    return readSnapshot(octets, moment)
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
