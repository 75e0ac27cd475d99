import { dirname } from 'node:path'
import { fileHeader, HEADER_BYTES } from './file-format.ts'
import { type FileHandle, type Files, syncFolder, writeAll } from './files.ts'
import { generationPath } from './generation.ts'

// Written data survives the death of this process at once. A power failure may lose the last second, which the
// feed then repeats; a sync for each set would delay every update.
const SYNC_INTERVAL_MS = 1_000

interface Waiting {
  readonly octets: Buffer
  readonly done: () => void
  readonly failed: (error: unknown) => void
}

/** Called by a log as it is written. */
export interface LogWatcher {
  /** Called once, when a sync failed. */
  syncFailed(error: unknown, log: LogFile): void
  /** Called after each write and sync. */
  reached(log: LogFile): void
}

/** The current log: whole entries, in the order in which they were given. */
export class LogFile {
  readonly generation: number
  readonly #file: FileHandle
  readonly #watcher: LogWatcher
  #syncedBytes: number
  #writtenBytes: number
  #queuedBytes: number
  #waiting: Waiting[] = []
  #writing: Promise<void> | undefined
  #syncTimer: NodeJS.Timeout | undefined
  #syncing: Promise<void> = Promise.resolve()
  #failure: { readonly error: unknown } | undefined

  private constructor(file: FileHandle, generation: number, endBytes: number, watcher: LogWatcher) {
    this.#file = file
    this.generation = generation
    this.#syncedBytes = endBytes
    this.#writtenBytes = endBytes
    this.#queuedBytes = endBytes
    this.#watcher = watcher
  }

  /**
   * Begins a log.
   *
   * @throws the system's error
   */
  static async create(
    files: Files,
    folder: string,
    generation: number,
    watcher: LogWatcher,
  ): Promise<LogFile> {
    const path = generationPath(folder, 'log', generation)
    const file = await files.open(path, 'wx+')
    try {
      await writeAll(file, fileHeader('log', generation), 0)
      await file.sync()
      await syncFolder(files, dirname(path))
    } catch (error) {
      await file.close()
      await files.rm(path, { force: true })
      throw error
    }
    return new LogFile(file, generation, HEADER_BYTES, watcher)
  }

  /** Continues a log that was read up to `endBytes`; anything after that is cut off. */
  static async reopen(
    files: Files,
    folder: string,
    { generation, endBytes }: { generation: number; endBytes: number },
    watcher: LogWatcher,
  ): Promise<LogFile> {
    const file = await files.open(generationPath(folder, 'log', generation), 'r+')
    try {
      await file.truncate(endBytes)
      await file.sync()
    } catch (error) {
      await file.close()
      throw error
    }
    return new LogFile(file, generation, endBytes, watcher)
  }

  /** Where the log ends once everything that was given is written. */
  get endBytes(): number {
    return this.#queuedBytes
  }

  /** Octets that the operating system has. */
  get writtenBytes(): number {
    return this.#writtenBytes
  }

  /** Octets that are on the disk itself. */
  get syncedBytes(): number {
    return this.#syncedBytes
  }

  /** Octets that wait to be written. */
  get waitingBytes(): number {
    return this.#queuedBytes - this.#writtenBytes
  }

  /** Whether something was lost: nothing more is written, because entries must not have a gap between them. */
  get isBroken(): boolean {
    return this.#failure !== undefined
  }

  /**
   * Resolves when the operating system has the octets, so that only a loss of power can take them.
   *
   * @throws the system's error; from then on every call fails
   */
  async append(octets: Buffer): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure.error
    this.#queuedBytes += octets.length
    return new Promise((done, failed) => {
      this.#waiting.push({ octets, done, failed })
      this.#writing ??= this.#write()
    })
  }

  /**
   * Resolves when everything that was given before is on the disk itself.
   *
   * @throws the system's error; from then on every call fails, because Linux forgets what it could
   * not write and lets the next sync succeed
   */
  async sync(): Promise<void> {
    await this.#writing
    await this.#syncing
    try {
      if (this.#failure === undefined) await this.#syncFile()
    } catch (error) {
      this.#failure ??= { error }
    }
    if (this.#failure !== undefined) throw this.#failure.error
  }

  /** Writes and syncs what is left and lets go of the file. */
  async close(): Promise<void> {
    clearTimeout(this.#syncTimer)
    try {
      if (!this.isBroken) await this.sync()
    } finally {
      clearTimeout(this.#syncTimer)
      await this.#syncing
      await this.#file.close()
    }
  }

  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0)
      const octets = Buffer.concat(batch.map((each) => each.octets))
      try {
        if (this.#failure !== undefined) throw this.#failure.error
        await writeAll(this.#file, octets, this.#writtenBytes)
        this.#writtenBytes += octets.length
        this.#watcher.reached(this)
        for (const { done } of batch) done()
      } catch (error) {
        this.#failure ??= { error }
        for (const { failed } of batch) failed(error)
      }
    }
    this.#writing = undefined
    this.#syncSoon()
  }

  async #syncFile(): Promise<void> {
    // What is written meanwhile may be on the disk too, or not.
    const bytes = this.#writtenBytes
    await this.#file.datasync()
    this.#syncedBytes = Math.max(this.#syncedBytes, bytes)
    this.#watcher.reached(this)
  }

  #syncSoon(): void {
    if (this.#syncTimer !== undefined || this.isBroken) return
    this.#syncTimer = setTimeout(() => {
      this.#syncTimer = undefined
      this.#syncing = this.#syncFile().catch((error: unknown) => {
        this.#failure ??= { error }
        this.#watcher.syncFailed(error, this)
      })
    }, SYNC_INTERVAL_MS)
    this.#syncTimer.unref()
  }
}
