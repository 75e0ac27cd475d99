/** The same history as a table. */
import { count, percentText, timeText } from '@homing/theme/formats'
import { useState } from 'react'
import type { HistorySpan, UptimePart } from '../../../api/monitors.ts'
import { PART_NAMES, type PartRun, runsOf, whenText } from './part-words.ts'

const COLUMNS = ['Time', 'State', 'Uptime', 'Checks', 'Failed'] as const

function rangeText(run: PartRun, span: HistorySpan): string {
  return span === '90d' ? whenText(run, span) : `${timeText(run.from)} to ${timeText(run.to)}`
}

interface UptimeTableProps {
  readonly label: string
  readonly parts: readonly UptimePart[]
  readonly span: HistorySpan
}

/** Its rows are made when it is opened. */
export function UptimeTable({ label, parts, span }: UptimeTableProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details
      className="uptime-details"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>As table</summary>
      {isOpen && (
        // It scrolls in narrow windows.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <div className="uptime-table" role="region" aria-label={`${label} as a table`} tabIndex={0}>
          <table>
            <thead>
              <tr>
                {COLUMNS.map((title) => (
                  <th key={title} scope="col">
                    {title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {runsOf(parts).map((run) => (
                <tr key={run.from}>
                  <th scope="row">{rangeText(run, span)}</th>
                  <td>{PART_NAMES[run.kind]}</td>
                  <td>{run.uptime === null ? 'No data' : percentText(run.uptime)}</td>
                  <td>{count(run.checks)}</td>
                  <td>{count(run.failures)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </details>
  )
}
