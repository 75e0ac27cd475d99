/*
 * The copy of the zones that dnsd keeps on disk, so that it can start without PostgreSQL at the newest version that
 * it ever served: a snapshot of all zones, and a log of every change since, with the RRsets before and after.
 *
 *   snapshot-N     what was served when log N began
 *   log-N          every change from then on, until log N+1
 *   known-lengths  how long each log was, which shows at a restart whether it lost content
 *
 * A change is written to the log, then served. The write reaches the operating system, so killing the process loses
 * nothing. The disk is synced once a second, so a power failure can lose the last second, which the feed repeats. A
 * snapshot is written to a temporary file in small pieces while changes continue (see disk/snapshot-file), then
 * renamed. Two snapshots are kept, with all logs since the older one.
 *
 * When the log cannot be written (a full disk), answering and following continue without it. A log cannot continue
 * after a gap, so the next snapshot restores logging. It is retried until it succeeds.
 *
 * If a log lost changes, its zones are incomplete after a restart, and snapshots record that (disk/recovery).
 */
import * as promises from 'node:fs/promises'
import { entriesOf } from './change-entries.ts'
import { framed } from './disk/file-format.ts'
import type { Files } from './disk/files.ts'
import { removeOlder } from './disk/generation.ts'
import { LogFile, type LogWatcher } from './disk/log-file.ts'
import type { LogLengths } from './disk/log-lengths.ts'
import { openFolder } from './disk/open-folder.ts'
import type { Recovered } from './disk/recovery.ts'
import { writeSnapshot, type ZoneAtStart } from './disk/snapshot-file.ts'
import { Due } from './due.ts'
import type { StoreEvents } from './events.ts'
import { History } from './history.ts'
import { WorkSlice } from './work-slice.ts'
import type { Change, Journal, ZoneStore } from './zone-store.ts'

export interface SnapshotAndLogOptions {
  readonly folder: string
  readonly store: ZoneStore
  readonly events: StoreEvents
  /** A log larger than this, and larger than the last snapshot, triggers a new snapshot. */
  readonly logLimitBytes?: number
  /** A snapshot is also made this long after the first change since the last one. */
  readonly logLimitMs?: number
  /** The back-off after a failure. */
  readonly retryMs?: number
  readonly files?: Files
  /** Changes with each boot of the machine; by default the system's boot ID. */
  readonly bootId?: string
}

const LOG_LIMIT_BYTES = 16 * 1024 * 1024
const LOG_LIMIT_MS = 10 * 60 * 1000
const RETRY_MS = 10_000
// A slow disk must not delay DNS: after this time, the change is served before it is written.
const PATIENCE_MS = 250
// How much of a zone may wait to be written before more is produced.
const WRITE_AHEAD_BYTES = 1024 * 1024
// How much may wait for a slow disk before the log is abandoned.
const WAITING_LIMIT_BYTES = 64 * 1024 * 1024

/** The state of the copy on disk. */
export interface DiskStatus {
  /** The newest snapshot known to be good. */
  readonly snapshot: { readonly generation: number; readonly bytes: number } | undefined
  /** Octets of changes since then. */
  readonly logBytes: number
  /** Whether changes can be logged. */
  readonly isLogging: boolean
}

export class SnapshotAndLog implements Journal {
  /** The earlier versions that the logs contain. */
  readonly history: History
  readonly #folder: string
  readonly #store: ZoneStore
  readonly #events: StoreEvents
  readonly #files: Files
  readonly #logLimitBytes: number
  readonly #logLimitMs: number
  readonly #retryMs: number
  readonly #lengths: LogLengths
  #log: LogFile | undefined
  #newestGeneration = 0
  /** The newest snapshot known to be good, with its size. */
  #good: { readonly generation: number; readonly bytes: number } | undefined
  #logBytesSinceSnapshot = 0
  #writersUnderWay = 0
  #whenIdle: (() => void) | undefined
  #snapshotUnderWay: Promise<void> | undefined
  readonly #nextSnapshot = new Due(() => void this.snapshot())
  #isClosed = false

