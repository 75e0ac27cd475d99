import { dirname } from 'node:path'
import { fileHeader, HEADER_BYTES } from './file-format.ts'
import { type FileHandle, type Files, syncFolder, writeAll } from './files.ts'
import { generationPath } from './generation.ts'

// Written data survives the death of this process at once. A power failure may lose the last second, which the
// feed then sends again; a sync for each change set would delay every update.
const SYNC_INTERVAL_MS = 1_000

interface Waiting {
  readonly octets: Buffer
  readonly done: () => void
  readonly failed: (error: unknown) => void
}

/** The listeners of a log. */
export interface LogWatcher {
  /** Called once, when a sync failed. */
  syncFailed(error: unknown, log: LogFile): void
  /** Called after each write and sync. */
  reached(log: LogFile): void
}

/** The current log. It writes complete entries in the order of the calls. */
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
   * Creates a log.
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

  /** The length of the log when all entries are written. */
  get endBytes(): number {
    return this.#queuedBytes
  }

  /** The octets that the operating system has. */
  get writtenBytes(): number {
    return this.#writtenBytes
  }

  /** The octets that are on the disk. */
  get syncedBytes(): number {
    return this.#syncedBytes
  }

  /** The octets that are waiting to be written. */
  get waitingBytes(): number {
    return this.#queuedBytes - this.#writtenBytes
  }

  /** Whether a write failed. Then nothing more is written, because there must be no gap between entries. */
  get isBroken(): boolean {
    return this.#failure !== undefined
  }

  /**
   * Resolves when the operating system has the octets, so that only a power failure can lose them.
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
   * Resolves when all previous entries are on the disk.
   *
   * @throws the system's error; from then on every call fails, because Linux discards data that it could
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

  /** Writes and syncs the remaining entries and closes the file. */
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
    // Octets that are written meanwhile may or may not be on the disk.
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
