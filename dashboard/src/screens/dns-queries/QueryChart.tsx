/** Queries over time: bars, the period before as a line, and marks where addresses changed. */
import { count, shortCount, timeText } from '@homing/theme/formats'
import { Fragment, memo } from 'react'
import type { AddressMarker } from '../../api/dns-queries.ts'
import { usePartSlider } from '../../components/use-part-slider.ts'
import {
  type ChartPart,
  type ChartSeries,
  placeOfTime,
  previousLines,
  topOf,
} from './chart-series.ts'
import { type FigureColumn, FigureTable } from './FigureTable.tsx'
import { markersIn, partTime } from './query-words.ts'
import { queriesText } from './trend-words.ts'

interface BarsProps {
  readonly parts: readonly ChartPart[]
  readonly top: number
}

const Bars = memo(function Bars({ parts, top }: BarsProps) {
  return parts.map(({ from, queries, isPartial }) => (
    <span
      key={from}
      className={isPartial ? 'query-bar query-bar-partial' : 'query-bar'}
      style={{ blockSize: `${(queries / top) * 100}%` }}
    />
  ))
})

const PreviousLine = memo(function PreviousLine({ parts, top }: BarsProps) {
  const lines = previousLines(parts, top)
  if (lines.length === 0) return null
  return (
    <svg
      className="query-previous"
      viewBox={`0 0 ${parts.length} 100`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {lines.map((points) => (
        <Fragment key={points}>
          <polyline className="query-previous-edge" points={points} />
          <polyline points={points} />
        </Fragment>
      ))}
    </svg>
  )
})

function Markers({ series: { markers, parts } }: { readonly series: ChartSeries }) {
  return markers.map(({ at, domain_id, address }) => {
    const place = placeOfTime(at, parts)
    if (place === undefined) return null
    return (
      <span
        key={`${at} ${domain_id} ${address}`}
        className="query-marker"
        style={{ insetInlineStart: `${place}%` }}
      />
    )
  })
}

/** A part names so many changes. The list of changes has all of them. */
const NAMED_CHANGES = 2

function changesText(changes: readonly AddressMarker[]): readonly string[] {
  if (changes.length > NAMED_CHANGES) return [`${changes.length} address changes`]
  return changes.map(({ fqdn, address }) => `${fqdn} changed to ${address}`)
}

/** What a part shows: `12 May 2026 (UTC): 84 queries, 79 in the period before, not over yet`. */
function chartText(part: ChartPart, { resolution, markers }: ChartSeries): string {
  const { queries, previous, isPartial } = part
  const texts = [
    queriesText(queries),
    ...(previous === undefined ? [] : [`${count(previous)} in the period before`]),
    ...(isPartial ? ['not over yet'] : []),
    ...changesText(markersIn(markers, part)),
  ]
  return `${partTime(part, resolution)}: ${texts.join(', ')}`
}

interface QueryChartProps {
  /** What the picture shows. */
  readonly label: string
  readonly series: ChartSeries
  /** Of saved files, without the extension. */
  readonly fileName?: string
}

const PREVIOUS: FigureColumn = { title: 'Period before' }

function Table({ series, label, fileName = 'dns-queries' }: QueryChartProps) {
  const { parts, resolution, previousTotal } = series
  const isCompared = parts.some(({ previous }) => previous !== undefined)
  const ends = new Map(parts.map((part) => [part.from, part]))
  const columns: readonly FigureColumn[] = [
    {
      title: 'From',
      show: (from) => {
        const part = ends.get(String(from))
        return part === undefined ? String(from) : partTime(part, resolution)
      },
    },
    { title: 'Queries' },
    ...(isCompared && previousTotal !== undefined ? [PREVIOUS] : []),
  ]
  const rows = parts.map(({ from, queries, previous = null }) =>
    isCompared ? [from, queries, previous] : [from, queries],
  )
  return <FigureTable label={label} fileName={fileName} columns={columns} rows={rows} />
}

/** The changes of addresses as text, which the marks only hint at. */
function Changes({ series: { markers } }: { readonly series: ChartSeries }) {
  if (markers.length === 0) return null
  return (
    <details className="query-changes">
      <summary>Address changes ({markers.length})</summary>
      <ul>
        {markers.map(({ at, domain_id, fqdn, address }) => (
          <li key={`${at} ${domain_id} ${address}`}>
            <time dateTime={at}>{timeText(at)}</time>: {fqdn} changed to{' '}
            <span className="monospace">{address}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}

export function QueryChart(props: QueryChartProps) {
  const { label, series } = props
  const { parts } = series
  const { part, place, slider } = usePartSlider(parts)
  if (part === undefined) return <p>No data yet.</p>
  if (parts.every(({ queries, previous = 0 }) => queries === 0 && previous === 0)) {
    return <p className="muted">There were no queries in this period.</p>
  }
  const top = topOf(parts)
  const text = chartText(part, series)
  return (
    <div className="query-chart">
      <p className="query-top-label muted" aria-hidden="true">
        {shortCount(top)}
      </p>
      <div
        className="query-bars"
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuetext={text}
        {...slider}
      >
        <Bars parts={parts} top={top} />
        <PreviousLine parts={parts} top={top} />
        <Markers series={series} />
        <span className="query-pointer" style={{ insetInlineStart: place }} />
      </div>
      <p className="query-part">{text}</p>
      <ul className="query-legend" aria-label="Legend">
        <li>
          <span className="query-bar" /> Queries
        </li>
        {parts.some(({ isPartial }) => isPartial) && (
          <li>
            <span className="query-bar query-bar-partial" /> Not over yet
          </li>
        )}
        {parts.some(({ previous }) => previous !== undefined) && (
          <li>
            <span className="query-legend-line" /> Period before
          </li>
        )}
        {series.markers.length > 0 && (
          <li>
            <span className="query-marker" /> Address changed
          </li>
        )}
      </ul>
      <Changes series={series} />
      <Table {...props} />
    </div>
  )
}
