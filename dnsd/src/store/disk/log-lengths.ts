/*
 * The known minimum length of each log, stored in the file `known-lengths` beside the logs.
 *
 * A log that ends early does not show why: either a crash tore its last write, which is normal, or content was lost
 * afterwards. A log that is shorter than its known length has lost content.
 *
 * Each log has two lengths. The written length is what the operating system has. It survives the death of the process
 * and counts until the machine is booted again. The synced length is what the disk has. It survives a power failure.
 *
 * The file is rewritten in place several times a second while changes come, and is not synced itself. Of its two
 * slots the older one is overwritten, so a torn write leaves the newer one. The file may then have
 * an older state, with lengths that are too small but never too large.
 */
import { join } from 'node:path'
import { type FileHandle, type Files, syncFolder, writeAll } from './files.ts'
import {
  type LengthsSlot,
  type LogLength,
  readNewestSlot,
  slotAt,
  slotOctets,
} from './lengths-slot.ts'

const FILE_NAME = 'known-lengths'
const WRITE_INTERVAL_MS = 100

export class LogLengths {
  readonly #files: Files
  readonly #folder: string
  readonly #bootId: string
  readonly #lengths: Map<number, LogLength>
  #sequence: number
  #file: FileHandle | undefined
  #writing: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined
  #writtenAtMs = -Infinity
  /** The reason why the file could not be read, for the operator. */
  readonly problem: string | undefined

  private constructor(
    { files, folder, bootId }: { files: Files; folder: string; bootId: string },
    { slot, problem }: { slot: LengthsSlot | undefined; problem: string | undefined },
  ) {
    this.#files = files
    this.#folder = folder
    this.#bootId = bootId
    this.#sequence = slot?.sequence ?? 0
    this.#lengths = new Map(slot?.lengths)
    this.problem = problem
    if (bootId !== '' && slot?.bootId === bootId) return
    for (const [generation, { syncedBytes }] of this.#lengths) {
      this.#lengths.set(generation, { writtenBytes: syncedBytes, syncedBytes })
    }
  }

  /**
   * Reads the file. If it is missing or unreadable, no length is known.
   *
   * @param bootId differs after each boot of the machine; empty when it is unknown
   */
  static async read(files: Files, folder: string, bootId: string): Promise<LogLengths> {
    const place = { files, folder, bootId }
    try {
      return new LogLengths(place, { slot: await readNewest(files, folder), problem: undefined })
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      const problem = code === 'ENOENT' ? undefined : `${join(folder, FILE_NAME)}: ${message}`
      return new LogLengths(place, { slot: undefined, problem })
    }
  }

  /** The logs with a known length. */
  get generations(): number[] {
    return [...this.#lengths.keys()]
  }

  /** The minimum length of a log in octets, 0 when it is unknown. */
  leastBytes(generation: number): number {
    const { writtenBytes = 0, syncedBytes = 0 } = this.#lengths.get(generation) ?? {}
    return Math.max(writtenBytes, syncedBytes)
  }

  /** Records the length that a log has reached. A length never decreases. */
  raise(generation: number, { writtenBytes, syncedBytes }: LogLength): void {
    const known = this.#lengths.get(generation)
    this.#lengths.set(generation, {
      writtenBytes: Math.max(writtenBytes, known?.writtenBytes ?? 0),
      syncedBytes: Math.max(syncedBytes, known?.syncedBytes ?? 0),
    })
    if (this.#file !== undefined) this.#writeSoon()
  }

  /** Removes the logs before this one, which were deleted. */
  forgetBefore(generation: number): void {
    for (const each of this.#lengths.keys()) if (each < generation) this.#lengths.delete(each)
    if (this.#file !== undefined) this.#writeSoon()
  }

  /**
   * Writes the lengths now and after each change. Later failures are ignored: the lengths in the file are then too
   * small.
   *
   * @throws the system's error
   */
  async begin(): Promise<void> {
    const path = join(this.#folder, FILE_NAME)
    this.#file = await this.#files.open(path, 'r+').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
      return this.#files.open(path, 'wx+')
    })
    await this.#write(this.#file)
    await this.#file.sync()
    await syncFolder(this.#files, this.#folder)
  }

  /** Writes and syncs pending changes. */
  async close(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#writing
    const file = this.#file
    this.#file = undefined
    if (file === undefined) return
    try {
      await this.#write(file)
      await file.sync()
    } finally {
      await file.close()
    }
  }

  #writeSoon(): void {
    if (this.#timer !== undefined) return
    const waitMs = this.#writtenAtMs + WRITE_INTERVAL_MS - performance.now()
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined
        const file = this.#file
        if (file === undefined) return
        this.#writing = this.#writing.then(() => this.#write(file)).catch(() => undefined)
      },
      Math.max(0, waitMs),
    )
    this.#timer.unref()
  }

  async #write(file: FileHandle): Promise<void> {
    this.#writtenAtMs = performance.now()
    this.#sequence += 1
    const octets = slotOctets({
      sequence: this.#sequence,
      bootId: this.#bootId,
      lengths: this.#lengths,
    })
    await writeAll(file, octets, slotAt(this.#sequence))
  }
}

async function readNewest(files: Files, folder: string): Promise<LengthsSlot | undefined> {
  const file = await files.open(join(folder, FILE_NAME), 'r')
  try {
    return await readNewestSlot(file)
  } finally {
    await file.close()
  }
}
