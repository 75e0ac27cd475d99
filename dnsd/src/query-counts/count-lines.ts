/*
 * Counts as text: a line for each name. The files of batches and the statement that inserts them have the same lines, so
 * a name is written once, from the octets of a thread's table, and nobody reads its line before the database does.
 *
 *   kind, zone, name, networks, queries of each network, counters
 *
 * A tab is between fields. A missing name is empty. The last three are arrays in PostgreSQL's notation; the counters are
 * those of COUNTERS. Names are escaped, so that no field has a tab or a line feed.
 */
import type { CountTable } from './count-table.ts'
import type { Half } from './count-halves.ts'
import type { CountedName } from './counted-name.ts'
import { HalfReader } from './half-reader.ts'
import { LineBuffer } from './line-buffer.ts'

export interface LineTotals {
  /** Names with a network, and names without one. */
  readonly rows: number
  readonly queries: number
}

/** Pieces of whole lines. Each is valid until the next is asked for. */
export type CountLines = Generator<Buffer, LineTotals>
/** The same from a file. Each piece stays valid. */
export type ReadLines = AsyncGenerator<Buffer, LineTotals>

/** Pieces end after this many octets. Answers wait while one is written. */
const PIECE_OCTETS = 64 * 1024
const ARRAY = /^\{(.*)\}$/

/** The counts of halves, which no thread may be counting in. */
export function* linesOfHalves(
  tables: readonly CountTable[],
  halfOf: (table: CountTable) => Half,
): CountLines {
  const buffer = new LineBuffer()
  let [rows, queries] = [0, 0]
  for (const table of tables) {
    const reader = new HalfReader(table, halfOf(table))
    while (reader.write(buffer)) {
      if (buffer.length < PIECE_OCTETS) continue
      yield buffer.octets
      buffer.clear()
    }
    rows += reader.rows
    queries += reader.queries
  }
  if (buffer.length > 0) yield buffer.octets
  return { rows, queries }
}

/** The lines of names that are already added up. */
export function* linesOf(names: Iterable<CountedName>): CountLines {
  const buffer = new LineBuffer()
  let [rows, queries] = [0, 0]
  for (const counted of names) {
    writeName(buffer, counted)
    rows += counted.networks.length
    for (const [, times] of counted.networks) queries += times
    if (buffer.length < PIECE_OCTETS) continue
    yield buffer.octets
    buffer.clear()
  }
  if (buffer.length > 0) yield buffer.octets
  return { rows, queries }
}

function writeName(buffer: LineBuffer, { kind, zone, name, networks, counters }: CountedName) {
  const fields = [
    kind,
    zone,
    name ?? '',
    arrayText(networks.map(([network]) => network ?? 'NULL')),
    arrayText(networks.map(([, queries]) => queries)),
    arrayText(counters),
  ]
  buffer.text(`${fields.join('\t')}\n`)
}

const arrayText = (values: readonly (string | number)[]) => `{${values.join(',')}}`

/**
 * The names of whole lines.
 *
 * @throws Error for what is not such a line
 */
export function* namesIn(lines: Buffer): Generator<CountedName> {
  const text = lines.toString()
  for (let start = 0; start < text.length;) {
    const end = text.indexOf('\n', start)
    yield nameOf(text.slice(start, end))
    start = end + 1
  }
}

function nameOf(line: string): CountedName {
  const [kind, zone = '', name = '', networks = '', queries = '', counters = ''] = line.split('\t')
  if (kind !== 'name' && kind !== 'nxdomain' && kind !== 'other') {
    throw new Error('a line is not that of a name')
  }
  const times = valuesOf(queries).map(Number)
  return {
    kind,
    zone,
    name: name === '' ? null : name,
    networks: valuesOf(networks).map((each, index) => [
      each === 'NULL' ? null : each,
      times[index] ?? 0,
    ]),
    counters: valuesOf(counters).map(Number),
  }
}

const valuesOf = (text: string) => ARRAY.exec(text)?.[1]?.split(',') ?? []