  private constructor(options: SnapshotAndLogOptions, files: Files, lengths: LogLengths) {
    this.#folder = options.folder
    this.#store = options.store
    this.#events = options.events
    this.#files = files
    this.#lengths = lengths
    this.history = new History(this.#files, this.#folder)
    this.#logLimitBytes = options.logLimitBytes ?? LOG_LIMIT_BYTES
    this.#logLimitMs = options.logLimitMs ?? LOG_LIMIT_MS
    this.#retryMs = options.retryMs ?? RETRY_MS
  }

  /**
   * Loads the contents of the folder into the store and logs its changes from now on. The caller holds the folder's
   * lock.
   *
   * @throws an error when the folder cannot be read, or only by a newer program
   */
  static async open(options: SnapshotAndLogOptions): Promise<SnapshotAndLog> {
    const { folder, store, bootId, files = promises } = options
    const { lengths, recovered } = await openFolder({ files, folder }, store.zones.table, bootId)
    const opened = new SnapshotAndLog(options, files, lengths)
    await opened.#begin(recovered)
    return opened
  }

  /** The state of the files on disk. */
  get status(): DiskStatus {
    return {
      snapshot: this.#good,
      logBytes: this.#logBytesSinceSnapshot,
      isLogging: this.#log !== undefined,
    }
  }

  /** Whether a usable snapshot is on disk. */
  get hasSnapshot(): boolean {
    return this.#good !== undefined
  }

  async record(change: Change, apply: () => void | Promise<void>): Promise<void> {
    // A snapshot's log may begin only between changes, never between writing a change and serving it.
    this.#writersUnderWay += 1
    try {
      await this.#keep(change)
      await apply()
    } finally {
      this.#writersUnderWay -= 1
      if (this.#writersUnderWay === 0) this.#whenIdle?.()
    }
    this.#snapshotWhenDue()
  }

  /** Writes a snapshot now, or waits for the one in progress. Failures are reported and retried later. */
  async snapshot(): Promise<void> {
    if (this.#isClosed) return
    this.#snapshotUnderWay ??= this.#takeSnapshot()
    await this.#snapshotUnderWay
  }

  /** Writes and syncs the remaining entries. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#nextSnapshot.cancel()
    await this.#snapshotUnderWay
    try {
      await this.#log?.close()
      await this.#lengths.close()
    } catch (error) {
      this.#events.diskError('log', error)
    }
  }

  async #begin(recovered: Recovered): Promise<void> {
    const { log, newestGeneration } = recovered
    for (const finding of recovered.findings) this.#events.finding(finding)
    this.#newestGeneration = newestGeneration
    this.#good = recovered.snapshot
    this.#logBytesSinceSnapshot = recovered.logBytes
    this.#store.restore(recovered.zones, this)
    // A log is continued only if everything before it is sound. Otherwise a new snapshot and log begin.
    if (log?.generation === newestGeneration) await this.#continueLog(log)
    this.history.scan(this.#log)
    if (this.#log === undefined) await this.snapshot()
    else if (recovered.isDamaged) this.#snapshotLater(0)
    this.#snapshotWhenDue()
  }

  async #continueLog(log: { generation: number; endBytes: number }): Promise<void> {
    try {
      this.#log = await LogFile.reopen(this.#files, this.#folder, log, this.#watcher)
    } catch (error) {
      this.#events.diskError('log', error)
    }
  }

  readonly #watcher: LogWatcher = {
    syncFailed: (error, log) => this.#logFailed(error, log),
    reached: (log) => this.#lengths.raise(log.generation, log),
  }

  readonly #logFailed = (failure: unknown, log: LogFile): void => {
    if (this.#log !== log) return
    this.#log = undefined
    this.#events.diskError('log', failure)
    void log.close().catch(() => undefined)
    this.#snapshotLater(this.#retryMs)
  }

  async #keep(change: Change): Promise<void> {
    const log = this.#log
    if (log === undefined) return
    try {
      const slice = new WorkSlice()
      let kept = Promise.resolve()
      for (const entry of entriesOf(change)) {
        const octets = framed(entry)
        this.history.note(entry, { generation: log.generation, atBytes: log.endBytes })
        this.#logBytesSinceSnapshot += octets.length
        kept = log.append(octets)
        // The last write has the same outcome: a log that failed once keeps failing.
        kept.catch(() => undefined)
        if (slice.isOver) await slice.rest()
        if (log.waitingBytes > WRITE_AHEAD_BYTES) await this.#patiently(kept)
      }
      await this.#patiently(kept)
      if (log.waitingBytes > WAITING_LIMIT_BYTES) throw new Error('the disk does not answer')
    } catch (error) {
      this.#logFailed(error, log)
    }
  }

  async #patiently(kept: Promise<void>): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    // Runs for each change: clearing a timer costs a fifth of aborting a wait.
    const patience = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, PATIENCE_MS).unref()
    })
    await Promise.race([kept, patience]).finally(() => clearTimeout(timer))
  }

  async #takeSnapshot(): Promise<void> {
    this.#nextSnapshot.cancel()
    const beganMs = performance.now()
    let isDone = false
    try {
      const { log, zones } = await this.#beginLog()
      const bytes = await writeSnapshot(this.#files, this.#folder, log, zones)
      this.#events.snapshot(bytes, performance.now() - beganMs)
      const older = this.#good?.generation ?? log.generation
      this.#good = { generation: log.generation, bytes }
      isDone = true
      const first = Math.min(older, log.generation)
      this.history.forgetBefore(first)
      this.#lengths.forgetBefore(first)
      await removeOlder(this.#files, this.#folder, { newest: log.generation, older })
    } catch (error) {
      this.#events.diskError('snapshot', error)
    }
    this.#snapshotUnderWay = undefined
    if (!isDone) this.#snapshotLater(this.#retryMs)
  }

  /** Begins the next log when no change is in progress, and returns the zones served at that moment. */
  async #beginLog(): Promise<{ log: LogFile; zones: ZoneAtStart[] }> {
    this.#newestGeneration += 1
    const generation = this.#newestGeneration
    const log = await LogFile.create(this.#files, this.#folder, generation, this.#watcher)
    return new Promise((begun) => {
      const begin = (): void => {
        this.#whenIdle = undefined
        const previous = this.#log
        this.#log = log
        this.#watcher.reached(log)
        this.#logBytesSinceSnapshot = 0
        previous?.close().catch((error: unknown) => this.#events.diskError('log', error))
        begun({ log, zones: this.#present() })
      }
      if (this.#writersUnderWay === 0) begin()
      else this.#whenIdle = begin
    })
  }

  #present(): ZoneAtStart[] {
    return [...this.#store.entries()].map(([zoneId, zone]) => ({
      zoneId,
      zone,
      version: zone.version,
      soa: zone.soaParameters,
    }))
  }

  #snapshotWhenDue(): void {
    if (this.#log === undefined) {
      this.#snapshotLater(this.#retryMs)
    } else if (
      this.#logBytesSinceSnapshot > Math.max(this.#logLimitBytes, this.#good?.bytes ?? 0)
    ) {
      this.#snapshotLater(0)
    } else if (this.#logBytesSinceSnapshot > 0) {
      this.#snapshotLater(this.#logLimitMs)
    }
  }

  #snapshotLater(inMs: number): void {
    if (!this.#isClosed && this.#snapshotUnderWay === undefined) this.#nextSnapshot.within(inMs)
  }
}
