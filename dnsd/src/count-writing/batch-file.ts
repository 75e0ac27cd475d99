/*
 * The file of one batch of counts, written and read in pieces of any number of lines.
 *
 *   the head      JSON: version, and the ids of the batches that this one replaces
 *   a name        see `query-counts/count-lines`; any number of lines
 *   the end       JSON: the number of rows and queries, and the SHA-256 of everything before
 */
import { createHash } from 'node:crypto'
import type { CountLines, LineTotals, ReadLines } from '../query-counts/index.ts'
import { type FileHandle, type Files, writeAll } from '../store/index.ts'

const FORMAT = 1
const PIECE_BYTES = 64 * 1024
const LINE_FEED = 0x0a
// The lines of names begin with a letter.
const OPENING_BRACE = 0x7b

/** The file is not what was written: it was cut off, or changed. */
export class DamagedBatch extends Error {}

/** The size of a written file, and how many queries it counts. */
export interface BatchSize {
  readonly bytes: number
  readonly queries: number
}

interface Head {
  readonly replaces: readonly string[]
}

interface End extends LineTotals {
  readonly sha256: string
}

/**
 * Writes a complete file and syncs it.
 *
 * @param replaces ids of batches that this one contains
 * @throws the system's error; the file may then be incomplete
 */
export async function writeBatchFile(
  files: Files,
  path: string,
  lines: CountLines,
  replaces: readonly string[] = [],
): Promise<BatchSize> {
  const file = await files.open(path, 'w')
  try {
    const hash = createHash('sha256')
    let bytes = 0
    const write = async (octets: Buffer) => {
      hash.update(octets)
      await writeAll(file, octets, bytes)
      bytes += octets.length
    }
    await write(jsonLine({ format: FORMAT, replaces }))
    let step = lines.next()
    for (; step.done !== true; step = lines.next()) await write(step.value)
    const sha256 = hash.copy().digest('hex')
    await write(jsonLine({ ...step.value, sha256 } satisfies End))
    await file.sync()
    return { bytes, queries: step.value.queries }
  } finally {
    await file.close()
  }
}

const jsonLine = (value: object) => Buffer.from(`${JSON.stringify(value)}\n`)

/** Reads the lines of a batch. The last step throws DamagedBatch if the file is damaged: what it gave is then invalid. */
export async function* readBatchFile(files: Files, path: string): ReadLines {
  const file = await files.open(path, 'r')
  try {
    const hash = createHash('sha256')
    const pieces = wholeLines(file)
    let isHead = true
    for await (const piece of pieces) {
      const lastAt = piece.lastIndexOf(LINE_FEED, -2) + 1
      const isEnd = piece[lastAt] === OPENING_BRACE && !(isHead && lastAt === 0)
      const before = isEnd ? piece.subarray(0, lastAt) : piece
      hash.update(before)
      const names = isHead ? before.subarray(before.indexOf(LINE_FEED) + 1) : before
      isHead = false
      if (isEnd) {
        const { sha256, rows, queries } = parsed(piece.subarray(lastAt)) as End
        if (sha256 !== hash.digest('hex')) throw new DamagedBatch('its contents were changed')
        if (names.length > 0) yield names
        return { rows, queries }
      }
      if (names.length > 0) yield names
    }
    throw new DamagedBatch(isHead ? 'it is empty' : 'it ends early')
  } finally {
    await file.close()
  }
}

/**
 * The ids of the batches that a batch replaces.
 *
 * @throws DamagedBatch, or the system's error
 */
export async function replacedBatches(files: Files, path: string): Promise<readonly string[]> {
  const file = await files.open(path, 'r')
  try {
    for await (const piece of wholeLines(file)) {
      return (parsed(piece.subarray(0, piece.indexOf(LINE_FEED))) as Head).replaces
    }
    throw new DamagedBatch('it is empty')
  } finally {
    await file.close()
  }
}

/**
 * How many queries a batch counts.
 *
 * @throws DamagedBatch, or the system's error
 */
export async function queriesIn(files: Files, path: string): Promise<number> {
  const lines = readBatchFile(files, path)
  for (;;) {
    const step = await lines.next()
    if (step.done === true) return step.value.queries
  }
}

function parsed(octets: Buffer): unknown {
  try {
    return JSON.parse(octets.toString()) as unknown
  } catch {
    throw new DamagedBatch('a line is not JSON')
  }
}

/** Pieces of whole lines. Octets after the last line feed are left out. */
async function* wholeLines(file: FileHandle): AsyncGenerator<Buffer, void, undefined> {
  let rest: Buffer = Buffer.alloc(0)
  for (let at = 0; ;) {
    const piece = Buffer.allocUnsafe(PIECE_BYTES)
    const { bytesRead } = await file.read(piece, 0, PIECE_BYTES, at)
    if (bytesRead === 0) return
    at += bytesRead
    const read = piece.subarray(0, bytesRead)
    const end = read.lastIndexOf(LINE_FEED) + 1
    if (end === 0) {
      rest = Buffer.concat([rest, read])
      continue
    }
    yield rest.length === 0 ? read.subarray(0, end) : Buffer.concat([rest, read.subarray(0, end)])
    rest = read.subarray(end)
  }
}
