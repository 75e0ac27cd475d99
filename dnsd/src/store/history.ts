/*
 * The changes in a zone between two of its versions, read from the logs on disk: the differences that IXFR
 * sends (RFC 1995 §4). The logs hold each change set with the RRsets before and after, so no other storage
 * is needed and the history survives a restart. It reaches back as far as the logs, which is to the older
 * of the two snapshots. It restarts when a zone was read completely.
 *
 * Memory holds only the positions to start reading from (`HistoryIndex`). After a start, they are rebuilt
 * by reading the logs once, while questions are answered; requests for differences wait meanwhile.
 *
 * Sets are condensed: a name that changed a thousand times between the versions appears once, with its
 * first and its last state. A long range is condensed in parts of a few thousand names each, so that memory
 * use stays bounded.
 */
import { nameKey, soaSerial } from '../names/index.ts'
import type { RRset, SoaParameters, ZoneVersion } from '../zone/index.ts'
import { soaRRset } from '../zone/soa.ts'
import type { ChangedName, ChangeSet } from './change-set.ts'
import { readEntry, readHead, type Entry, type EntryHead } from './disk/entry.ts'
import { HEADER_BYTES } from './disk/file-format.ts'
import type { FileHandle, Files } from './disk/files.ts'
import { generationPath, listGenerations } from './disk/generation.ts'
import { readFrames } from './disk/log-frames.ts'
import {
  type Checkpoint,
  HistoryIndex,
  type LogPlace,
  STRIDE_BYTES,
  serialBefore,
} from './history-index.ts'
import { WorkSlice } from './work-slice.ts'

/** The removals and additions that lead from one version of a zone to a later one. */
export interface Difference {
  readonly from: RRset
  readonly to: RRset
  /** By name, without names whose final state equals their first. */
  readonly changes: readonly ChangedName[]
}

/** The version that differences lead to. */
export interface PresentVersion {
  readonly version: ZoneVersion
  readonly soa: SoaParameters
}

/** The logs lack expected entries, so the zone must be sent as a whole. */
class HistoryGap extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'HistoryGap'
  }
}

// A part with this many names takes some megabytes.
const NAMES_PER_DIFFERENCE = 5_000

export class History {
  readonly #files: Files
  readonly #folder: string
  readonly #index = new HistoryIndex()
  #scanned: Promise<void> = Promise.resolve()
  /** Entries written while the older logs are still being read. */
  #waiting: (() => void)[] | undefined

  constructor(files: Files, folder: string) {
    this.#files = files
    this.#folder = folder
  }

