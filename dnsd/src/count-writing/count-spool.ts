/*
 * Batches of counts on the disk, until they are in the database.
 *
 * Each batch has a file of its own, named by the time when its counting ended and its id. A file is written aside,
 * synced and renamed, so it is complete or missing. Before its counts are sent, it is renamed again, with the time:
 * from then on, the database may have stored the id, and the batch must not change. A batch that replaces others
 * lists their ids, so that no crash leaves both.
 *
 * Number and size of the files are limited. Over the limit, batches lose detail, the oldest first: those of five
 * minutes become one, then those of an hour; then they lose the networks of clients. Only then counts are lost.
 */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { type CountLines, linesOf, namesIn, type ReadLines } from '../query-counts/index.ts'
import { type Files, syncFolder } from '../store/index.ts'
import {
  type BatchSize,
  DamagedBatch,
  queriesIn,
  readBatchFile,
  replacedBatches,
  writeBatchFile,
} from './batch-file.ts'
import { batchFileName, readBatchFileName, type SpooledBatch } from './batch-name.ts'
import { MergedNames } from './merged-names.ts'
import { nextReduction, type Reduction, type SpoolLimits, SPOOL_LIMITS } from './spool-limits.ts'

/** Events of the spool, for the log and the metrics. */
export interface SpoolEvents {
  /** Batches lost detail: their time, or the networks of clients. */
  batchesReduced(batches: number, lost: 'time' | 'network'): void
  /** Counts were lost permanently; how many queries, if that is known. */
  countsLost(queries: number | undefined, why: string): void
  /** A file cannot be read or removed. Called once for each reason. */
  spoolFailed(why: Error): void
}

export interface SpoolOptions {
  readonly files: Files
  /** It must exist, and no other process may use it. */
  readonly folder: string
  readonly events: SpoolEvents
  readonly limits?: SpoolLimits
}

const UNFINISHED = '.unfinished'

export class CountSpool {
  readonly #options: SpoolOptions
  readonly #limits: SpoolLimits
  /** By time, the oldest first. */
  #batches: SpooledBatch[] = []
  /** Ids of batches that are in the database, whose files could not be removed. */
  readonly #done = new Set<string>()
  /** Ids of batches that are being replaced or removed. */
  readonly #leaving = new Set<string>()
  /** The id of the batch that is being sent. */
  #sending: string | undefined
  #toldReason = ''

  constructor(options: SpoolOptions) {
    this.#options = options
    this.#limits = options.limits ?? SPOOL_LIMITS
  }

  /** Finds the batches that an earlier process left. Never fails: what cannot be read is reported and left alone. */
  async open(): Promise<void> {
    const { files, folder } = this.#options
    const names = await files.readdir(folder).catch((error: unknown) => this.#failed(error))
    for (const name of (names ?? []).toSorted()) {
      if (name.endsWith(UNFINISHED)) await this.#rm(join(folder, name))
      const batch = await this.#found(name)
      if (batch !== undefined) this.#batches.push(batch)
    }
    await this.#removeReplaced()
  }

  /** All batches that can be sent, the oldest first. */
  get batches(): readonly SpooledBatch[] {
    return this.#batches.filter(({ id }) => !this.#done.has(id) && !this.#leaving.has(id))
  }

  /** How many batches there are; also those whose files could not be removed. */
  get size(): number {
    return this.#batches.length
  }

  get bytes(): number {
    return this.#batches.reduce((sum, { bytes }) => sum + bytes, 0)
  }

  /**
   * Keeps a batch.
   *
   * @returns its size, when it is on the disk
   * @throws the system's error; the batch is then not kept
   */
  async add(
    batch: Pick<SpooledBatch, 'id' | 'endedAtMs' | 'sentAtMs'>,
    lines: CountLines,
  ): Promise<BatchSize> {
    const written = await this.#write({ ...batch, isPlain: false }, lines).catch(
      (error: unknown) => {
        this.#failed(error)
        throw error
      },
    )
    this.#toldReason = ''
    // The batch is kept, so a problem with the others is only reported.
    await this.#reduce().catch((error: unknown) => this.#failed(error))
    return written
  }

