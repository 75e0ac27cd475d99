/*
 * What was served when the process ended, read back from the newest snapshot that can be believed and
 * the logs from there on. Nothing here changes a file.
 *
 * A file is believed entry by entry. A snapshot with one wrong octet is refused as a whole and the one
 * before it used, from which the logs lead to the same present. A log is used up to its first wrong
 * entry; the next log is tried all the same, because each change set names the one before it, so
 * a zone that missed something cannot go on by accident.
 */
import type { ZoneTable } from '../../table/index.ts'
import type { Zone } from '../../zone/index.ts'
import {
  checkHeader,
  type Damage,
  type FileKind,
  FORMAT_VERSION,
  HEADER_BYTES,
  NewerFormatError,
  readEntries,
} from './file-format.ts'
import type { FileHandle, Files } from './files.ts'
import { generationPath, listGenerations } from './generation.ts'
import { FormatError } from './octets.ts'
import { Rebuilding } from './rebuilding.ts'

export interface Recovered {
  /** By zone id. */
  readonly zones: ReadonlyMap<string, Zone>
  /** The snapshot it began with; undefined when none could be used. */
  readonly snapshot: { readonly generation: number; readonly bytes: number } | undefined
  /** The newest log, when it can be continued at `endBytes`. */
  readonly log: { readonly generation: number; readonly endBytes: number } | undefined
  /** Octets of all logs that were read. */
  readonly logBytes: number
  /** The highest generation of any file. */
  readonly newestGeneration: number
  /** Sentences about what was refused or cut off, for the operator. */
  readonly findings: readonly string[]
}

async function reading<T>(
  files: Files,
  path: string,
  use: (file: FileHandle) => Promise<T>,
): Promise<T> {
  const file = await files.open(path, 'r')
  try {
    return await use(file)
  } finally {
    await file.close()
  }
}

async function readHeader(file: FileHandle, kind: FileKind, generation: number): Promise<number> {
  const header = Buffer.alloc(HEADER_BYTES)
  const { bytesRead } = await file.read(header, 0, HEADER_BYTES, 0)
  return checkHeader(header.subarray(0, bytesRead), kind, generation)
}

/** @returns how far its log must be readable @throws FormatError for anything that is not a whole snapshot */
async function readSnapshot(
  file: FileHandle,
  generation: number,
  into: Rebuilding,
): Promise<{ bytes: number; logBytes: number }> {
  await readHeader(file, 'snapshot', generation)
  const runs = readEntries(file)
  let bytes = HEADER_BYTES
  let logBytes: number | undefined
  for (;;) {
    const next = await runs.next()
    if (next.done === true) {
      if (next.value !== undefined) throw new FormatError(damageText(next.value))
      if (logBytes === undefined) throw new FormatError('it has no end')
      return { bytes, logBytes }
    }
    for (const entry of next.value.entries) {
      into.take(entry)
      if (entry.kind === 'end') logBytes = entry.logBytes
    }
    bytes = next.value.endBytes
  }
}

function damageText({ reason, atBytes }: Damage): string {
  return `${reason} at octet ${atBytes}`
}

interface LogRead {
  /** Of what format it is; undefined when its header cannot be read. */
  readonly format: number | undefined
  readonly endBytes: number
  readonly sizeBytes: number
  readonly damage: string | undefined
}

async function readLog(file: FileHandle, generation: number, into: Rebuilding): Promise<LogRead> {
  const { size: sizeBytes } = await file.stat()
  let endBytes = 0
  let format: number | undefined
  try {
    format = await readHeader(file, 'log', generation)
    endBytes = HEADER_BYTES
    const runs = readEntries(file)
    for (;;) {
      const next = await runs.next()
      if (next.done === true) {
        const damage = next.value === undefined ? undefined : damageText(next.value)
        return { format, endBytes, sizeBytes, damage }
      }
      for (const entry of next.value.entries) into.take(entry)
      endBytes = next.value.endBytes
    }
  } catch (error) {
    return { format, endBytes, sizeBytes, damage: damageOf(error) }
  }
}

// What cannot be read is damage, whether the octets are wrong or the disk does not give them. A file
// that must not be read is not: that is for the operator to mend, and nothing is lost meanwhile.
function damageOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code !== undefined && code !== 'EIO') throw error
  return message
}

/** All that there is was made by a newer program. To begin anew would be to throw it away. */
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

const NO_ZONES: ReadonlyMap<string, Zone> = new Map()

/**
 * What the folder holds.
 *
 * @param table where the names of its zones are to be
 * @throws FolderIsNewer when it can be read by a newer program only
 * @throws the system's error when files cannot be read; damage never throws
 */
export async function recover(files: Files, folder: string, table: ZoneTable): Promise<Recovered> {
  const { snapshots, logs } = await listGenerations(files, folder)
  const newestGeneration = Math.max(0, ...snapshots, ...logs)
  const findings: string[] = []
  let newer: FolderIsNewer | undefined
  for (const generation of snapshots.toReversed()) {
    const path = generationPath(folder, 'snapshot', generation)
    const into = new Rebuilding(table)
    try {
      const snapshot = await reading(files, path, (file) => readSnapshot(file, generation, into))
      const wanted = logs.filter((log) => log >= generation)
      if (wanted[0] !== generation) throw new FormatError('the log that belongs to it is missing')
      const replayed = await replay(files, folder, wanted, snapshot.logBytes, into)
      into.dropUnfinished()
      return {
        zones: into.zones,
        snapshot: { generation, bytes: snapshot.bytes },
        log: replayed.log,
        logBytes: replayed.logBytes,
        newestGeneration,
        findings: [...findings, ...replayed.findings, ...into.findings],
      }
    } catch (error) {
      into.dropAll()
      if (error instanceof NewerFormatError) newer ??= new FolderIsNewer(path, error)
      findings.push(`${path} is refused: ${damageOf(error)}`)
    }
  }
  if (newer !== undefined) throw newer
  return {
    zones: NO_ZONES,
    snapshot: undefined,
    log: undefined,
    logBytes: 0,
    newestGeneration,
    findings,
  }
}

/**
 * Replays logs in their order.
 *
 * @param neededBytes of the first one, without which the snapshot is not whole
 * @throws FormatError when the first log does not reach that far
 */
async function replay(
  files: Files,
  folder: string,
  generations: readonly number[],
  neededBytes: number,
  into: Rebuilding,
): Promise<Pick<Recovered, 'log' | 'logBytes' | 'findings'>> {
  const findings: string[] = []
  let log: Recovered['log']
  let logBytes = 0
  for (const [index, generation] of generations.entries()) {
    const path = generationPath(folder, 'log', generation)
    const read = await reading(files, path, (file) => readLog(file, generation, into))
    if (index === 0 && read.endBytes < neededBytes) {
      throw new FormatError(`its log is damaged: ${read.damage ?? 'it ends early'}`)
    }
    if (read.damage !== undefined) {
      const lost = read.sizeBytes - read.endBytes
      findings.push(`${path}: ${read.damage}; the ${lost} octets from there on are not used`)
    }
    logBytes += read.endBytes
    // What this program writes has no place in a file that says that older ones can read it.
    log = read.format === FORMAT_VERSION ? { generation, endBytes: read.endBytes } : undefined
  }
  return { log, logBytes, findings }
}
