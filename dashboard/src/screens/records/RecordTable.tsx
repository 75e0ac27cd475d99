/** The records as a table of native elements, and as cards on phones. */
import { spanText } from '@homing/theme/formats'
import { Icon } from '@homing/theme/parts/Icon.tsx'
import { memo } from 'react'
import type { DnsRecord, RecordListRequest, RecordSortField } from '../../api/records.ts'
import { recordName, relativeOwner } from './record-place.ts'

type Sort = RecordListRequest['sort']

/** The others are in the dialog. */
const SHOWN_VALUES = 4

const COLUMNS: readonly { readonly title: string; readonly field?: RecordSortField }[] = [
  { title: 'Name', field: 'owner' },
  { title: 'Type', field: 'type' },
  { title: 'TTL', field: 'ttl' },
  { title: 'Values' },
]

interface HeadProps {
  readonly records: readonly DnsRecord[]
  readonly selected: ReadonlySet<string>
  readonly sort: Sort
  readonly canEdit: boolean
  readonly onSort: (sort: Sort) => void
  readonly onSelect: (records: readonly DnsRecord[], isSelected: boolean) => void
}

function SelectPage({ records, selected, onSelect }: Omit<HeadProps, 'sort' | 'onSort'>) {
  const count = records.filter(({ id }) => selected.has(id)).length
  const areAll = count === records.length
  return (
    <th role="columnheader" scope="col" className="cell-select">
      <input
        type="checkbox"
        aria-label="Select all records on this page"
        checked={areAll}
        ref={(box) => {
          if (box !== null) box.indeterminate = count > 0 && !areAll
        }}
        onChange={() => onSelect(records, !areAll)}
      />
    </th>
  )
}

function Head(props: HeadProps) {
  const { sort, canEdit, onSort } = props
  return (
    <thead role="rowgroup">
      <tr role="row">
        {canEdit && <SelectPage {...props} />}
        {COLUMNS.map(({ title, field }) => {
          if (field === undefined) {
            return (
              <th key={title} role="columnheader" scope="col">
                {title}
              </th>
            )
          }
          const isSorted = sort.field === field
          const direction = sort.descending ? 'descending' : 'ascending'
          const next = { field, descending: isSorted && !sort.descending }
          return (
            <th
              key={title}
              role="columnheader"
              scope="col"
              aria-sort={isSorted ? direction : 'none'}
            >
              <button type="button" className="sort" onClick={() => onSort(next)}>
                {title}
                <span className={isSorted ? 'sort-arrow' : 'sort-arrow sort-arrow-idle'}>
                  <Icon name={isSorted && sort.descending ? 'down' : 'up'} size={14} />
                </span>
              </button>
            </th>
          )
        })}
        {canEdit && (
          <th role="columnheader" scope="col">
            <span className="visually-hidden">Actions</span>
          </th>
        )}
      </tr>
    </thead>
  )
}

function Values({ values }: Pick<DnsRecord, 'values'>) {
  const others = values.length - SHOWN_VALUES
  // One more line has room for the last value itself.
  const shown = others > 1 ? values.slice(0, SHOWN_VALUES) : values
  return (
    <ul className="record-values">
      {shown.map((value) => (
        <li key={value} className="monospace" dir="ltr" title={value}>
          {value}
        </li>
      ))}
      {others > 1 && <li className="muted">and {others} more</li>}
    </ul>
  )
}

interface RowActions {
  readonly onSelect: HeadProps['onSelect']
  readonly onEdit: (record: DnsRecord) => void
  readonly onDelete: (record: DnsRecord) => void
}

interface RowProps extends RowActions {
  readonly record: DnsRecord
  readonly apex: string
  readonly canEdit: boolean
  readonly isSelected: boolean
  readonly isRemoving: boolean
}

function Owner({ record: { owner, is_served }, apex }: Pick<RowProps, 'record' | 'apex'>) {
  const relative = relativeOwner(owner, apex)
  return (
    <th role="rowheader" scope="row" className="record-owner monospace" title={owner}>
      <span dir="ltr">{relative}</span>
      {relative === '@' && <span className="visually-hidden"> ({apex})</span>}
      {!is_served && <span className="badge record-badge">Not served</span>}
    </th>
  )
}

/** A row renders again only if something in it changed. */
const Row = memo(function Row(props: RowProps) {
  const { record, apex, canEdit, isSelected, isRemoving, onSelect, onEdit, onDelete } = props
  const name = recordName(record, apex)
  return (
    <tr role="row" className={isSelected ? 'row-selected' : ''} aria-busy={isRemoving}>
      {canEdit && (
        <td role="cell" className="cell-select">
          <input
            type="checkbox"
            aria-label={`Select ${name}`}
            checked={isSelected}
            onChange={() => onSelect([record], !isSelected)}
          />
        </td>
      )}
      <Owner record={record} apex={apex} />
      <td role="cell" data-label="Type">
        <span className="badge">{record.type}</span>
      </td>
      <td role="cell" data-label="TTL" title={`${record.ttl} seconds`}>
        {spanText(record.ttl)}
      </td>
      <td role="cell" className="record-value-cell">
        <Values values={record.values} />
      </td>
      {canEdit && (
        <td role="cell" className="record-buttons">
          <button
            type="button"
            className="row-button"
            aria-label={`Edit ${name}`}
            onClick={() => onEdit(record)}
          >
            Edit
          </button>
          <button
            type="button"
            className="row-button row-button-danger"
            aria-label={`Delete ${name}`}
            aria-disabled={isRemoving}
            onClick={() => isRemoving || onDelete(record)}
          >
            Delete
          </button>
        </td>
      )}
    </tr>
  )
})

interface RecordTableProps extends Omit<HeadProps, 'selected'>, RowActions {
  readonly apex: string
  readonly selected: ReadonlySet<string>
  readonly removing: readonly DnsRecord[]
  readonly isStale: boolean
}

export function RecordTable(props: RecordTableProps) {
  const { records, apex, selected, removing, isStale, canEdit } = props
  const { onSelect, onEdit, onDelete } = props
  const busy = new Set(removing.map(({ id }) => id))
  const className = `records${canEdit ? ' records-editable' : ''}${isStale ? ' records-stale' : ''}`
  return (
    <table role="table" className={className} aria-label="Records">
      <Head {...props} />
      <tbody role="rowgroup">
        {records.map((record) => (
          <Row
            key={record.id}
            record={record}
            apex={apex}
            canEdit={canEdit}
            isSelected={selected.has(record.id)}
            isRemoving={busy.has(record.id)}
            onSelect={onSelect}
            onEdit={onEdit}
            onDelete={onDelete}
          />
        ))}
      </tbody>
    </table>
  )
}
