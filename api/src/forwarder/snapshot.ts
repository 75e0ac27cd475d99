/**
 * The format of the snapshot, which lets the forwarder start without PostgreSQL. Lines of JSON: a header, then a line for
 * each name, then the SHA-256 of everything before. So a name can be written and read without the others in memory.
 */
import { createHash, type Hash } from 'node:crypto'
import { forwardJson, readForward } from './forward.ts'
import { ForwardNames } from './forward-names.ts'
import type { FeedVersion, Grace, TableCapture } from './forward-table.ts'

const FORMAT = 1
const LINE_FEED = 0x0a
/** Names in one piece of the file: about 200 KiB, and a few milliseconds of work. */
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
    const lines = entries.slice(at, at + NAMES_AT_ONCE).map(([name, forward]) => {
      const grace = graces.get(name)
      const ending = grace === undefined ? [] : [graceJson(grace, moment)]
      return `${JSON.stringify([name, forwardJson(forward), ...ending])}\n`
    })
    yield hashed(lines.join(''))
  }
  yield `${hash.digest('hex')}\n`
}

const graceJson = ({ endsAtMs, isRemoved }: Grace, { monotonicMs, wallMs }: Moment) => ({
  endsAt: wallMs + endsAtMs - monotonicMs,
  isRemoved,
})

/** @throws DamagedSnapshot */
export function readSnapshot(octets: Buffer, moment: Moment): ReadSnapshot {
  checkSum(octets)
  try {
    const lines = linesOf(octets)
    const header = JSON.parse(lines.next().value ?? '') as SnapshotHeader
    if (header.format !== FORMAT) {
      throw new DamagedSnapshot(`its format is ${header.format}; this version reads ${FORMAT}`)
    }
    const { serial, feedId, token, writtenAtMs } = header
    const version = { serial: BigInt(serial), feedId, token }
    return { version, writtenAtMs, ...readNames(lines, header, moment) }
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

type NameLine = readonly [
  string,
  unknown,
  { readonly endsAt: number; readonly isRemoved: boolean }?,
]

function readNames(lines: Iterable<string>, header: SnapshotHeader, moment: Moment) {
  const names = new ForwardNames()
  const graces = new Map<string, Grace>()
  for (const line of lines) {
    const [name, forward, grace] = JSON.parse(line) as NameLine
    names.set(name, readForward(forward))
    if (grace === undefined) continue
    const endsAtMs = moment.monotonicMs + grace.endsAt - moment.wallMs
    graces.set(name, { endsAtMs, isRemoved: grace.isRemoved })
  }
  if (names.size !== header.names) {
    throw new DamagedSnapshot(`it has ${names.size} names instead of ${header.names}`)
  }
  return { names, graces }
}

/** The line of the checksum: 64 digits and a line feed. */
const SUM_BYTES = 65

function checkSum(octets: Buffer): void {
  const end = octets.length - SUM_BYTES
  if (end <= 0) throw new DamagedSnapshot('it is too short')
  const hash: Hash = createHash('sha256').update(octets.subarray(0, end))
  if (octets.toString('latin1', end, octets.length - 1) !== hash.digest('hex')) {
    throw new DamagedSnapshot('its checksum is wrong')
  }
}

/** The lines before the checksum. */
function* linesOf(octets: Buffer): Generator<string, undefined> {
  const end = octets.length - SUM_BYTES
  for (let at = 0; at < end;) {
    const lineEnd = octets.indexOf(LINE_FEED, at)
    yield octets.toString('utf8', at, lineEnd)
    at = lineEnd + 1
  }
}
