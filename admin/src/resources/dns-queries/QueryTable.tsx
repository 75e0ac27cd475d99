import { count, percentText } from '@homing/theme/formats'
import type { AdminQueries } from '../../api/client.ts'
import { type Group, GROUPS } from './choices.ts'

type Row = AdminQueries['rows'][number]

/** The code beside a name that people read; undefined where the name is the code. */
function codeOf(by: Group, { value }: Row): string | undefined {
  if (by === 'country') return value === 'ZZ' ? undefined : value
  if (by === 'network') return value === '0' ? undefined : `AS${value}`
  return undefined
}

/** The queries that no row counts, as one row. */
function othersIn({ total, rows }: AdminQueries): Row | undefined {
  const queries = total - rows.reduce((sum, row) => sum + row.queries, 0)
  if (queries <= 0) return undefined
  const share = Math.round((queries / total) * 10_000) / 100
  return { value: '', label: 'All others', queries, share }
}

function QueryRow({ by, row }: { by: Group; row: Row }) {
  const code = codeOf(by, row)
  return (
    <tr role="row">
      <td role="cell" data-label={GROUPS[by]} className="breakable">
        {row.label}
        {code !== undefined && <span className="second-line">{code}</span>}
      </td>
      <td role="cell" data-label="Queries" data-number>
        {count(row.queries)}
      </td>
      <td role="cell" data-label="Share" data-number>
        {percentText(row.share)}
        <span aria-hidden className="share-bar" style={{ width: `${row.share}%` }} />
      </td>
    </tr>
  )
}

/** The rows, the most queries first; the last one counts what is not listed. */
export function QueryTable({ queries }: { queries: AdminQueries }) {
  const { by, rows } = queries
  const others = othersIn(queries)
  return (
    <div className="records-frame">
      <table role="table" className="records">
        <caption className="visually-hidden">DNS queries</caption>
        <thead role="rowgroup">
          <tr role="row">
            <th role="columnheader" scope="col">
              {GROUPS[by]}
            </th>
            <th role="columnheader" scope="col" data-number>
              Queries
            </th>
            <th role="columnheader" scope="col" data-number>
              Share
            </th>
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <QueryRow key={row.value} by={by} row={row} />
          ))}
          {others !== undefined && <QueryRow by={by} row={others} />}
        </tbody>
      </table>
    </div>
  )
}
