/** DNS queries over time, as this program shows them. */
import type { components } from '@homing/openapi/client'
import { type Column, listed, titled } from './output.ts'
import { bar, changeOf, changeText, column, figure, QUERIES } from './query-numbers.ts'
import { clockIn } from './times.ts'

type QuerySeries = components['schemas']['QuerySeries']

export const SERIES_FIELDS = [
  'from',
  'to',
  'resolution',
  'domain_id',
  'dimension',
  'total',
  'previous_total',
  'values',
  'parts',
  'previous',
  'markers',
] as const satisfies readonly (keyof QuerySeries)[]

/** One part of time, with what belongs to it. */
interface Row {
  readonly from: string
  readonly queries: number
  readonly isPartial: boolean
  readonly values: readonly number[]
  /** The queries of the same part of the period before. */
  readonly before: number | null
  /** The addresses that domains got in this part. */
  readonly changes: readonly string[]
}

function rowsOf({ parts, previous, markers, domain_id }: QuerySeries): readonly Row[] {
  return parts.map(({ from, to, queries, is_partial, values }, at) => ({
    from,
    queries,
    isPartial: is_partial,
    values,
    before: previous[at] ?? null,
    changes: markers
      .filter((marker) => isWithin(marker.at, from, to))
      .map(({ fqdn, address }) => (domain_id === null ? `${fqdn} ${address}` : address)),
  }))
}

const isWithin = (at: string, from: string, to: string) =>
  Date.parse(at) >= Date.parse(from) && Date.parse(at) < Date.parse(to)

/** Days are those of UTC; times of day are those of this machine. */
function beginOf({ from }: Row, resolution: QuerySeries['resolution']): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  if (resolution === '1d') return clockIn('UTC').format(new Date(from)).slice(0, 10)
  return clockIn(timeZone).format(new Date(from)).slice(0, -':00'.length)
}

/** A column for each value; without a dimension a bar, and the period before. */
function columnsOf(series: QuerySeries, rows: readonly Row[]): readonly Column<Row>[] {
  const aligned = column(rows.map(({ queries }) => queries))
  const largest = Math.max(1, ...rows.map(({ queries }) => queries))
  const { resolution, dimension, values } = series
  // The names of domains are wide: they would leave no room for the values.
  const addresses = dimension === null ? 1 : Infinity
  const numbers: readonly Column<Row>[] =
    dimension === null
      ? [
          { title: '', of: ({ queries }) => bar(queries, largest), dropFirst: 3 },
          {
            title: 'BEFORE',
            of: ({ before }) => (before === null ? '–' : figure(before)),
            dropFirst: 2,
          },
        ]
      : values.map(({ value, label }, at) => {
          // Names of networks are long. The list of the values has them.
          const isSystem = dimension === 'network' && /^[1-9]/.test(value)
          const aligned = column(rows.map((row) => row.values[at] ?? 0))
          return {
            title: (isSystem ? `AS${value}` : label).padStart(QUERIES.length),
            of: (row) => aligned(row.values[at] ?? 0),
            // The values with the fewest queries go first.
            dropFirst: at + 2,
          }
        })
  return [
    { title: resolution === '1d' ? 'DAY (UTC)' : 'FROM', of: (row) => beginOf(row, resolution) },
    { title: QUERIES, of: (row) => `${aligned(row.queries)}${row.isPartial ? ' so far' : ''}` },
    ...numbers,
    ...(series.markers.length === 0
      ? []
      : [{ title: 'NEW ADDRESS', of: ({ changes }: Row) => changes, dropFirst: addresses }]),
  ]
}

/** The values of the dimension, over the whole period. */
async function valuesText({ dimension, values }: QuerySeries): Promise<string> {
  const title = (dimension ?? '').toUpperCase()
  const aligned = column(values.map(({ queries }) => queries))
  const largest = Math.max(1, ...values.map(({ queries }) => queries))
  const text = await listed(values, {
    columns: [
      { title, of: ({ label }) => label },
      { title: QUERIES, of: ({ queries }) => aligned(queries) },
      { title: '', of: ({ queries }) => bar(queries, largest), dropFirst: 1 },
    ],
    fields: ({ value, queries }) => [value, queries],
  })
  return titled(title, text)
}

/** One line of a pipe: of a part, or of a value in a part. */
interface Line {
  readonly from: string
  readonly value: string | null
  readonly queries: number
  readonly before: number | null
}

const linesOf = ({ dimension, values }: QuerySeries, rows: readonly Row[]): readonly Line[] =>
  rows.flatMap<Line>(({ from, queries, before, values: counts }) =>
    dimension === null
      ? [{ from, value: null, queries, before }]
      : values.map(({ value }, at) => ({ from, value, queries: counts[at] ?? 0, before: null })),
  )

/** A terminal shows the values and the parts as tables. In a pipe, each part has a line, or each value in it. */
export async function seriesText(series: QuerySeries): Promise<string> {
  const rows = rowsOf(series)
  if (process.stdout.isTTY) {
    const listing = { columns: columnsOf(series, rows), fields: ({ from }: Row) => [from] }
    const tables = await Promise.all([valuesText(series), listed(rows, listing)])
    return tables.filter((table) => table !== '').join('\n\n')
  }
  return listed(linesOf(series, rows), {
    columns: [],
    fields: ({ from, value, queries, before }) => [from, value, queries, before],
  })
}

/** The change against the period before in percent, without a part that is not over. Null: there is nothing to compare with. */
function changeIn({ parts, previous }: QuerySeries): number | null {
  const isWhole = (_: unknown, at: number) => parts[at]?.is_partial !== true
  const now = sum(parts.filter(isWhole).map(({ queries }) => queries))
  return changeOf(now, sum(previous.filter(isWhole)))
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0)

/** The total, and how it differs from the period before. */
export function totalSentence(series: QuerySeries): string {
  const { total, previous_total, parts } = series
  const queries = `${figure(total)} ${total === 1 ? 'query' : 'queries'}.`
  if (previous_total === null) return `${queries} There is no earlier data.`
  const change = changeIn(series)
  const without = parts.some(({ is_partial }) => is_partial) ? ' without the part so far' : ''
  const difference = change === null ? '' : ` (${changeText(change)}${without})`
  return `${queries} The period before had ${figure(previous_total)}${difference}.`
}
