/*
 * The frame of both kinds of files: a header of 32 octets, then entries, each preceded by its length and a CRC-32.
 * Written data is never changed, so the file ends at the first wrong length or checksum.
 */
import { crc32 } from 'node:zlib'
import { type Entry, readEntry, writeEntry } from './entry.ts'
import type { FileHandle } from './files.ts'
import { ENTRY_LIMIT_BYTES, FRAME_BYTES, FrameRoom } from './frame-room.ts'
import { FormatError, OctetWriter } from './octets.ts'

/**
 * Increased when old programs could not read the files of new ones. Format 1, which has no entries of the kind
 * `names`, is read and no longer written.
 */
export const FORMAT_VERSION = 2
/**
 * The format of a snapshot with an incomplete zone, which it marks with an entry that format 2 does not have. A
 * program that does not know the mark would answer NXDOMAIN for lost names. Such programs can still read all other
 * files.
 */
export const INCOMPLETE_FORMAT_VERSION = 3
const NEWEST_FORMAT_VERSION = INCOMPLETE_FORMAT_VERSION
const FORMATS_READ = [1, FORMAT_VERSION, INCOMPLETE_FORMAT_VERSION]

export const HEADER_BYTES = 32
const MAGIC = Buffer.from('HOMINGDZ')
const FILE_KINDS = ['snapshot', 'log'] as const
export type FileKind = (typeof FILE_KINDS)[number]

const READ_BYTES = 1024 * 1024

/** The first octets of a file. They contain the generation, so that a renamed file is detected. */
export function fileHeader(kind: FileKind, generation: number, version = FORMAT_VERSION): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  MAGIC.copy(header)
  header.writeUInt16BE(version, 8)
  header.writeUInt8(FILE_KINDS.indexOf(kind), 10)
  header.writeBigUInt64BE(BigInt(generation), 12)
  header.writeUInt32BE(crc32(header.subarray(0, HEADER_BYTES - 4)), HEADER_BYTES - 4)
  return header
}

/** The file is valid but was written by a newer program. */
export class NewerFormatError extends FormatError {
  constructor(version: number) {
    super(
      `it is of format ${version}, from a newer version; this one reads format ${NEWEST_FORMAT_VERSION}`,
    )
    this.name = 'NewerFormatError'
  }
}

/**
 * @returns the file's format
 * @throws NewerFormatError
 * @throws FormatError when the file does not have that kind and generation, or cannot be read by this program
 */
export function checkHeader(header: Buffer, kind: FileKind, generation: number): number {
  if (header.length < HEADER_BYTES) throw new FormatError('it ends in the header')
  if (!header.subarray(0, 8).equals(MAGIC)) throw new FormatError('it is not a file of dnsd')
  // Checked before the checksum, which a later format may store elsewhere.
  const version = header.readUInt16BE(8)
  if (version > NEWEST_FORMAT_VERSION) throw new NewerFormatError(version)
  const isSound =
    FORMATS_READ.includes(version) && header.equals(fileHeader(kind, generation, version))
  if (!isSound) throw new FormatError('its header is damaged')
  return version
}

const writer = new OctetWriter()

/**
 * An entry with its frame.
 *
 * @throws FormatError, RangeError for an entry that cannot be stored
 */
export function framed(entry: Entry): Buffer {
  // Discards the rest of an entry that failed, so that it does not become part of this one.
  writer.clear()
  writer.u32(0)
  writer.u32(0)
  writeEntry(writer, entry)
  const octets = writer.take()
  const payload = octets.subarray(FRAME_BYTES)
  if (payload.length > ENTRY_LIMIT_BYTES)
    throw new FormatError('an entry is too large to be stored')
  octets.writeUInt32BE(payload.length, 0)
  octets.writeUInt32BE(crc32(payload), 4)
  return octets
}

/** Consecutive entries. */
export interface EntryRun {
  readonly entries: readonly Entry[]
  /** The offset in the file where the last of them ends. */
  readonly endBytes: number
}

/** The reason and the position at which reading a file stopped. */
export interface Damage {
  readonly atBytes: number
  readonly reason: string
}

/**
 * The entries after the header, in runs of about a megabyte. Returns the damage at which it stopped, or
 * undefined at the end of the file. All runs share one buffer: the octets of an entry are valid until the
 * next run is requested.
 */
export async function* readEntries(file: FileHandle): AsyncGenerator<EntryRun, Damage | undefined> {
  let atBytes = HEADER_BYTES
  const room = new FrameRoom(READ_BYTES)
  for (;;) {
    if (!(await room.readMore(file, atBytes))) {
      return room.unread.length === 0 ? undefined : { atBytes, reason: 'it ends early' }
    }
    const entries: Entry[] = []
    const { taken, reason } = takeEntries(room.unread, entries)
    atBytes += taken
    if (entries.length > 0) yield { entries, endBytes: atBytes }
    if (reason !== undefined) return { atBytes, reason }
    room.take(taken)
  }
}

function takeEntries(octets: Buffer, into: Entry[]): { taken: number; reason?: string } {
  let taken = 0
  while (octets.length - taken >= FRAME_BYTES) {
    const length = octets.readUInt32BE(taken)
    // After a power failure a file system may leave zeroes, and the checksum of an empty entry is zero.
    if (length === 0 || length > ENTRY_LIMIT_BYTES) return { taken, reason: 'a length is wrong' }
    const end = taken + FRAME_BYTES + length
    if (end > octets.length) break
    const payload = octets.subarray(taken + FRAME_BYTES, end)
    if (crc32(payload) !== octets.readUInt32BE(taken + 4)) {
      return { taken, reason: 'a checksum is wrong' }
    }
    try {
      into.push(readEntry(payload))
    } catch (error) {
      return { taken, reason: error instanceof Error ? error.message : String(error) }
    }
    taken = end
  }
  return { taken }
}
