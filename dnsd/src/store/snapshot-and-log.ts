/*
 * What dnsd keeps on disk, so that it starts without PostgreSQL at the newest version that it ever
 * served: a snapshot of all zones, and a log of every change since, with the RRsets before and after.
 *
 *   snapshot-N     what was served when log N began
 *   log-N          every change from then on, until log N+1
 *   known-lengths  how long each log was, which shows at a restart whether it lost content
 *
 * A change is written to the log, then served. The write reaches the operating system, so killing the
 * process loses nothing; the disk itself is synced once a second, so a power failure can lose the last
 * second, which the feed repeats. A snapshot is written aside in small pieces while changes go on (see
 * disk/snapshot-file), then takes its name. Two are kept, with all logs since the older one.
 *
 * When the log cannot be written (a full disk), answering and following go on without it. It cannot be
 * continued after a gap either, so the way back is the next snapshot, which is tried until it succeeds.
 *
 * Zones of which a log has lost changes come back incomplete, and snapshots say so of them (disk/recovery).
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
  /** A log larger than this, and larger than the last snapshot, makes a new one due. */
  readonly logLimitBytes?: number
  /** A snapshot is also made this long after the log's first change since the last one. */
  readonly logLimitMs?: number
  /** How long to wait after a failure before the next try. */
  readonly retryMs?: number
  readonly files?: Files
  /** Differs after each boot of the machine; that of the system by default. */
  readonly bootId?: string
}

const LOG_LIMIT_BYTES = 16 * 1024 * 1024
const LOG_LIMIT_MS = 10 * 60 * 1000
const RETRY_MS = 10_000
// A disk that does not answer must not hold up DNS: after this the change is served before it is kept.
const PATIENCE_MS = 250
// What of a zone may wait to be written before more of it is made.
const WRITE_AHEAD_BYTES = 1024 * 1024
// What may wait for such a disk before the log is given up.
const WAITING_LIMIT_BYTES = 64 * 1024 * 1024

/** What is kept at this moment. */
export interface DiskStatus {
  /** The newest that is known to be good. */
  readonly snapshot: { readonly generation: number; readonly bytes: number } | undefined
  /** Of changes since then. */
  readonly logBytes: number
  /** Whether changes can be kept. */
  readonly isLogging: boolean
}

export class SnapshotAndLog implements Journal {
  /** What the logs tell of earlier versions. */
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
   * Reads what the folder holds into the store and keeps its changes from now on. The caller holds
   * the folder's lock.
   *
   * @throws the system's error when the folder cannot be read, or by a newer program only
   */
  static async open(options: SnapshotAndLogOptions): Promise<SnapshotAndLog> {
    const { folder, store, bootId, files = promises } = options
    const { lengths, recovered } = await openFolder({ files, folder }, store.zones.table, bootId)
    const opened = new SnapshotAndLog(options, files, lengths)
    await opened.#begin(recovered)
    return opened
  }

  /** What is on the disk. */
  get status(): DiskStatus {
    return {
      snapshot: this.#good,
      logBytes: this.#logBytesSinceSnapshot,
      isLogging: this.#log !== undefined,
    }
  }

  /** Whether a snapshot that can be used is on the disk. */
  get hasSnapshot(): boolean {
    return this.#good !== undefined
  }

  async record(change: Change, apply: () => void | Promise<void>): Promise<void> {
    // A snapshot's log may only begin between changes, never between writing one and serving it.
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

  /** Writes a snapshot now, or waits for the one that is being written. Failures are told and tried again later. */
  async snapshot(): Promise<void> {
    if (this.#isClosed) return
    this.#snapshotUnderWay ??= this.#takeSnapshot()
    await this.#snapshotUnderWay
  }

  /** Writes and syncs what is left. */
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
    // A log goes on only where everything before it is sound; otherwise a new pair begins.
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
        // Its outcome is that of the last one: a log that failed once fails for ever.
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
    // For each change: a timer that is cleared costs a fifth of a wait that is aborted.
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

  /** Begins the next log at a moment when no change is half done, and says what was served then. */
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
