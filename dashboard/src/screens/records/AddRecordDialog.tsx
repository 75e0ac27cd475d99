/** Adds a record. What the rules say appears at its field while the user types. */
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { Message } from '@homing/theme/parts/Message.tsx'
import { Modal } from '@homing/theme/parts/Modal.tsx'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { ApiProblem } from '../../api/problem.ts'
import { createRecord, type DnsRecord, findRecord, type RecordUsage } from '../../api/records.ts'
import { RepeatableChange } from '../../api/repeatable-change.ts'
import { LeaveGuard } from '../frame/LeaveGuard.tsx'
import { missingIn, newDraft, newRecordOf, type RecordStart } from './record-draft.ts'
import { faultsOf } from './record-faults.ts'
import { fullOwner, type RecordPlace } from './record-place.ts'
import { RecordFields, RecordPreview } from './RecordFields.tsx'
import { useRecordCheck } from './use-record-check.ts'
import { useRecordNotices } from './use-record-notices.ts'

interface AddRecordDialogProps {
  readonly place: RecordPlace
  readonly usage: RecordUsage
  readonly start: RecordStart
  readonly onClose: () => void
  /** Continues with the record that exists already, and the values that the user typed. */
  readonly onExisting: (record: DnsRecord, values: readonly string[]) => void
}

interface ExistingProps extends Pick<AddRecordDialogProps, 'place'> {
  readonly wanted: Pick<DnsRecord, 'owner' | 'type'>
  readonly onFound: (record: DnsRecord) => void
}

/** A record of this name and type exists: the new values belong to it. */
function Existing({ place, wanted, onFound }: ExistingProps) {
  const { mutate, isPending, error } = useWrite({
    mutationFn: () => findRecord(place, fullOwner(wanted.owner, place.apex), wanted.type),
    onSuccess: (found) => found !== undefined && onFound(found),
  })
  return (
    <Message
      tone="info"
      action={
        <button type="button" className="text-button" onClick={() => mutate()}>
          {isPending ? 'Opening...' : 'Add to It'}
        </button>
      }
    >
      <p>All values of one name and type are one record.</p>
      {error && <Failure error={error} onRetry={() => mutate()} />}
    </Message>
  )
}

export default function AddRecordDialog(props: AddRecordDialogProps) {
  const { place, usage, start, onClose, onExisting } = props
  const notices = useRecordNotices(place)
  const [first] = useState(() => newDraft(start))
  const [draft, setDraft] = useState(first)
  const [change] = useState(() => new RepeatableChange())
  const { mutate, isPending, error, reset } = useWrite({
    mutationFn: () =>
      change.send(newRecordOf(draft), (body, key) => createRecord(place, body, { key })),
    onSuccess(record) {
      notices.created(record)
      onClose()
    },
  })
  const [isContinued, setContinued] = useState(false)
  function continueWith(record: DnsRecord): void {
    // The guard asks nothing: what was typed is in the next dialog.
    flushSync(() => setContinued(true))
    onExisting(record, newRecordOf(draft).values)
  }
  const check = useRecordCheck(place, draft)
  const faults = faultsOf(error ?? check.problem)
  const refusal = error ?? check.problem
  const isThere = refusal instanceof ApiProblem && refusal.code === 'record-exists'
  // An error that no field shows, and that the check does not have.
  const rest = faults.rest ?? (error instanceof ApiProblem && !error.isHint ? undefined : error)
  return (
    <Modal
      title="Add record"
      width="sm"
      submit={{ label: 'Add Record', busyLabel: 'Adding...' }}
      isBusy={isPending}
      disabledReason={missingIn(draft)}
      onClose={onClose}
      onSubmit={mutate}
    >
      {rest && <Failure error={rest} otherwise="Failed to add the record" />}
      <RecordFields
        place={place}
        usage={usage}
        draft={draft}
        faults={faults}
        isNew
        onChange={(part) => {
          if (error) reset()
          setDraft({ ...draft, ...part })
        }}
      />
      {isThere && <Existing place={place} wanted={newRecordOf(draft)} onFound={continueWith} />}
      <RecordPreview record={check.result} />
      {draft !== first && !isContinued && <LeaveGuard isInDialog />}
    </Modal>
  )
}
