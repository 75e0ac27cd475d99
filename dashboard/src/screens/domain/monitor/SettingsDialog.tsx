/** Changes the settings of a monitor. */
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { Message } from '@homing/theme/parts/Message.tsx'
import { Modal } from '@homing/theme/parts/Modal.tsx'
import { notify } from '@homing/theme/parts/Notices.tsx'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type Monitor,
  type MonitorChange,
  monitorQuery,
  MONITORS_KEY,
  showMonitor,
  updateMonitor,
} from '../../../api/monitors.ts'
import { ApiProblem } from '../../../api/problem.ts'
import { LeaveGuard } from '../../frame/LeaveGuard.tsx'
import { checkText } from './monitor-sentences.ts'
import { changeOf, draftOf, faultOf, fieldsOf, type SettingsDraft } from './settings-draft.ts'
import { SettingsFields } from './SettingsFields.tsx'

interface SettingsDialogProps {
  readonly monitor: Monitor
  readonly onClose: () => void
}

const isConflict = (error: Error | null): boolean =>
  error instanceof ApiProblem && error.code === 'version-mismatch'

/** Saves a change for the version that the user saw. After a conflict, that is the new version. */
function useSave(opened: Monitor, onSaved: () => void) {
  const queries = useQueryClient()
  const [seen, setSeen] = useState(opened)
  const compare = useWrite({
    mutationFn: () => queries.fetchQuery({ ...monitorQuery(opened.domain_id), staleTime: 0 }),
    onSuccess: setSeen,
  })
  const save = useWrite({
    mutationFn: (change: MonitorChange) => updateMonitor(seen, change),
    onSuccess(saved) {
      showMonitor(queries, saved)
      void queries.invalidateQueries({ queryKey: [MONITORS_KEY] })
      notify({ kind: 'success', text: 'The settings of the monitor were saved.' })
      onSaved()
    },
    onError: (failure) => isConflict(failure) && compare.mutate(),
  })
  return { seen, hasConflict: seen !== opened, save, compare }
}

export default function SettingsDialog({ monitor, onClose }: SettingsDialogProps) {
  // The monitor is read again while the dialog is open.
  const [opened] = useState(monitor)
  const [draft, setDraft] = useState(() => draftOf(opened))
  const { seen, hasConflict, save, compare } = useSave(opened, onClose)
  const fields = fieldsOf(draft)
  const change = changeOf(draft, seen)
  const isChanged = Object.keys(change).length > 0
  const isFaulty = draft.kind === null || fields.some((field) => faultOf(draft, field))
  const error = isConflict(save.error) ? null : save.error
  const problem = error instanceof ApiProblem ? error : undefined
  /** A port belongs to its kind: SSH does not answer requests. */
  const portFor = (kind: SettingsDraft['kind'] | undefined) =>
    kind === undefined ? {} : { port: kind === opened.kind ? draftOf(opened).port : '' }
  const isAtField = problem?.of('kind', ...fields) !== undefined
  return (
    <Modal
      title={`Monitor of ${opened.fqdn}`}
      width="sm"
      submit={{ label: hasConflict ? 'Save Mine' : 'Save Settings', busyLabel: 'Saving...' }}
      isBusy={save.isPending || compare.isPending}
      isDisabled={!isChanged || isFaulty}
      onClose={onClose}
      onSubmit={() => save.mutate(change)}
    >
      {hasConflict && (
        <Message tone="warn">
          <p>Another client has changed this monitor. If you save, you replace its change.</p>
          <p>Now: {checkText(seen)}</p>
        </Message>
      )}
      {compare.error && <Failure error={compare.error} onRetry={() => compare.mutate()} />}
      {error && !isAtField && <Failure error={error} otherwise="Failed to update monitoring" />}
      <SettingsFields
        draft={draft}
        shortest={opened.min_interval_seconds ?? opened.interval_seconds}
        problem={problem}
        onChange={(part) => {
          if (save.error) save.reset()
          setDraft({ ...draft, ...part, ...portFor(part.kind) })
        }}
      />
      {isChanged && <LeaveGuard isInDialog />}
    </Modal>
  )
}
