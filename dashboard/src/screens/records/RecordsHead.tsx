/** The head of the panel: what the plan includes, search and filter, and what concerns all records. */
import { count } from '@homing/theme/formats'
import { Icon } from '@homing/theme/parts/Icon.tsx'
import { notify } from '@homing/theme/parts/Notices.tsx'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { useQuery } from '@tanstack/react-query'
import { plansQuery } from '../../api/plans.ts'
import { textOf } from '../../api/problem.ts'
import { exportRecords, type RecordListRequest, recordUsageQuery } from '../../api/records.ts'
import { saveFile } from '../../components/save-file.ts'
import { usePageActions } from '../../keyboard/page-actions.ts'
import { SearchField } from '../dashboard/SearchField.tsx'
import { PLAN_NAMES } from '../frame/plan-words.ts'
import { usageText } from '../frame/record-usage-words.ts'
import { FILTER_TYPES } from './record-forms.ts'
import type { RecordPlace } from './record-place.ts'

/** What the next plan has more, for an account whose plan has TXT records only. */
function Upsell() {
  const { data: plans } = useQuery(plansQuery)
  const next = plans?.find(({ record_types }) => record_types === 'all')
  return (
    <a href="/pricing">
      {next === undefined
        ? 'Compare plans'
        : `${PLAN_NAMES[next.id]} has every type, and ${count(next.record_limit)} records`}
    </a>
  )
}

function UsageLine() {
  const { data: usage } = useQuery(recordUsageQuery)
  if (usage === undefined) return null
  const hasMore = usage.record_types === 'txt' || usage.used >= usage.limit
  return (
    <p className="muted record-usage">
      {usageText(usage)} in your account.
      {hasMore && (
        <> {usage.record_types === 'txt' ? <Upsell /> : <a href="/pricing">Compare plans</a>}</>
      )}
    </p>
  )
}

interface RecordsHeadProps {
  readonly place: RecordPlace
  readonly list: RecordListRequest
  /** Why no record can be added; undefined if one can. */
  readonly addReason: string | undefined
  readonly hasRecords: boolean
  readonly onList: (list: RecordListRequest) => void
  readonly onAdd: () => void
  readonly onImport: () => void
}

/** Import and export of all records. */
function Files({ place, onImport }: Pick<RecordsHeadProps, 'place' | 'onImport'>) {
  const { mutate, isPending } = useWrite({
    mutationFn: () => exportRecords(place),
    onSuccess: (text) => saveFile(new Blob([text], { type: 'text/plain' }), `${place.apex}.zone`),
    onError: (error) =>
      notify({ kind: 'failure', text: textOf(error, 'The records could not be exported.') }),
  })
  const save = () => mutate()
  const disabledReason = place.canEdit ? undefined : place.reasonNot
  usePageActions([
    { label: 'Import Records', icon: 'up', disabledReason, run: onImport },
    { label: 'Export Records', icon: 'down', run: save },
  ])
  return (
    <>
      <button
        type="button"
        className="line-button"
        disabled={!place.canEdit}
        aria-describedby={place.canEdit ? undefined : 'records-reason'}
        onClick={onImport}
      >
        Import
      </button>
      <button type="button" className="line-button" aria-disabled={isPending} onClick={save}>
        {isPending ? 'Exporting...' : 'Export'}
      </button>
    </>
  )
}

function TypeFilter({ list, onList }: Pick<RecordsHeadProps, 'list' | 'onList'>) {
  const isListed = list.type === '' || FILTER_TYPES.includes(list.type)
  const types = isListed ? FILTER_TYPES : [...FILTER_TYPES, list.type]
  return (
    <select
      className="record-type-filter"
      aria-label="Filter by type"
      value={list.type}
      onChange={({ target }) => onList({ ...list, type: target.value, page: 1 })}
    >
      <option value="">All types</option>
      {types.map((type) => (
        <option key={type}>{type}</option>
      ))}
    </select>
  )
}

export function RecordsHead(props: RecordsHeadProps) {
  const { place, list, addReason, hasRecords, onList, onAdd, onImport } = props
  usePageActions([
    {
      label: 'Add Record',
      icon: 'add',
      shortcut: 'create',
      disabledReason: addReason,
      run: onAdd,
    },
  ])
  return (
    <>
      <div className="domain-card-head">
        <h2 id="records-title" tabIndex={-1}>
          Records
        </h2>
        <div className="record-tools">
          <Files place={place} onImport={onImport} />
          <button
            type="button"
            className="button button-main"
            disabled={addReason !== undefined}
            aria-describedby={addReason === undefined ? undefined : 'records-reason'}
            onClick={onAdd}
          >
            <Icon name="add" />
            Add Record
          </button>
        </div>
      </div>
      {addReason !== undefined && (
        <p id="records-reason" className="record-reason">
          {addReason}
        </p>
      )}
      {place.notServed !== undefined && place.notServed !== addReason && (
        <p className="record-reason">{place.notServed}</p>
      )}
      <UsageLine />
      {hasRecords && (
        <div className="record-search">
          <SearchField
            label="Search names and values"
            placeholder="Search names and values"
            value={list.search}
            onSearch={(search) => onList({ ...list, search, page: 1 })}
          />
          <TypeFilter list={list} onList={onList} />
        </div>
      )}
    </>
  )
}
