/*
 * Restores what was served when the process ended, from the newest valid snapshot and the logs from there on. It
 * changes no files.
 *
 * Files are validated entry by entry. A snapshot with one wrong octet is rejected as a whole and the one before it is
 * used, from which the logs lead to the same state. A log is used up to its first wrong entry. The next log is still
 * tried: each change set names the one before it, so a zone that missed a set cannot continue by accident.
 *
 * After a crash a log may end early, but not before its known length: the part that its snapshot needs, and the length
 * in log-lengths.ts. When it is shorter, changes are lost, and the affected zones are unknown. So all zones are marked
 * as incomplete. A zone that a later log has as a whole is not marked.
 */
import { nameToText } from '../../names/index.ts'
import type { ZoneTable } from '../../table/index.ts'
import type { Zone } from '../../zone/index.ts'
import { HEADER_BYTES, NewerFormatError } from './file-format.ts'
import type { Files } from './files.ts'
import { type FolderContents, generationPath, listGenerations } from './generation.ts'
import type { LogLengths } from './log-lengths.ts'
import { FormatError } from './octets.ts'
import { type LogRead, problemOf, readLog, readSnapshot, type ReadingPlace } from './read-files.ts'
import { Rebuilding } from './rebuilding.ts'

export interface Recovered {
  /** The zones by their id. */
  readonly zones: ReadonlyMap<string, Zone>
  /** The snapshot that was used; undefined when none was usable. */
  readonly snapshot: { readonly generation: number; readonly bytes: number } | undefined
  /** The newest log, when it can be continued at `endBytes`. */
  readonly log: { readonly generation: number; readonly endBytes: number } | undefined
  /** Octets of all logs that were read. */
  readonly logBytes: number
  /** The highest generation of any file. */
  readonly newestGeneration: number
  /** Whether a file was rejected or truncated, or changes were lost. */
  readonly isDamaged: boolean
  /** Sentences about that, and about zones that are incomplete, for the operator. */
  readonly findings: readonly string[]
}

/** Only a newer program can read the files. Starting without them would discard them. */
class FolderIsNewer extends Error {
  readonly code = 'ENOTSUP'

  constructor(path: string, cause: NewerFormatError) {
    super(
      `${path}: ${cause.message}; run the newer one, or move the folder away to have the zones read from the database`,
      { cause },
    )
    this.name = 'FolderIsNewer'
  }
}

/** A snapshot was written while zones changed, and its log does not have all of these changes. */
class SnapshotNotCompleted extends FormatError {
  constructor({ damage }: LogRead) {
    super(`its log is damaged: ${damage ?? 'it ends early'}`)
    this.name = 'SnapshotNotCompleted'
  }
}

/**
 * Restores the contents of the folder.
 *
 * @param table for the names of its zones
 * @param lengths of its logs; the lengths that snapshots need are added
 * @throws FolderIsNewer when only a newer program can read it
 * @throws the system's error when the folder itself cannot be read; a file in it never throws
 */
export async function recover(
  files: Files,
  folder: string,
  table: ZoneTable,
  lengths: LogLengths,
): Promise<Recovered> {
  const contents = await listGenerations(files, folder)
  return new Recovery({ files, folder }, contents, table, lengths).run()
}

class Recovery {
  readonly #place: ReadingPlace
  readonly #contents: FolderContents
  readonly #table: ZoneTable
  readonly #lengths: LogLengths
  readonly #findings: string[] = []

  constructor(
    place: ReadingPlace,
    contents: FolderContents,
    table: ZoneTable,
    lengths: LogLengths,
  ) {
    this.#place = place
    this.#contents = contents
    this.#table = table
    this.#lengths = lengths
  }

