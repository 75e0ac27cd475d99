/** Announces maintenance. The times are typed in the user's time zone. */
import { MONITOR_LIMITS } from '@homing/openapi/vocabulary'
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { Field } from '@homing/theme/parts/Field.tsx'
import { Modal } from '@homing/theme/parts/Modal.tsx'
import { notify } from '@homing/theme/parts/Notices.tsx'
import { Select } from '@homing/theme/parts/Select.tsx'
import { useNow } from '@homing/theme/parts/use-now.ts'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { createMaintenance, MONITORS_KEY } from '../../../api/monitors.ts'
import { ApiProblem } from '../../../api/problem.ts'
import { LeaveGuard } from '../../frame/LeaveGuard.tsx'
import {
  bodyOf,
  faultsOf,
  newWindow,
  ownZone,
  REPEAT_NAMES,
  timeIn,
  utcText,
  type WindowDraft,
} from './window-words.ts'

interface AddMaintenanceDialogProps {
  readonly domainId: string
  readonly onClose: () => void
}

const REPEATS = ['never', 'daily', 'weekly'] as const
const OWN_FIELDS = ['starts_at', 'ends_at', 'note'] as const
const MINUTE_MS = 60_000

interface TimeFieldProps {
  readonly label: string
  readonly name: string
  readonly value: string
  readonly error: string | undefined
  readonly autoFocus?: boolean
  readonly onChange: (value: string) => void
}

/** A time in the user's time zone, with UTC below it. */
function TimeField({ value, onChange, ...field }: TimeFieldProps) {
  const ms = timeIn(value)
  return (
    <Field
      {...field}
      type="datetime-local"
      value={value}
      help={ms === undefined ? undefined : utcText(ms)}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}

export default function AddMaintenanceDialog({ domainId, onClose }: AddMaintenanceDialogProps) {
  const queries = useQueryClient()
  const nowMs = useNow(MINUTE_MS)
  const [start] = useState(() => newWindow(Date.now()))
  const [draft, setDraft] = useState(start)
  const faults = faultsOf(draft, nowMs)
  const { mutate, isPending, error, reset } = useWrite({
    mutationFn: () => createMaintenance(domainId, bodyOf(draft)),
    onSuccess() {
      void queries.invalidateQueries({ queryKey: [MONITORS_KEY, domainId] })
      notify({ kind: 'success', text: 'The maintenance was added.' })
      onClose()
    },
  })
  const problem = error instanceof ApiProblem ? error : undefined
  const change = (part: Partial<WindowDraft>) => {
    if (error) reset()
    setDraft({ ...draft, ...part })
  }
  return (
    <Modal
      title="Add maintenance"
      width="sm"
      submit={{ label: 'Add Maintenance', busyLabel: 'Saving...' }}
      isBusy={isPending}
      isDisabled={Object.keys(faults).length > 0}
      onClose={onClose}
      onSubmit={mutate}
    >
      {error && problem?.of(...OWN_FIELDS) === undefined && <Failure error={error} />}
      <p>Times are in your time zone, {ownZone()}.</p>
      <TimeField
        label="Begins"
        name="starts_at"
        autoFocus
        value={draft.starts}
        error={faults.starts ?? problem?.of('starts_at')}
        onChange={(starts) => change({ starts })}
      />
      <TimeField
        label="Ends"
        name="ends_at"
        value={draft.ends}
        error={faults.ends ?? problem?.of('ends_at')}
        onChange={(ends) => change({ ends })}
      />
      <Select
        label="Repeats"
        name="repeats"
        value={draft.repeats}
        choices={REPEATS.map((repeats) => [repeats, REPEAT_NAMES[repeats]] as const)}
        help={
          draft.repeats === 'never'
            ? undefined
            : 'It keeps its time of day in your time zone when clocks change.'
        }
        onChange={(repeats) => change({ repeats })}
      />
      <Field
        label="Note (optional)"
        name="note"
        autoComplete="off"
        value={draft.note}
        error={problem?.of('note')}
        inputProps={{ maxLength: MONITOR_LIMITS.maintenance_note, dir: 'auto' }}
        onChange={({ target }) => change({ note: target.value })}
      />
      {JSON.stringify(draft) !== JSON.stringify(start) && <LeaveGuard isInDialog />}
    </Modal>
  )
}
