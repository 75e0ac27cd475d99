/*
 * Writing a snapshot while the zones go on changing.
 *
 * A million names cannot be written in one step without questions waiting, so names are written as they
 * are when their turn comes, some before and some after a change that arrives meanwhile. That is right
 * because the log of the same generation began first: every change set that a name in the snapshot could
 * already hold is repeated from that log, as whole states, and the last word on each name is the same.
 * A snapshot is therefore good only together with its log up to where that was when the last name was
 * written; it notes the place, and it gets its name only when the log is on the disk that far.
 */
import type { SoaParameters, Zone, ZoneVersion } from '../../zone/index.ts'
import { WorkSlice } from '../work-slice.ts'
import type { Entry } from './entry.ts'
import { fileHeader, FORMAT_VERSION, framed, INCOMPLETE_FORMAT_VERSION } from './file-format.ts'
import { type FileHandle, type Files, syncFolder, writeAll } from './files.ts'
import { generationPath, unfinishedPath } from './generation.ts'
import type { LogFile } from './log-file.ts'

/** A zone as it was when the log of the snapshot's generation began. */
export interface ZoneAtStart {
  readonly zoneId: string
  readonly zone: Zone
  readonly version: ZoneVersion
  readonly soa: SoaParameters
}

/**
 * A zone's entries, a piece at a time. The zone may change between two pieces: a name that is deleted
 * before its turn is left out, a new one comes at the end.
 */
export function* zoneEntries({ zoneId, zone, version, soa }: ZoneAtStart): Generator<Entry> {
  yield { kind: 'zone', zoneId, version, soa, origin: zone.origin, names: zone.nameCount }
  if (zone.isIncomplete) yield { kind: 'incomplete', zoneId }
  const { apexRRsets: rrsets } = zone
  if (rrsets !== null) {
    yield { kind: 'states', zoneId, states: [{ owner: zone.origin, rrsets }] }
  }
  for (const octets of zone.pieces()) yield { kind: 'names', zoneId, octets }
  yield { kind: 'zone-end', zoneId }
}

const WRITE_BYTES = 256 * 1024

/** Writes entries in pieces that are neither too small for the disk nor too long for those who ask. */
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
 * Writes snapshot `log.generation` aside and puts it in place once it is whole and on the disk.
 *
 * @param zones as they were when `log` began
 * @returns its size in octets
 * @throws the system's error; nothing is left behind then
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
    // Last, and the snapshot has no name before it: without this part of its log it would be of no use.
    await log.sync()
    return bytes
  } finally {
    await file.close()
  }
}
