/*
 * The file of one batch of counts: lines of JSON, so that a batch of any size is written and read in pieces.
 *
 *   the head      version, and the ids of the batches that this one replaces
 *   a name        [zone, kind, name, [[network, queries] …], [[dimension, value, queries] …]], any number of lines
 *   the end       the number of queries, and the SHA-256 of everything before
 */
import { createHash } from 'node:crypto'
import type { CountedName } from '../query-counts/index.ts'
import { type FileHandle, type Files, writeAll } from '../store/index.ts'

const FORMAT = 1
const PIECE_BYTES = 64 * 1024
const NEWLINE = 0x0a

/** The file is not what was written: it was cut off, or changed. */
export class DamagedBatch extends Error {}

/** The size of a written file, and how many queries it counts. */
export interface BatchSize {
  readonly bytes: number
  readonly queries: number
}

type NameLine = [
  CountedName['zone'],
  CountedName['kind'],
  CountedName['name'],
  CountedName['networks'],
  CountedName['facets'],
]

/**
 * Writes a complete file and syncs it.
 *
 * @param replaces ids of batches that this one contains
 * @throws the system's error; the file may then be incomplete
 */
export async function writeBatchFile(
  files: Files,
  path: string,
  names: Iterable<CountedName>,
  replaces: readonly string[] = [],
): Promise<BatchSize> {
  const file = await files.open(path, 'w')
  try {
    const writer = new LineWriter(file)
    await writer.line({ format: FORMAT, replaces })
    let queries = 0
    for (const counted of names) {
      const { zone, kind, name, networks, facets } = counted
      for (const [, times] of networks) queries += times
      await writer.line([zone, kind, name, networks, facets] satisfies NameLine)
    }
    const bytes = await writer.end({ queries })
    await file.sync()
    return { bytes, queries }
  } finally {
    await file.close()
  }
}

/** Reads the names of a batch. The last step throws DamagedBatch if the file is damaged: what it gave is then invalid. */
export async function* readBatchFile(files: Files, path: string): AsyncGenerator<CountedName> {
  const lines = linesOf(files, path)
  try {
    await nextLine(lines)
    for (;;) {
      const line = await nextLine(lines)
      if (!Array.isArray(line)) return
      const [zone, kind, name, networks, facets] = line as NameLine
      yield { zone, kind, name, networks, facets }
    }
  } finally {
    // Closes the file.
    await lines.return(undefined)
  }
}

/**
 * The ids of the batches that a batch replaces.
 *
 * @throws DamagedBatch, or the system's error
 */
export async function replacedBatches(files: Files, path: string): Promise<readonly string[]> {
  const lines = linesOf(files, path)
  try {
    const head = (await nextLine(lines)) as { replaces?: readonly string[] }
    return head.replaces ?? []
  } finally {
    await lines.return(undefined)
  }
}

/**
 * How many queries a batch counts.
 *
 * @throws DamagedBatch, or the system's error
 */
export async function queriesIn(files: Files, path: string): Promise<number> {
  let queries = 0
  for await (const { networks } of readBatchFile(files, path)) {
    for (const [, times] of networks) queries += times
  }
  return queries
}

async function nextLine(lines: AsyncGenerator): Promise<unknown> {
  const { value, done } = await lines.next()
  if (done === true) throw new DamagedBatch('it ends early')
  return value
}

/** Writes lines in pieces of a limited size. */
class LineWriter {
  readonly #file: FileHandle
  readonly #hash = createHash('sha256')
  #text = ''
  #bytes = 0

  constructor(file: FileHandle) {
    this.#file = file
  }

  async line(value: unknown): Promise<void> {
    this.#text += `${JSON.stringify(value)}\n`
    if (this.#text.length >= PIECE_BYTES) await this.#flush()
  }

  /** @returns the size of the file */
  async end(end: object): Promise<number> {
    await this.#flush()
    const sha256 = this.#hash.digest('hex')
    const octets = Buffer.from(`${JSON.stringify({ ...end, sha256 })}\n`)
    await writeAll(this.#file, octets, this.#bytes)
    return this.#bytes + octets.length
  }

  async #flush(): Promise<void> {
    const octets = Buffer.from(this.#text)
    this.#text = ''
    this.#hash.update(octets)
    await writeAll(this.#file, octets, this.#bytes)
    this.#bytes += octets.length
  }
}

/** The values of all lines. Throws DamagedBatch unless the last one has the digest of those before it. */
async function* linesOf(files: Files, path: string): AsyncGenerator<unknown, void, undefined> {
  const hash = createHash('sha256')
  let last: unknown
  for await (const octets of rawLines(files, path)) {
    const value = parsed(octets)
    last = value
    if (isEnd(value)) {
      if (value.sha256 !== hash.digest('hex')) throw new DamagedBatch('its contents were changed')
      yield value
      return
    }
    hash.update(octets)
    yield value
  }
  throw new DamagedBatch(last === undefined ? 'it is empty' : 'it ends early')
}

function isEnd(value: unknown): value is { sha256: string } {
  return value !== null && typeof value === 'object' && 'sha256' in value
}

function parsed(octets: Buffer): unknown {
  try {
    return JSON.parse(octets.toString()) as unknown
  } catch {
    throw new DamagedBatch('a line is not JSON')
  }
}

/** Lines with their line feeds. */
async function* rawLines(files: Files, path: string): AsyncGenerator<Buffer, void, undefined> {
  const file = await files.open(path, 'r')
  try {
    let rest: Buffer = Buffer.alloc(0)
    for (let at = 0; ;) {
      const piece = Buffer.alloc(PIECE_BYTES)
      const { bytesRead } = await file.read(piece, 0, PIECE_BYTES, at)
      if (bytesRead === 0) return
      at += bytesRead
      rest = Buffer.concat([rest, piece.subarray(0, bytesRead)])
      for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
        yield rest.subarray(0, end + 1)
        rest = rest.subarray(end + 1)
      }
    }
  } finally {
    await file.close()
  }
}