  /** The lines of a batch; see `readBatchFile`. */
  lines(batch: SpooledBatch): ReadLines {
    return readBatchFile(this.#options.files, batch.path)
  }

  /** Records that a batch is being sent. It then no longer changes, and is not removed until `release`. */
  async markSent(batch: SpooledBatch, nowMs: number): Promise<SpooledBatch> {
    this.#sending = batch.id
    if (batch.sentAtMs !== undefined) return batch
    const { files, folder } = this.#options
    const path = join(folder, batchFileName({ ...batch, sentAtMs: nowMs }))
    let sent = { ...batch, sentAtMs: nowMs }
    try {
      await files.rename(batch.path, path)
      sent = { ...sent, path }
      await syncFolder(files, folder)
    } catch (error) {
      // At least this process knows that the batch must not change.
      this.#failed(error)
    }
    this.#batches = this.#batches.map((each) => (each.id === batch.id ? sent : each))
    return sent
  }

  /** The end of what `markSent` began. */
  release(): void {
    this.#sending = undefined
  }

  /** Removes a batch that is in the database, or that is lost. */
  async remove(batch: SpooledBatch): Promise<void> {
    this.#done.add(batch.id)
    if (!(await this.#rm(batch.path))) return
    this.#done.delete(batch.id)
    this.#batches = this.#batches.filter(({ id }) => id !== batch.id)
  }

  /** Removes a batch whose counts are lost, and reports it. */
  async lose(batch: SpooledBatch, why: string): Promise<void> {
    const { files, events } = this.#options
    const queries = await queriesIn(files, batch.path).catch(() => undefined)
    await this.remove(batch)
    events.countsLost(queries, why)
  }

  async #write(
    batch: Omit<SpooledBatch, 'bytes' | 'path'>,
    lines: CountLines,
    replaces: readonly string[] = [],
  ): Promise<BatchSize> {
    const { files, folder } = this.#options
    const path = join(this.#options.folder, batchFileName(batch))
    const aside = path + UNFINISHED
    try {
      const written = await writeBatchFile(files, aside, lines, replaces)
      await files.rename(aside, path)
      await syncFolder(files, folder)
      this.#insert({ ...batch, bytes: written.bytes, path })
      return written
    } catch (error) {
      await this.#rm(aside)
      await this.#rm(path)
      throw error
    }
  }

  /** Removes detail until the limits are kept. */
  async #reduce(): Promise<void> {
    for (const batch of this.#batches.filter(({ id }) => this.#done.has(id)))
      await this.remove(batch)
    for (;;) {
      const open = this.batches.filter(({ id }) => id !== this.#sending)
      const { size, bytes } = this
      const reduction = nextReduction(open, this.#limits, { batches: size, bytes })
      if (reduction === undefined) return
      for (const { id } of reduction.batches) this.#leaving.add(id)
      try {
        await this.#apply(reduction)
      } finally {
        this.#leaving.clear()
      }
    }
  }

  async #apply({ batches, lost }: Reduction): Promise<void> {
    if (lost !== 'all') await this.#merge(batches, lost)
    else for (const batch of batches) await this.lose(batch, 'there is no room for more of them')
  }

  /** Replaces batches by one with their sums. A damaged one is lost. */
  async #merge(batches: readonly SpooledBatch[], lost: 'time' | 'network'): Promise<void> {
    const merged = new MergedNames({ keepsNetworks: lost === 'time' })
    for (const batch of batches) {
      // A file may turn out to be damaged at its end, so its names are added only then.
      const pieces = await this.#whole(batch)
      if (pieces === undefined) return
      for (const piece of pieces) for (const name of namesIn(piece)) merged.add(name)
    }
    const { endedAtMs = 0 } = batches.at(-1) ?? {}
    const isPlain = lost === 'network' || batches.every((batch) => batch.isPlain)
    const replaces = batches.map(({ id }) => id)
    const batch = { id: randomUUID(), endedAtMs, sentAtMs: undefined, isPlain }
    await this.#write(batch, linesOf(merged), replaces)
    for (const replaced of batches) await this.remove(replaced)
    // Otherwise a power failure could bring them back after the new batch is sent and removed.
    await syncFolder(this.#options.files, this.#options.folder)
    this.#options.events.batchesReduced(batches.length, lost)
  }

  async #whole(batch: SpooledBatch): Promise<Buffer[] | undefined> {
    try {
      const pieces: Buffer[] = []
      for await (const piece of this.lines(batch)) pieces.push(piece)
      return pieces
    } catch (error) {
      if (!(error instanceof DamagedBatch)) throw error
      await this.lose(batch, `the file of a batch is damaged: ${error.message}`)
      return undefined
    }
  }

  async #found(name: string): Promise<SpooledBatch | undefined> {
    const { files, folder } = this.#options
    const named = readBatchFileName(name)
    if (named === undefined) return undefined
    const path = join(folder, name)
    try {
      const file = await files.open(path, 'r')
      const { size } = await file.stat()
      await file.close()
      return { ...named, bytes: size, path, isPlain: false }
    } catch (error) {
      this.#failed(error)
      return undefined
    }
  }

  // A process may end between writing a batch and removing those that it replaces.
  async #removeReplaced(): Promise<void> {
    const { files } = this.#options
    const replaced = new Set<string>()
    for (const batch of this.#batches) {
      const ids = await replacedBatches(files, batch.path).catch(() => [])
      for (const id of ids) replaced.add(id)
    }
    for (const batch of this.#batches.filter(({ id }) => replaced.has(id))) await this.remove(batch)
  }

  #insert(batch: SpooledBatch): void {
    const at = this.#batches.findLastIndex(({ endedAtMs }) => endedAtMs <= batch.endedAtMs)
    this.#batches.splice(at + 1, 0, batch)
  }

  /** @returns whether it was removed */
  async #rm(path: string): Promise<boolean> {
    return this.#options.files.rm(path, { force: true }).then(
      () => true,
      (error: unknown) => {
        this.#failed(error)
        return false
      },
    )
  }

  #failed(error: unknown): undefined {
    const why = error instanceof Error ? error : new Error(String(error))
    if (this.#toldReason !== why.message) this.#options.events.spoolFailed(why)
    this.#toldReason = why.message
  }
}
