/**
 * The records at and below a domain, or in an own zone: a page of them, with search, filter and order in the URL, and
 * the dialogs that add, change and import them.
 */
import { counted } from '@homing/theme/formats'
import { announce } from '@homing/theme/parts/Announcer.tsx'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { ApiProblem } from '../../api/problem.ts'
import {
  RECORD_PAGE_SIZE,
  type DnsRecord,
  type RecordListRequest,
  type RecordPage,
  recordsQuery,
  recordUsageQuery,
} from '../../api/records.ts'
import { Pager } from '../../components/Pager.tsx'
import { Loaded } from '../../components/Loaded.tsx'
import { type DialogInUrl, useDialogInUrl } from '../../dialog-url.ts'
import { fullReason } from '../frame/record-usage-words.ts'
import { EmptyRecords, NoMatch } from './EmptyRecords.tsx'
import { usePanelState } from './panel-state.ts'
import type { RecordPlace } from './record-place.ts'
import { RecordBulkBar } from './RecordBulkBar.tsx'
import { RECORD_DIALOGS, type RecordDialogName, RecordDialogs } from './RecordDialogs.tsx'
import { RecordsHead } from './RecordsHead.tsx'
import { RecordTable } from './RecordTable.tsx'
import { useDeletion } from './use-deletion.ts'
import '../../components/section.css'
import '../dashboard/dashboard.css'
import '../dashboard/table.css'
import './records.css'

const TITLE_ID = 'records-title'
const focusTitle = () => document.getElementById(TITLE_ID)?.focus()

/** The selected records, on all pages. A search or another page keeps them. */
function useSelected() {
  const [selected, setSelected] = useState<ReadonlyMap<string, DnsRecord>>(new Map())
  const select = useCallback((records: readonly DnsRecord[], isSelected: boolean) => {
    setSelected((known) => {
      const next = new Map(known)
      for (const record of records) {
        if (isSelected) next.set(record.id, record)
        else next.delete(record.id)
      }
      return next
    })
  }, [])
  const clear = useCallback(() => setSelected(new Map()), [])
  return { selected, select, clear }
}

interface ListProps {
  readonly place: RecordPlace
  readonly list: RecordListRequest
  readonly data: RecordPage
  readonly isStale: boolean
  readonly canAdd: boolean
  readonly show: DialogInUrl<RecordDialogName>['show']
  readonly onList: (list: RecordListRequest) => void
}

function Rows({ place, list, data, isStale, show, onList }: Omit<ListProps, 'canAdd'>) {
  const { selected, select, clear } = useSelected()
  const { remove, removing } = useDeletion(place, (records) => {
    select(records, false)
    focusTitle()
  })
  const ids = new Set(selected.keys())
  const latest = useRef({ remove, show })
  useEffect(() => {
    latest.current = { remove, show }
  })
  const edit = useCallback(({ id }: DnsRecord) => latest.current.show('edit-record', id), [])
  const removeOne = useCallback((record: DnsRecord) => latest.current.remove([record]), [])
  const { records, total } = data
  // What another client has changed meanwhile is deleted in its newest version.
  const newest = new Map(records.map((record) => [record.id, record]))
  const chosen = [...selected.values()].map((record) => newest.get(record.id) ?? record)
  return (
    <>
      <RecordTable
        records={records}
        apex={place.apex}
        canEdit={place.canEdit}
        selected={ids}
        removing={removing}
        sort={list.sort}
        isStale={isStale}
        onSort={(sort) => onList({ ...list, sort, page: 1 })}
        onSelect={select}
        onEdit={edit}
        onDelete={removeOne}
      />
      <Pager
        pageSize={RECORD_PAGE_SIZE}
        noun="record"
        className="domain-pages record-pages"
        buttonClassName="line-button"
        page={list.page}
        shown={records.length}
        total={total}
        onPage={(page) => {
          onList({ ...list, page })
          focusTitle()
        }}
      />
      {chosen.length > 0 && place.canEdit && (
        <RecordBulkBar
          place={place}
          selected={chosen}
          list={list}
          total={total}
          isBusy={removing.length > 0}
          onSelect={select}
          onClear={clear}
          onDelete={() => removing.length > 0 || remove(chosen)}
        />
      )}
    </>
  )
}

function List(props: ListProps) {
  const { place, list, data, canAdd, show, onList } = props
  if (data.total > 0) return <Rows {...props} />
  if (list.search !== '' || list.type !== '') {
    return <NoMatch onClear={() => onList({ ...list, search: '', type: '', page: 1 })} />
  }
  return (
    <EmptyRecords place={place} canAdd={canAdd} onPreset={({ id }) => show('add-record', id)} />
  )
}

/** Goes back to the last page when the current page no longer exists because records were deleted. */
function useExistingPage(
  error: Error | null,
  list: RecordListRequest,
  onList: (list: RecordListRequest) => void,
): void {
  const isBehindLast = error instanceof ApiProblem && error.status === 416
  useEffect(() => {
    if (isBehindLast && list.page > 1) onList({ ...list, page: list.page - 1 })
  }, [isBehindLast, list, onList])
}

/** Announces the number of results to screen readers. */
function useSpokenResult({ search, type }: RecordListRequest, total: number | undefined): void {
  const wanted = `${search} ${type}`
  const spoken = useRef(wanted)
  useEffect(() => {
    if (total === undefined || spoken.current === wanted) return
    spoken.current = wanted
    announce(`${counted(total, 'record')} found`)
  }, [wanted, total])
}

interface RecordsPanelProps {
  readonly place: RecordPlace
}

export default function RecordsPanel({ place }: RecordsPanelProps) {
  const [list, setList] = usePanelState()
  const dialog = useDialogInUrl(RECORD_DIALOGS)
  const query = useQuery(recordsQuery(place, list))
  const { data: usage } = useQuery(recordUsageQuery)
  const { data, error, isPlaceholderData } = query
  useExistingPage(error, list, setList)
  useSpokenResult(list, isPlaceholderData ? undefined : data?.total)
  const reason = place.canEdit
    ? usage && fullReason(usage)
    : (place.reasonNot ?? 'The records cannot be changed now.')
  const isFiltered = list.search !== '' || list.type !== ''
  const { show } = dialog
  return (
    <section className="card section-card records-card" aria-labelledby={TITLE_ID}>
      <RecordsHead
        place={place}
        list={list}
        addReason={reason}
        hasRecords={isFiltered || (data !== undefined && data.total > 0)}
        onList={setList}
        onAdd={() => show('add-record')}
        onImport={() => show('import-records')}
      />
      <Loaded query={query} failure="Failed to load data">
        {(page) => (
          <List
            place={place}
            list={list}
            data={page}
            isStale={error !== null || isPlaceholderData}
            canAdd={reason === undefined}
            show={show}
            onList={setList}
          />
        )}
      </Loaded>
      <RecordDialogs place={place} dialog={dialog} canAdd={reason === undefined} />
    </section>
  )
}
