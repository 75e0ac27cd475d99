/* Reads one snapshot or one log, entry by entry, into zones. */
import {
  checkHeader,
  type Damage,
  type FileKind,
  FORMAT_VERSION,
  HEADER_BYTES,
  readEntries,
} from './file-format.ts'
import type { FileHandle, Files } from './files.ts'
import { generationPath } from './generation.ts'
import { FormatError } from './octets.ts'
import type { Rebuilding } from './rebuilding.ts'

/** The folder that files are read from. */
export interface ReadingPlace {
  readonly files: Files
  readonly folder: string
}

async function reading<T>(
  { files, folder }: ReadingPlace,
  kind: FileKind,
  generation: number,
  use: (file: FileHandle) => Promise<T>,
): Promise<T> {
  const file = await files.open(generationPath(folder, kind, generation), 'r')
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

function damageText({ reason, atBytes }: Damage): string {
  return `${reason} at octet ${atBytes}`
}

/** The result of reading a snapshot. */
export interface SnapshotRead {
  readonly bytes: number
  /** How much of its log belongs to it. */
  readonly logBytes: number
}

/** @throws FormatError for an incomplete or invalid snapshot; the system's error when it cannot be read */
export async function readSnapshot(
  place: ReadingPlace,
  generation: number,
  into: Rebuilding,
): Promise<SnapshotRead> {
  return reading(place, 'snapshot', generation, async (file) => {
    await readHeader(file, 'snapshot', generation)
    const runs = readEntries(file)
    let bytes = HEADER_BYTES
    let logBytes: number | undefined
    for (;;) {
      const next = await runs.next()
      if (next.done === true) {
        if (next.value !== undefined) throw new FormatError(damageText(next.value))
        if (logBytes === undefined) throw new FormatError('it is incomplete')
        return { bytes, logBytes }
      }
      for (const entry of next.value.entries) {
        into.take(entry)
        if (entry.kind === 'end') logBytes = entry.logBytes
      }
      bytes = next.value.endBytes
    }
  })
}

/** The result of reading a log up to its first invalid entry. */
export interface LogRead {
  /** The offset where reading ended; 0 when even the header is invalid. */
  readonly endBytes: number
  readonly sizeBytes: number
  /** Why it could not be read completely. */
  readonly damage: string | undefined
  /** Whether it has the format that this program writes. */
  readonly isPresentFormat: boolean
}

/** Never throws: a log that cannot be read has no entries. */
export async function readLog(
  place: ReadingPlace,
  generation: number,
  into: Rebuilding,
): Promise<LogRead> {
  let read: LogRead = { endBytes: 0, sizeBytes: 0, damage: undefined, isPresentFormat: false }
  try {
    await reading(place, 'log', generation, async (file) => {
      const { size: sizeBytes } = await file.stat()
      read = { ...read, sizeBytes }
      const format = await readHeader(file, 'log', generation)
      // Entries of this program must not be appended to a file whose format says that older programs can read
      // it.
      read = { ...read, endBytes: HEADER_BYTES, isPresentFormat: format === FORMAT_VERSION }
      const runs = readEntries(file)
      let next = await runs.next()
      for (; next.done !== true; next = await runs.next()) {
        for (const entry of next.value.entries) into.take(entry)
        read = { ...read, endBytes: next.value.endBytes }
      }
      if (next.value !== undefined) read = { ...read, damage: damageText(next.value) }
    })
  } catch (error) {
    read = { ...read, damage: problemOf(error) }
  }
  return read
}

/** Why a file cannot be used, as a clause: its contents are invalid, or the system refuses to read it. */
export function problemOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') return 'it is missing'
  return code === undefined ? message : `it cannot be read: ${message}`
}
