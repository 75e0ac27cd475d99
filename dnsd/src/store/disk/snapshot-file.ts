/*
 * Writes a snapshot while the zones continue to change.
 *
 * Writing a million names in one step would delay queries, so each name is written with the data that it
 * has at that time, some before and some after a change that arrives meanwhile. This is correct because
 * the log of the same generation began earlier. Every change set that a name in the snapshot may already
 * include is replayed from that log as complete states, so the final state of each name is the same. A
 * snapshot is therefore only valid together with its log, up to the length that the log had when the
 * last name was written. The snapshot records this length, and gets its name only when that part of the
 * log is on the disk.
 */
import type { SoaParameters, Zone, ZoneVersion } from '../../zone/index.ts'
import { WorkSlice } from '../work-slice.ts'
import type { Entry } from './entry.ts'
import { fileHeader, FORMAT_VERSION, framed, INCOMPLETE_FORMAT_VERSION } from './file-format.ts'
import { type FileHandle, type Files, syncFolder, writeAll } from './files.ts'
import { generationPath, unfinishedPath } from './generation.ts'
import type { LogFile } from './log-file.ts'

/** A zone at the time when the log of the snapshot's generation began. */
export interface ZoneAtStart {
  readonly zoneId: string
  readonly zone: Zone
  readonly version: ZoneVersion
  readonly soa: SoaParameters
}

/**
 * A zone's entries, one piece at a time. The zone may change between two pieces: a name that is deleted
 * before it is written is left out, and a new name comes at the end.
 */
export function* zoneEntries({ zoneId, zone, version, soa }: ZoneAtStart): Generator<Entry> {
  yield { kind: 'zone', zoneId, version, soa, apex: zone.apex, names: zone.nameCount }
  if (zone.isIncomplete) yield { kind: 'incomplete', zoneId }
  const { apexRRsets: rrsets } = zone
  if (rrsets !== null) {
    yield { kind: 'states', zoneId, states: [{ owner: zone.apex, rrsets }] }
  }
  for (const octets of zone.pieces()) yield { kind: 'names', zoneId, octets }
  yield { kind: 'zone-end', zoneId }
}

const WRITE_BYTES = 256 * 1024

/** Writes entries in pieces that are large enough for the disk and short enough not to delay queries. */
class SnapshotWriter {
  readonly #file: FileHandle
  readonly #slice = new WorkSlice()
  #pieces: Buffer[] = []
  #pieceBytes = 0
  #endBytes = 0

  constructor(file: FileHandle) {
    this.#file = file
  }

  async add(octets: Buffer): Promise<void> {
    this.#pieces.push(octets)
    this.#pieceBytes += octets.length
    if (this.#slice.isOver) await this.#slice.rest()
    if (this.#pieceBytes >= WRITE_BYTES) await this.flush()
  }

  /** @returns the size of the file */
  async flush(): Promise<number> {
    const octets = Buffer.concat(this.#pieces)
    this.#pieces = []
    this.#pieceBytes = 0
    await writeAll(this.#file, octets, this.#endBytes)
    this.#endBytes += octets.length
    return this.#endBytes
  }
}

/**
 * Writes snapshot `log.generation` to a temporary file and renames it when it is complete and on the
 * disk.
 *
 * @param zones the zones at the time when `log` began
 * @returns its size in octets
 * @throws the system's error, after removing the temporary file
 */
export async function writeSnapshot(
  files: Files,
  folder: string,
  log: LogFile,
  zones: readonly ZoneAtStart[],
): Promise<number> {
  const path = unfinishedPath(folder, log.generation)
  try {
    const bytes = await writeAside(files, path, log, zones)
    await files.rename(path, generationPath(folder, 'snapshot', log.generation))
    await syncFolder(files, folder)
    return bytes
  } catch (error) {
    await files.rm(path, { force: true })
    throw error
  }
}

async function writeAside(
  files: Files,
  path: string,
  log: LogFile,
  zones: readonly ZoneAtStart[],
): Promise<number> {
  const file = await files.open(path, 'w')
  try {
    const writer = new SnapshotWriter(file)
    const hasIncomplete = zones.some(({ zone }) => zone.isIncomplete)
    const format = hasIncomplete ? INCOMPLETE_FORMAT_VERSION : FORMAT_VERSION
    await writer.add(fileHeader('snapshot', log.generation, format))
    for (const zone of zones) {
      for (const entry of zoneEntries(zone)) await writer.add(framed(entry))
    }
    await writer.add(framed({ kind: 'end', logBytes: log.endBytes }))
    const bytes = await writer.flush()
    await file.sync()
    // Before the rename: without this part of its log, the snapshot would be unusable.
    await log.sync()
    return bytes
  } finally {
    await file.close()
  }
}