  /** Starts reading the logs. @param present the log that is being written, and its current end */
  scan(present: { readonly generation: number; readonly endBytes: number } | undefined): void {
    this.#waiting = []
    this.#scanned = this.#scanAll(present)
      .catch(() => undefined)
      .then(() => {
        for (const note of this.#waiting ?? []) note()
        this.#waiting = undefined
      })
  }

  /** Records an entry that was written to a log. */
  note(entry: Entry, place: LogPlace): void {
    const head = headOf(entry)
    if (head !== undefined) this.#whenScanned(() => this.#index.note(head, place))
  }

  /** Forgets the logs before this generation. Snapshots no longer need them, and they are deleted. */
  forgetBefore(generation: number): void {
    this.#whenScanned(() => this.#index.forgetBefore(generation))
  }

  /**
   * The changes since the version that a secondary has.
   *
   * @param serial of its SOA
   * @param limitBytes how much log may be read for it
   * @returns undefined when the logs do not have the changes, or not within the limit
   */
  async since(
    zoneId: string,
    serial: number,
    present: PresentVersion,
    limitBytes: number,
  ): Promise<AsyncGenerator<Difference> | undefined> {
    await this.#scanned
    const { version } = present
    // RFC 1982: a difference of more than half of all serials means ahead.
    const behind = (soaSerial(version.serial) - serial) | 0
    if (behind <= 0) return undefined
    const from = version.serial - BigInt(behind)
    const path = this.#index.path(zoneId, from, version)
    if (path === undefined || (path.length - 1) * STRIDE_BYTES > limitBytes) return undefined
    const opened = await this.#open(path)
    return opened && this.#differences(zoneId, from, present, path, opened)
  }

  #whenScanned(note: () => void): void {
    if (this.#waiting === undefined) note()
    else this.#waiting.push(note)
  }

  async #scanAll(present: { generation: number; endBytes: number } | undefined): Promise<void> {
    const { logs } = await listGenerations(this.#files, this.#folder)
    const slice = new WorkSlice()
    for (const generation of logs) {
      if (present !== undefined && generation > present.generation) return
      const endBytes = generation === present?.generation ? present.endBytes : Infinity
      const file = await this.#files.open(generationPath(this.#folder, 'log', generation), 'r')
      try {
        for await (const frames of readFrames(file, HEADER_BYTES, endBytes)) {
          for (const { atBytes, payload } of frames) {
            const head = readHead(payload)
            if (head !== undefined) this.#index.note(head, { generation, atBytes })
          }
          if (slice.isOver) await slice.rest()
        }
      } finally {
        await file.close()
      }
    }
  }

  /** Opens all needed logs at once, because a log that is deleted meanwhile stays readable when open. */
  async #open(path: readonly Checkpoint[]): Promise<Map<number, FileHandle> | undefined> {
    const opened = new Map<number, FileHandle>()
    try {
      for (const { generation } of path) {
        if (opened.has(generation)) continue
        const file = generationPath(this.#folder, 'log', generation)
        opened.set(generation, await this.#files.open(file, 'r'))
      }
      return opened
    } catch {
      await closeAll(opened)
      return undefined
    }
  }

  async *#differences(
    zoneId: string,
    from: bigint,
    present: PresentVersion,
    path: readonly Checkpoint[],
    opened: ReadonlyMap<number, FileHandle>,
  ): AsyncGenerator<Difference> {
    const soaAt = (serial: bigint): RRset => {
      const soa = this.#index.soaAt(zoneId, serial, present.soa)
      if (soa === undefined) throw new HistoryGap(`the SOA of serial ${serial} is not known`)
      return soaRRset(soa, serial)
    }
    let part = new Condensed()
    let fromSerial = from
    let serial = from
    try {
      for await (const set of setsOnPath(zoneId, path, opened)) {
        if (set.version.serial <= from) continue
        // The first set must follow the version that the secondary has, and each further set the one before
        // it.
        if (serialBefore(set.version.serial) !== serial) break
        part.add(set)
        serial = set.version.serial
        const isLast = set.version.token === present.version.token
        if (!isLast && part.nameCount < NAMES_PER_DIFFERENCE) continue
        yield { from: soaAt(fromSerial), to: soaAt(serial), changes: part.changes() }
        if (isLast) return
        part = new Condensed()
        fromSerial = serial
      }
      // A write failed. The index of this zone is unusable until its chain restarts.
      this.#index.forget(zoneId)
      throw new HistoryGap(`the logs end at serial ${serial} and not at ${present.version.serial}`)
    } finally {
      await closeAll(opened)
    }
  }
}

/** The change sets of a zone after the checkpoints, in order. */
async function* setsOnPath(
  zoneId: string,
  path: readonly Checkpoint[],
  opened: ReadonlyMap<number, FileHandle>,
): AsyncGenerator<ChangeSet> {
  const slice = new WorkSlice()
  for (const [index, { generation, atBytes }] of path.entries()) {
    const file = opened.get(generation)
    const next = path[index + 1]
    if (file === undefined) return
    const isSameLog = next?.generation === generation
    const endBytes = Math.min(atBytes + STRIDE_BYTES, isSameLog ? next.atBytes : Infinity)
    for await (const frames of readFrames(file, atBytes, endBytes)) {
      for (const { payload } of frames) {
        const head = readHead(payload)
        if (head?.kind !== 'change-set' || head.zoneId !== zoneId) continue
        const entry = readEntry(Buffer.from(payload))
        if (entry.kind === 'change-set') yield entry.set
        if (slice.isOver) await slice.rest()
      }
    }
  }
}

/** Names with their first and their final state. */
class Condensed {
  readonly #names = new Map<string, ChangedName>()

  get nameCount(): number {
    return this.#names.size
  }

  add({ changes }: ChangeSet): void {
    for (const change of changes) {
      const key = nameKey(change.owner)
      const earlier = this.#names.get(key)
      this.#names.set(key, earlier === undefined ? change : { ...change, before: earlier.before })
    }
  }

  changes(): ChangedName[] {
    return [...this.#names.values()]
  }
}

function headOf(entry: Entry): EntryHead | undefined {
  const { kind } = entry
  return kind === 'zone' || kind === 'change-set' || kind === 'zone-gone' ? entry : undefined
}

async function closeAll(opened: ReadonlyMap<number, FileHandle>): Promise<void> {
  for (const file of opened.values()) await file.close()
}
