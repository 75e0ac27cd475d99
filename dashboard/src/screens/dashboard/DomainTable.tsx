import type { DomainListRequest, SortField } from '../../api/domain-list.ts'
import type { Domain } from '../../api/domains.ts'
import { Icon } from '@homing/theme/parts/Icon.tsx'
import { DomainRow, type RowAction } from './DomainRow.tsx'
import { useNow } from '@homing/theme/parts/use-now.ts'
import './table.css'

type Sort = DomainListRequest['sort']

const COLUMNS: readonly { readonly title: string; readonly field?: SortField }[] = [
  { title: 'Domain', field: 'fqdn' },
  { title: 'Zone', field: 'zone' },
  { title: 'Status' },
  { title: 'Current IP', field: 'record_ip' },
  { title: 'Updated', field: 'last_update_at' },
  { title: 'Actions' },
]

/** How often the ages of the rows are updated. */
const MINUTE_MS = 60_000

interface ColumnHeadProps {
  readonly title: string
  readonly field?: SortField
  readonly sort: Sort
  readonly onSort: (sort: Sort) => void
}

function ColumnHead({ title, field, sort, onSort }: ColumnHeadProps) {
  if (field === undefined) {
    return (
      <th role="columnheader" scope="col">
        {title}
      </th>
    )
  }
  const isSorted = sort.field === field
  const direction = sort.descending ? 'descending' : 'ascending'
  // Users look for the latest updates first.
  const first = field === 'last_update_at'
  const next = isSorted ? !sort.descending : first
  return (
    <th role="columnheader" scope="col" aria-sort={isSorted ? direction : 'none'}>
      <button type="button" className="sort" onClick={() => onSort({ field, descending: next })}>
        {title}
        <span className={isSorted ? 'sort-arrow' : 'sort-arrow sort-arrow-idle'}>
          <Icon name={isSorted && sort.descending ? 'down' : 'up'} size={14} />
        </span>
      </button>
    </th>
  )
}

interface DomainTableProps {
  readonly domains: readonly Domain[]
  readonly sort: Sort
  /** The rows can be out of date. */
  readonly isStale: boolean
  readonly onSort: (sort: Sort) => void
  readonly onAction: (action: RowAction, domain: Domain) => void
}

export function DomainTable({ domains, sort, isStale, onSort, onAction }: DomainTableProps) {
  const nowMs = useNow(MINUTE_MS)
  return (
    <table
      role="table"
      className={isStale ? 'domains domains-stale' : 'domains'}
      aria-label="Domains"
    >
      <thead role="rowgroup">
        <tr role="row">
          {COLUMNS.map((column) => (
            <ColumnHead key={column.title} {...column} sort={sort} onSort={onSort} />
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {domains.map((domain) => (
          <DomainRow key={domain.id} domain={domain} nowMs={nowMs} onAction={onAction} />
        ))}
      </tbody>
    </table>
  )
}
