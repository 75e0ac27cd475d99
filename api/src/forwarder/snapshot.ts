/**
 * The format of the snapshot, which lets the forwarder start without PostgreSQL. Lines of JSON: a header, then up to 1,000
 * names in each line, then the SHA-256 of everything before. So memory never holds the text of all names.
 */
import { createHash } from 'node:crypto'
import { type ForwardRow, forwardOf, rowOf } from './forward.ts'
import { ForwardNames } from './forward-names.ts'
import type { FeedVersion, Grace, TableCapture } from './forward-table.ts'

const FORMAT = 1
/** Names in one line: about 100 KiB, and a few milliseconds of work. */
const NAMES_AT_ONCE = 1_000

/** The contents of a snapshot, as the table takes them. */
export interface ReadSnapshot {
  readonly version: FeedVersion
  readonly names: ForwardNames
  readonly graces: ReadonlyMap<string, Grace>
  /** When it was written, in milliseconds since 1970. */
  readonly writtenAtMs: number
}

/** The file is not a snapshot, or is damaged. */
export class DamagedSnapshot extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options)
    this.name = 'DamagedSnapshot'
  }
}

/** A moment in both clocks: the table's, which never jumps, and that of the snapshot, which outlives the process. */
export interface Moment {
  readonly monotonicMs: number
  /** Milliseconds since 1970. */
  readonly wallMs: number
}

/** The pieces of a snapshot, in order. */
export function* snapshotPieces(capture: TableCapture, moment: Moment): Generator<string> {
  const hash = createHash('sha256')
  const hashed = (text: string) => {
    hash.update(text)
    return text
  }
  const { version, entries, graces } = capture
  const { serial, feedId, token } = version
  const header = {
    format: FORMAT,
    serial: String(serial),
    feedId,
    token,
    writtenAtMs: moment.wallMs,
  }
  yield hashed(`${JSON.stringify({ ...header, names: entries.length })}\n`)
  for (let at = 0; at < entries.length; at += NAMES_AT_ONCE) {
    const names = entries.slice(at, at + NAMES_AT_ONCE).map(([name, forward]) => {
      const grace = graces.get(name)
      const ending = grace === undefined ? [] : [graceJson(grace, moment)]
      return [name, forward === null ? null : rowOf(forward), ...ending]
    })
    yield hashed(`${JSON.stringify(names)}\n`)
  }
  yield `${hash.digest('hex')}\n`
}

const graceJson = ({ endsAtMs, isRemoved }: Grace, { monotonicMs, wallMs }: Moment) => ({
  endsAt: wallMs + endsAtMs - monotonicMs,
  isRemoved,
})

/**
 * Reads the lines of a snapshot. They are used as they come, so that memory never holds the whole file; the checksum,
 * which is the last line, then decides whether the result is valid.
 *
 * @throws DamagedSnapshot
 */
export function readSnapshot(lines: Iterable<string>, moment: Moment): ReadSnapshot {
  try {
    return readLines(lines, moment)
  } catch (error) {
    if (error instanceof DamagedSnapshot) throw error
    throw new DamagedSnapshot((error as Error).message, { cause: error })
  }
}

interface SnapshotHeader {
  readonly format: number
  readonly serial: string
  readonly feedId: string
  readonly token: string
  readonly writtenAtMs: number
  readonly names: number
}

type NameRow = readonly [
  name: string,
  forward: ForwardRow | null,
  ending?: { readonly endsAt: number; readonly isRemoved: boolean },
]

function readLines(lines: Iterable<string>, moment: Moment): ReadSnapshot {
  const hash = createHash('sha256')
  const names = new ForwardNames()
  const graces = new Map<string, Grace>()
  let header: SnapshotHeader | undefined
  let before: string | undefined
  for (const line of lines) {
    // Only the next line shows that this one is not the checksum.
    const current = before
    before = line
    if (current === undefined) continue
    hash.update(`${current}\n`)
    if (header === undefined) header = readHeader(current)
    else addNames(current, { names, graces, moment })
  }
  if (header === undefined) throw new DamagedSnapshot('it is too short')
  if (before !== hash.digest('hex')) throw new DamagedSnapshot('its checksum is wrong')
  if (names.size !== header.names) {
    throw new DamagedSnapshot(`it has ${names.size} names instead of ${header.names}`)
  }
  const { serial, feedId, token, writtenAtMs } = header
  return { version: { serial: BigInt(serial), feedId, token }, writtenAtMs, names, graces }
}

function readHeader(line: string): SnapshotHeader {
  const header = JSON.parse(line) as SnapshotHeader
  if (header.format === FORMAT) return header
  throw new DamagedSnapshot(`its format is ${header.format}; this version reads ${FORMAT}`)
}

interface Contents {
  readonly names: ForwardNames
  readonly graces: Map<string, Grace>
  readonly moment: Moment
}

function addNames(line: string, { names, graces, moment }: Contents): void {
  for (const [name, row, ending] of JSON.parse(line) as NameRow[]) {
    names.set(name, row === null ? null : forwardOf(row))
    if (ending === undefined) continue
    const endsAtMs = moment.monotonicMs + ending.endsAt - moment.wallMs
    graces.set(name, { endsAtMs, isRemoved: ending.isRemoved })
  }
}
