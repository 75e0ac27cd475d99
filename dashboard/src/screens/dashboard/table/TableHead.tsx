/** The head of the table: it selects the page, and sorts. */
import { useShownFirst } from '@homing/theme/parts/after-paint.ts'
import { Icon } from '@homing/theme/parts/Icon.tsx'
import type { DomainListRequest, SortField } from '../../../api/domain-list.ts'
import type { Domain } from '../../../api/domains.ts'
import { SelectPage } from './SelectPage.tsx'
import type { Selection } from './use-selection.ts'

type Sort = DomainListRequest['sort']

interface Column {
  readonly title: string
  /** The end of its class. */
  readonly name: string
  readonly sort?: SortField
}

const COLUMNS: readonly Column[] = [
  { title: 'Domain', name: 'domain', sort: 'fqdn' },
  { title: 'Zone', name: 'zone', sort: 'zone' },
  { title: 'Status', name: 'status' },
  { title: 'Current IP', name: 'ip', sort: 'record_ip' },
  { title: 'TTL', name: 'ttl' },
  { title: 'Updated', name: 'updated', sort: 'last_update_at' },
  { title: 'Monitoring', name: 'monitor' },
  { title: 'Actions', name: 'actions' },
]

interface SortButtonProps {
  readonly title: string
  readonly field: SortField
  readonly sort: Sort
  readonly onSort: (sort: Sort) => void
}

function SortButton({ title, field, sort, onSort }: SortButtonProps) {
  const isSorted = sort.field === field
  // Users look for the latest updates first.
  const descending = isSorted ? !sort.descending : field === 'last_update_at'
  return (
    <button type="button" className="sort" onClick={() => onSort({ field, descending })}>
      {title}
      <span className={isSorted ? 'sort-arrow' : 'sort-arrow sort-arrow-idle'}>
        <Icon name={isSorted && sort.descending ? 'down' : 'up'} size={14} />
      </span>
    </button>
  )
}

interface ColumnHeadProps {
  readonly column: Column
  readonly sort: Sort
  readonly onSort: (sort: Sort) => void
}

function ColumnHead({ column: { title, name, sort: field }, sort, onSort }: ColumnHeadProps) {
  if (field === undefined) {
    return (
      <th role="columnheader" scope="col" className={`head-${name}`}>
        {title}
      </th>
    )
  }
  const direction = sort.descending ? 'descending' : 'ascending'
  return (
    <th
      role="columnheader"
      scope="col"
      className={`head-${name}`}
      aria-sort={sort.field === field ? direction : 'none'}
    >
      <SortButton title={title} field={field} sort={sort} onSort={onSort} />
    </th>
  )
}

interface TableHeadProps {
  /** The domains of the page. */
  readonly domains: readonly Domain[]
  readonly selection: Selection
  readonly sort: Sort
  readonly onSort: (sort: Sort) => void
}

export function TableHead({ domains, selection, sort, onSort }: TableHeadProps) {
  const [shown, choose] = useShownFirst(sort, onSort)
  return (
    <thead role="rowgroup">
      <tr role="row">
        <SelectPage domains={domains} selection={selection} />
        {COLUMNS.map((column) => (
          <ColumnHead key={column.title} column={column} sort={shown} onSort={choose} />
        ))}
      </tr>
    </thead>
  )
}
