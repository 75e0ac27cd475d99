/** The head of the table: it selects the page, and sorts. */
import { useShownFirst } from '@homing/theme/parts/after-paint.ts'
import { Icon } from '@homing/theme/parts/Icon.tsx'
import type { DomainListRequest, SortField } from '../../../api/domain-list.ts'
import type { Domain } from '../../../api/domains.ts'
import { SelectPage } from './SelectPage.tsx'
import type { Selection } from './use-selection.ts'

type Sort = DomainListRequest['sort']

interface SortChoice {
  readonly title: string
  readonly field: SortField
}

const COLUMNS: readonly { readonly title: string; readonly sorts: readonly SortChoice[] }[] = [
  { title: 'Domain', sorts: [{ title: 'Domain', field: 'fqdn' }] },
  { title: 'Zone', sorts: [{ title: 'Zone', field: 'zone' }] },
  { title: 'Status', sorts: [] },
  {
    title: 'Current IP',
    sorts: [
      { title: 'Current IP', field: 'record_ip' },
      { title: 'Updated', field: 'last_update_at' },
    ],
  },
  { title: 'Monitoring', sorts: [] },
  { title: 'Actions', sorts: [] },
]

interface SortButtonProps {
  readonly choice: SortChoice
  readonly sort: Sort
  readonly onSort: (sort: Sort) => void
}

function SortButton({ choice: { title, field }, sort, onSort }: SortButtonProps) {
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
  readonly column: (typeof COLUMNS)[number]
  readonly sort: Sort
  readonly onSort: (sort: Sort) => void
}

function ColumnHead({ column: { title, sorts }, sort, onSort }: ColumnHeadProps) {
  if (sorts.length === 0) {
    return (
      <th role="columnheader" scope="col">
        {title}
      </th>
    )
  }
  const isSorted = sorts.some(({ field }) => field === sort.field)
  const direction = sort.descending ? 'descending' : 'ascending'
  return (
    <th role="columnheader" scope="col" aria-sort={isSorted ? direction : 'none'}>
      {sorts.map((choice) => (
        <SortButton key={choice.field} choice={choice} sort={sort} onSort={onSort} />
      ))}
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
