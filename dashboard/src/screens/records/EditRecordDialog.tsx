/** Changes the values and the TTL of a record. Its name and type stay the same. */
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { Message } from '@homing/theme/parts/Message.tsx'
import { Modal } from '@homing/theme/parts/Modal.tsx'
import { notify } from '@homing/theme/parts/Notices.tsx'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiProblem } from '../../api/problem.ts'
import {
  type DnsRecord,
  readRecord,
  type RecordChange,
  type RecordUsage,
  updateRecord,
} from '../../api/records.ts'
import { LeaveGuard } from '../frame/LeaveGuard.tsx'
import { changeOf, draftOf, missingIn, type RecordDraft, valueDraftOf } from './record-draft.ts'
import { faultsOf } from './record-faults.ts'
import { recordName, type RecordPlace } from './record-place.ts'
import { RecordFields, RecordPreview } from './RecordFields.tsx'
import { reloadRecords } from './reload-records.ts'
import { useRecordCheck } from './use-record-check.ts'
import { useRecordNotices } from './use-record-notices.ts'

interface EditRecordDialogProps {
  readonly place: RecordPlace
  readonly usage: RecordUsage
  readonly record: DnsRecord
  /** Values that the user wants to add to those of the record. */
  readonly added?: readonly string[]
  readonly onClose: () => void
}

const hasCode = (error: Error | null, code: string): boolean =>
  error instanceof ApiProblem && error.code === code

/** The version of another client, above the form with the user's own. */
function Conflict({ theirs }: { readonly theirs: DnsRecord }) {
  return (
    <Message tone="warn">
      <p>Another client has changed this record. If you save, you replace its change.</p>
      <p>Now, with a TTL of {theirs.ttl} seconds:</p>
      <ul className="record-values">
        {theirs.values.map((value) => (
          <li key={value} className="monospace">
            {value}
          </li>
        ))}
      </ul>
    </Message>
  )
}

/** Saves a change for the version that the user saw. After a conflict, that is the new version. */
function useSave(place: RecordPlace, opened: DnsRecord, onDone: () => void) {
  const queries = useQueryClient()
  const notices = useRecordNotices(place)
  const [seen, setSeen] = useState(opened)
  const compare = useWrite({
    mutationFn: () => readRecord(place, opened.id),
    onSuccess(now) {
      if (now !== undefined) return setSeen(now)
      const name = recordName(opened, place.apex)
      notify({
        kind: 'failure',
        text: `Another client has deleted ${name}. Your changes were not saved.`,
      })
      void reloadRecords(queries)
      onDone()
    },
  })
  const save = useWrite({
    mutationFn: (change: RecordChange) => updateRecord(place, seen, change),
    onSuccess(saved) {
      notices.changed(seen, saved)
      onDone()
    },
    onError: (failure) =>
      (hasCode(failure, 'version-mismatch') || hasCode(failure, 'not-found')) && compare.mutate(),
  })
  const isStale = hasCode(save.error, 'version-mismatch') || hasCode(save.error, 'not-found')
  return { seen, hasConflict: seen !== opened, save, compare, error: isStale ? null : save.error }
}

export default function EditRecordDialog(props: EditRecordDialogProps) {
  const { place, usage, record, added = [], onClose } = props
  // The list is read again while the dialog is open.
  const [opened] = useState(record)
  const [draft, setDraft] = useState((): RecordDraft => {
    const draftNow = draftOf(opened, place.apex)
    const news = added.filter((value) => !opened.values.includes(value))
    const more = news.map((value) => valueDraftOf(opened.type, value))
    return { ...draftNow, values: [...draftNow.values, ...more] }
  })
  const { seen, hasConflict, save, compare, error } = useSave(place, opened, onClose)
  const change = changeOf(draft, seen)
  const isChanged = Object.keys(change).length > 0
  const check = useRecordCheck(place, draft, seen)
  const faults = faultsOf(error ?? check.problem)
  const rest = faults.rest ?? (error instanceof ApiProblem && !error.isHint ? undefined : error)
  return (
    <Modal
      title={`Edit ${recordName(opened, place.apex)}`}
      width="sm"
      submit={{ label: hasConflict ? 'Save Mine' : 'Save Changes', busyLabel: 'Saving...' }}
      isBusy={save.isPending || compare.isPending}
      isDisabled={!isChanged || missingIn(draft) !== undefined}
      onClose={onClose}
      onSubmit={() => save.mutate(change)}
    >
      {hasConflict && <Conflict theirs={seen} />}
      {compare.error && <Failure error={compare.error} onRetry={() => compare.mutate()} />}
      {rest && <Failure error={rest} otherwise="Failed to save the record" />}
      {faults.owner !== undefined && <Message tone="error">{faults.owner}</Message>}
      <p className="monospace record-full-name">{opened.owner}</p>
      <RecordFields
        place={place}
        usage={usage}
        draft={draft}
        faults={faults}
        isNew={false}
        onChange={(part) => {
          if (save.error) save.reset()
          setDraft({ ...draft, ...part })
        }}
      />
      <RecordPreview record={isChanged ? check.result : undefined} />
      {isChanged && <LeaveGuard isInDialog />}
    </Modal>
  )
}
