/** The list of domains: one page as a table, its loading, empty and error states, and its controls. */
import { counted } from '@homing/theme/formats'
import { announce } from '@homing/theme/parts/Announcer.tsx'
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { Message } from '@homing/theme/parts/Message.tsx'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { meQuery } from '../../api/account.ts'
import type { DomainListRequest } from '../../api/domain-list.ts'
import { withTerm } from '../../api/domain-search.ts'
import { type Domain, type DomainPage, domainsQuery, PAGE_SIZE } from '../../api/domains.ts'
import type { LiveState } from '../../api/live/shared-stream.ts'
import { ApiProblem } from '../../api/problem.ts'
import { BulkPart, useBulkPart } from './bulk/BulkPart.tsx'
import { DomainTable } from './DomainTable.tsx'
import { Empty } from './table/Empty.tsx'
import { Pager } from '../../components/Pager.tsx'
import { useOnline } from '../../components/use-online.ts'
import { PanelHead } from './table/PanelHead.tsx'
import type { RowDialog } from './table/row-menu-items.ts'
import { SavedViews } from './table/SavedViews.tsx'
import { SearchChips } from './table/SearchChips.tsx'
import { Staleness } from './table/Staleness.tsx'
import { useGoneRows } from './table/use-gone-rows.ts'
import { usePause } from './table/use-pause.ts'
import { useMonitorSwitch } from '../monitor/use-monitor-switch.ts'
import { TableSkeleton } from './TableSkeleton.tsx'

interface DomainsPanelProps {
  readonly list: DomainListRequest
  readonly onList: (list: DomainListRequest) => void
  /** Why the user cannot add a domain; undefined if they can. */
  readonly limitReason: string | undefined
  /** Whether the live stream keeps the list current. */
  readonly live: LiveState
  readonly onAdd: () => void
  readonly onImport: () => void
  readonly onDialog: (dialog: RowDialog, domain: Domain) => void
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

/** What the data were read for: while those of another search, order or page are on their way, the one before. */
function useReadList(list: DomainListRequest, isPlaceholder: boolean): DomainListRequest {
  const [read, setRead] = useState(list)
  if (isPlaceholder || read === list) return read
  setRead(list)
  return list
}

interface ListProps extends Pick<DomainsPanelProps, 'list' | 'onList' | 'onAdd' | 'onDialog'> {
  readonly data: DomainPage
  readonly readList: DomainListRequest
  readonly isStale: boolean
  readonly onSearch: (text: string) => void
  readonly onSort: (sort: DomainListRequest['sort']) => void
}

/** The rows, the pages, and what can be done to the selected domains. */
function List(props: ListProps) {
  const { list, onList, data, readList, isStale, onSearch, onSort, onAdd, onDialog } = props
  const bulk = useBulkPart()
  const pause = usePause()
  const monitor = useMonitorSwitch()
  const { data: me } = useQuery(meQuery)
  const { domains, total } = data
  useGoneRows(bulk.selection, domains, readList)
  const canMonitor = me?.limits.abilities.includes('uptime') !== false
  return (
    <>
      {total === 0 ? (
        <Empty search={list.search} onAdd={onAdd} onClear={() => onSearch('')} />
      ) : (
        <>
          <DomainTable
            domains={domains}
            list={readList}
            sort={list.sort}
            isStale={isStale}
            selection={bulk.selection}
            failures={bulk.failures}
            canMonitor={canMonitor}
            onMonitor={monitor}
            onSort={onSort}
            onTag={(tag) => onSearch(withTerm(list.search, 'tag', tag))}
            onAction={(action, domain) => {
              if (action === 'pause' || action === 'resume') {
                pause({ domain, paused: action === 'pause' })
              } else if (action === 'monitor-on' || action === 'monitor-off') {
                monitor(domain, action === 'monitor-on')
              } else onDialog(action, domain)
            }}
          />
          <Pager
            pageSize={PAGE_SIZE}
            noun="domain"
            className="pager"
            buttonClassName="button button-line"
            page={list.page}
            shown={domains.length}
            total={total}
            onPage={(page) => {
              onList({ ...list, page })
              // The new page is read from the top, and the button that had the focus can be disabled there.
              document.getElementById('domains-title')?.focus()
            }}
          />
        </>
      )}
      <BulkPart
        bulk={bulk}
        search={list.search}
        total={total}
        domains={domains}
        canMonitor={canMonitor}
      />
    </>
  )
}

export function DomainsPanel(props: DomainsPanelProps) {
  const { list, onList, limitReason, live, onAdd, onImport, onDialog } = props
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
  const readList = useReadList(list, isPlaceholderData)
  const isOffline = !useOnline() || fetchStatus === 'paused'
  const isStale = data !== undefined && (error !== null || isOffline)
  return (
    <section className="card panel" aria-labelledby="domains-title">
      <PanelHead
        list={list}
        live={data === undefined || isStale ? undefined : live}
        readAt={dataUpdatedAt}
        limitReason={limitReason}
        onSearch={search}
        onSort={sort}
        onAdd={onAdd}
        onImport={onImport}
      />
      <SearchChips search={list.search} onSearch={search} />
      <SavedViews list={list} />
      {isStale && <Staleness error={error} since={dataUpdatedAt} onRetry={retry} />}
      {data === undefined && error === null && !isOffline && <TableSkeleton />}
      {data === undefined && isOffline && (
        <Message tone="warn">
          This device is offline. Your domains appear when it is online again.
        </Message>
      )}
      {data === undefined && error !== null && <Failure error={error} onRetry={retry} />}
      {data !== undefined && (
        <List
          list={list}
          data={data}
          readList={readList}
          isStale={isStale}
          onList={onList}
          onSearch={search}
          onSort={sort}
          onAdd={onAdd}
          onDialog={onDialog}
        />
      )}
    </section>
  )
}
