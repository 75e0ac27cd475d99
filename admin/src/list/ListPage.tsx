/** The page of a list: filters, counts, table or empty state, pagination. */
import Button from '@mui/material/Button'
import type { ReactNode } from 'react'
import { ListBase, type RaRecord, type SortPayload, useListContext } from 'react-admin'
import type { ResourceName } from '../dataProvider.ts'
import { PageHeading } from '../layout/PageHeading.tsx'
import { Trouble } from '../layout/Trouble.tsx'
import { FilterMemory, useFilter } from './filters.tsx'
import { useRememberedSearch } from '../layout/last-search.ts'
import { Pager } from './Pager.tsx'
import { type Column, RecordTable } from './RecordTable.tsx'

interface ListPageProps<Row> {
  readonly resource: ResourceName
  readonly title: string
  readonly sort: SortPayload
  readonly columns: readonly Column<Row>[]
  /** The text of the empty state. */
  readonly empty: string
  /** Beside the heading. */
  readonly action?: ReactNode
  /** Above the table. */
  readonly children?: ReactNode
}

function Nothing({ empty }: { empty: string }) {
  const { filter, clear } = useFilter()
  if (Object.keys(filter).length === 0) return <p className="empty">{empty}</p>
  return (
    <div className="empty">
      <p>No results match these filters.</p>
      <Button variant="outlined" onClick={clear}>
        Clear filters
      </Button>
    </div>
  )
}

type ListBodyProps<Row> = Pick<ListPageProps<Row>, 'title' | 'columns' | 'empty'>

function ListBody<Row extends RaRecord>({ title, columns, empty }: ListBodyProps<Row>) {
  const { error, total, data, refetch } = useListContext<Row>()
  if (error) return <Trouble error={error} onRetry={() => void refetch()} />
  if (total === 0 && data !== undefined) return <Nothing empty={empty} />
  return (
    <>
      <div className="records-frame">
        <RecordTable caption={title} columns={columns} />
      </div>
      <Pager />
    </>
  )
}

/** The page shows the error in place of the list, so a notice is not needed. */
const QUERY = { onError: () => undefined }
const PAGE_SIZE = 25

export function ListPage<Row extends RaRecord>({
  resource,
  title,
  sort,
  columns,
  empty,
  action,
  children,
}: ListPageProps<Row>) {
  useRememberedSearch()
  return (
    <ListBase
      resource={resource}
      sort={sort}
      perPage={PAGE_SIZE}
      storeKey={false}
      exporter={false}
      queryOptions={QUERY}
    >
      <FilterMemory>
        <PageHeading title={title}>{action}</PageHeading>
        {children}
        <ListBody title={title} columns={columns} empty={empty} />
      </FilterMemory>
    </ListBase>
  )
}