  async run(): Promise<Recovered> {
    const { snapshots } = this.#contents
    // A snapshot only gets its name when its log is on the disk.
    for (const generation of snapshots) this.#mustHave(generation, HEADER_BYTES)
    let newer: FolderIsNewer | undefined
    let lastResort: number | undefined
    for (const generation of snapshots.toReversed()) {
      const path = generationPath(this.#place.folder, 'snapshot', generation)
      try {
        return await this.#from(generation, 'as it was')
      } catch (error) {
        if (error instanceof NewerFormatError) newer ??= new FolderIsNewer(path, error)
        if (error instanceof SnapshotNotCompleted) lastResort ??= generation
        this.#findings.push(`${path} cannot be used: ${problemOf(error)}`)
      }
    }
    if (newer !== undefined) throw newer
    return lastResort === undefined ? this.#nothing() : this.#from(lastResort, 'incomplete')
  }

  /**
   * Restores from one snapshot.
   *
   * @param wanted `incomplete` accepts it without the part of its log that completes it. Its names are then of several
   * versions, each as it was once published, which is better than no zones.
   * @throws FormatError, or the system's error, when it cannot be used
   */
  async #from(generation: number, wanted: 'as it was' | 'incomplete'): Promise<Recovered> {
    const into = new Rebuilding(this.#table)
    try {
      const { bytes, logBytes } = await readSnapshot(this.#place, generation, into)
      this.#mustHave(generation, logBytes)
      // A snapshot that was written while nothing changed is complete without its log.
      const neededBytes = wanted === 'incomplete' || logBytes <= HEADER_BYTES ? 0 : logBytes
      const { findings, ...replayed } = await this.#replay(generation, neededBytes, into)
      into.dropUnfinished()
      this.#findings.push(...findings, ...into.findings)
      return {
        ...this.#nothing(),
        ...replayed,
        zones: into.zones,
        snapshot: { generation, bytes },
        findings: [...this.#findings, ...incompleteZones(into.zones)],
      }
    } catch (error) {
      into.dropAll()
      throw error
    }
  }

  /**
   * Replays the logs from a generation on, in their order.
   *
   * @param neededBytes the length of the first log that the snapshot needs
   * @throws SnapshotNotCompleted when it does not reach that far
   */
  async #replay(
    from: number,
    neededBytes: number,
    into: Rebuilding,
  ): Promise<Pick<Recovered, 'log' | 'logBytes' | 'findings'>> {
    const findings: string[] = []
    let log: Recovered['log']
    let logBytes = 0
    for (const generation of this.#logsFrom(from)) {
      const path = generationPath(this.#place.folder, 'log', generation)
      const read = await readLog(this.#place, generation, into)
      const { endBytes, sizeBytes, damage } = read
      if (generation === from && endBytes < neededBytes) throw new SnapshotNotCompleted(read)
      if (damage !== undefined) {
        const unused = sizeBytes - endBytes
        findings.push(`${path}: ${damage}; the ${unused} octets from there on are ignored`)
      }
      const leastBytes = this.#lengths.leastBytes(generation)
      const isLost = endBytes < leastBytes
      if (isLost) {
        into.markIncomplete()
        findings.push(
          `${path}: the changes after octet ${endBytes} are lost; the log had at least ${leastBytes} octets`,
        )
      }
      logBytes += endBytes
      // A log that lost content is not continued: the loss must be found again until a snapshot has the marks.
      log = read.isPresentFormat && !isLost ? { generation, endBytes } : undefined
    }
    return { log, logBytes, findings }
  }

  /** The logs from a generation on, including missing ones that are known to have existed. */
  #logsFrom(from: number): number[] {
    const all = new Set([...this.#contents.logs, ...this.#lengths.generations])
    return [...all].filter((generation) => generation >= from).sort((a, b) => a - b)
  }

  #mustHave(generation: number, bytes: number): void {
    this.#lengths.raise(generation, { writtenBytes: bytes, syncedBytes: bytes })
  }

  #nothing(): Recovered {
    const { snapshots, logs } = this.#contents
    return {
      zones: new Map(),
      snapshot: undefined,
      log: undefined,
      logBytes: 0,
      newestGeneration: Math.max(0, ...snapshots, ...logs, ...this.#lengths.generations),
      isDamaged: this.#findings.length > 0,
      findings: this.#findings,
    }
  }
}

// A folder may have thousands of zones.
const NAMED_LIMIT = 5

function incompleteZones(zones: ReadonlyMap<string, Zone>): string[] {
  const names = [...zones.values()]
    .filter((zone) => zone.isIncomplete)
    .map(({ apex }) => nameToText(apex))
  if (names.length === 0) return []
  const more = names.length > NAMED_LIMIT ? ` and ${names.length - NAMED_LIMIT} more` : ''
  const which = `${names.slice(0, NAMED_LIMIT).join(', ')}${more}`
  return [
    `Zones are incomplete until they are read from the database: ${which}. Their missing names are answered with SERVFAIL, and secondaries do not get them.`,
  ]
}
