/** The list of domains: one page as a table, its loading, empty and error states, and its controls. */
import { clockText, count, counted } from '@homing/theme/formats'
import Button from '@mui/material/Button'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'
import type { LiveState } from '../../api/live/shared-stream.ts'
import type { DomainListRequest } from '../../api/domain-list.ts'
import { type Domain, type DomainPage, domainsQuery, PAGE_SIZE } from '../../api/domains.ts'
import { ApiProblem, NetworkFailure } from '../../api/problem.ts'
import { announce } from '@homing/theme/parts/Announcer.tsx'
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { Icon } from '@homing/theme/parts/Icon.tsx'
import { Message } from '@homing/theme/parts/Message.tsx'
import type { RowAction } from './DomainRow.tsx'
import { DomainTable } from './DomainTable.tsx'
import { LiveStatus } from './LiveStatus.tsx'
import { PhoneSort } from './PhoneSort.tsx'
import { SearchField } from './SearchField.tsx'
import { TableSkeleton } from './TableSkeleton.tsx'

interface DomainsPanelProps {
  readonly list: DomainListRequest
  readonly onList: (list: DomainListRequest) => void
  /** Why the user cannot add a domain; undefined if they can. */
  readonly limitReason: string | undefined
  /** Whether the live stream keeps the list current. */
  readonly live: LiveState
  readonly onAdd: () => void
  readonly onAction: (action: RowAction, domain: Domain) => void
}

function Empty({
  search,
  onAdd,
  onClear,
}: {
  search: string
  onAdd: () => void
  onClear: () => void
}) {
  if (search !== '') {
    return (
      <div className="empty">
        <p>No domain matches “{search}”.</p>
        <Button variant="outlined" onClick={onClear}>
          Clear Search
        </Button>
      </div>
    )
  }
  return (
    <div className="empty">
      <p className="empty-title">No domains configured yet</p>
      <p className="muted">A domain follows your IP address when it changes.</p>
      <Button variant="contained" onClick={onAdd}>
        Add Your First Domain
      </Button>
    </div>
  )
}

interface PagerProps {
  readonly page: number
  readonly shown: number
  readonly total: number
  readonly onPage: (page: number) => void
}

function Pager({ page, shown, total, onPage }: PagerProps) {
  if (total <= PAGE_SIZE) return <p className="muted pager">{counted(total, 'domain')}</p>
  const first = (page - 1) * PAGE_SIZE + 1
  return (
    <nav className="pager" aria-label="Pages of domains">
      <span className="muted">
        {count(first)}–{count(first + shown - 1)} of {counted(total, 'domain')}
      </span>
      <Button variant="outlined" disabled={page === 1} onClick={() => onPage(page - 1)}>
        Previous
      </Button>
      <Button
        variant="outlined"
        disabled={page * PAGE_SIZE >= total}
        onClick={() => onPage(page + 1)}
      >
        Next
      </Button>
    </nav>
  )
}

function reasonOf(error: Error | null): string {
  if (error === null) return 'This device is offline.'
  return error instanceof NetworkFailure ? 'Cannot reach the service.' : error.message
}

/** Warns that the rows are out of date, and shows their time. */
function Staleness({
  error,
  since,
  onRetry,
}: {
  error: Error | null
  since: number
  onRetry: () => void
}) {
  const time = clockText(since)
  return (
    <Message
      tone="warn"
      action={
        <button type="button" className="text-button" onClick={onRetry}>
          Retry
        </button>
      }
    >
      <p>
        {reasonOf(error)} This list was last updated at {time}.
      </p>
    </Message>
  )
}

/** Goes to the first page when the current page no longer exists because domains were deleted. */
function useExistingPage(
  error: Error | null,
  list: DomainListRequest,
  onList: DomainsPanelProps['onList'],
) {
  const isBehindLast = error instanceof ApiProblem && error.status === 416
  useEffect(() => {
    if (isBehindLast && list.page !== 1) onList({ ...list, page: 1 })
  }, [isBehindLast, list, onList])
}

/** Announces the number of search results to screen readers. */
function useSpokenResult(search: string, data: DomainPage | undefined, isCurrent: boolean): void {
  const spoken = useRef(search)
  useEffect(() => {
    if (data === undefined || !isCurrent || spoken.current === search) return
    spoken.current = search
    announce(
      search === '' ? counted(data.total, 'domain') : `${counted(data.total, 'domain')} found`,
    )
  }, [search, data, isCurrent])
}

export function DomainsPanel(props: DomainsPanelProps) {
  const { list, onList, limitReason, live, onAdd, onAction } = props
  const query = useQuery(domainsQuery(list))
  const { data, error, isPlaceholderData, dataUpdatedAt, fetchStatus, refetch } = query
  const retry = useCallback(() => void refetch(), [refetch])
  useExistingPage(error, list, onList)
  useSpokenResult(list.search, data, !isPlaceholderData)

  const search = useCallback(
    (text: string) => onList({ ...list, search: text, page: 1 }),
    [list, onList],
  )
  const sort = useCallback(
    (wanted: DomainListRequest['sort']) => onList({ ...list, sort: wanted, page: 1 }),
    [list, onList],
  )
  const isOffline = fetchStatus === 'paused'
  const isStale = data !== undefined && (error !== null || isOffline)
  return (
    <section className="card panel" aria-labelledby="domains-title">
      <div className="panel-head">
        <h2 id="domains-title" tabIndex={-1}>
          Domains
        </h2>
        {data !== undefined && !isStale && <LiveStatus live={live} readAt={dataUpdatedAt} />}
        <SearchField value={list.search} onSearch={search} />
        <PhoneSort sort={list.sort} onSort={sort} />
        <Button
          variant="contained"
          startIcon={<Icon name="add" />}
          disabled={limitReason !== undefined}
          aria-describedby={limitReason === undefined ? undefined : 'limit-reason'}
          onClick={onAdd}
        >
          Add Domain
        </Button>
      </div>
      {limitReason !== undefined && (
        <p id="limit-reason" className="limit-reason">
          {limitReason}
        </p>
      )}
      {isStale && <Staleness error={error} since={dataUpdatedAt} onRetry={retry} />}
      {data === undefined && error === null && !isOffline && <TableSkeleton />}
      {data === undefined && isOffline && (
        <Message tone="warn">
          This device is offline. Your domains appear when it is online again.
        </Message>
      )}
      {data === undefined && error !== null && <Failure error={error} onRetry={retry} />}
      {data?.total === 0 && <Empty search={list.search} onAdd={onAdd} onClear={() => search('')} />}
      {data !== undefined && data.total > 0 && (
        <>
          <DomainTable
            domains={data.domains}
            sort={list.sort}
            isStale={isStale}
            onSort={sort}
            onAction={onAction}
          />
          <Pager
            page={list.page}
            shown={data.domains.length}
            total={data.total}
            onPage={(page) => {
              onList({ ...list, page })
              // The new page is read from the top, and the button that had the focus can be disabled there.
              document.getElementById('domains-title')?.focus()
            }}
          />
        </>
      )}
    </section>
  )
}
