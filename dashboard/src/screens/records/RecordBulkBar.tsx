/** What can be done to the selected records. It stays at the bottom of the window. */
import { count, counted } from '@homing/theme/formats'
import { Icon } from '@homing/theme/parts/Icon.tsx'
import { notify } from '@homing/theme/parts/Notices.tsx'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { textOf } from '../../api/problem.ts'
import { type DnsRecord, readMatchingRecords, type RecordListRequest } from '../../api/records.ts'
import type { RecordPlace } from './record-place.ts'

interface RecordBulkBarProps {
  readonly place: RecordPlace
  readonly selected: readonly DnsRecord[]
  readonly list: RecordListRequest
  /** The number of records that match, on all pages. */
  readonly total: number
  readonly isBusy: boolean
  readonly onSelect: (records: readonly DnsRecord[], isSelected: boolean) => void
  readonly onClear: () => void
  readonly onDelete: () => void
}

/** Selects the records of all pages. The service says which they are. */
function SelectMatching({ place, list, total, onSelect }: RecordBulkBarProps) {
  const { mutate, isPending } = useWrite({
    mutationFn: () => readMatchingRecords(place, list),
    onSuccess: (records) => onSelect(records, true),
    onError: (error) =>
      notify({ kind: 'failure', text: textOf(error, 'The records could not be read.') }),
  })
  const isFiltered = list.search !== '' || list.type !== ''
  return (
    <button type="button" className="text-button" onClick={() => mutate()}>
      {isPending
        ? 'Selecting…'
        : `Select all ${isFiltered ? `${count(total)} matching` : counted(total, 'record')}`}
    </button>
  )
}

export function RecordBulkBar(props: RecordBulkBarProps) {
  const { selected, total, isBusy, onClear, onDelete } = props
  return (
    <div role="region" aria-label="Selected records" className="bulk-bar record-bulk">
      <span role="status">{counted(selected.length, 'record')} selected</span>
      {selected.length < total && <SelectMatching {...props} />}
      <span className="bulk-actions">
        <button
          type="button"
          className="row-button row-button-danger"
          aria-disabled={isBusy}
          onClick={onDelete}
        >
          <Icon name="remove" size={16} />
          {isBusy ? 'Deleting…' : 'Delete'}
        </button>
        <button type="button" className="row-button" onClick={onClear}>
          <Icon name="close" size={16} />
          Clear
        </button>
      </span>
    </div>
  )
}
