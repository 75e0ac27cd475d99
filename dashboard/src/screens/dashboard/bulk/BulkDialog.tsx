/**
 * Changes the selected domains. The URL does not name this dialog, because it does not name the selection: after a
 * reload, nothing is selected.
 */
import { count, counted } from '@homing/theme/formats'
import { Modal } from '@homing/theme/parts/Modal.tsx'
import { useState } from 'react'
import type { Domain } from '../../../api/domains.ts'
import type { SelectedDomain } from '../table/use-selection.ts'
import {
  ACTION_TEXTS,
  type BulkAction,
  type BulkValues,
  hasFields,
  isComplete,
  linesOf,
  NO_VALUES,
  subjectsOf,
} from './bulk-actions.ts'
import { BulkFields } from './BulkFields.tsx'
import { BulkReportView } from './BulkReportView.tsx'
import type { BulkLine, BulkReport } from './run-batches.ts'
import { type Bulk, useBulk } from './use-bulk.ts'
import { useDoneNotice } from './use-done-notice.ts'
import './bulk.css'

interface BulkDialogProps {
  readonly action: BulkAction
  readonly selected: readonly SelectedDomain[]
  readonly onReport: (report: BulkReport) => void
  readonly onClose: () => void
}

function Progress({ progress, isStopping, stop }: Pick<Bulk, 'progress' | 'isStopping' | 'stop'>) {
  if (progress === undefined) return null
  const { done, total } = progress
  return (
    <div className="bulk-progress">
      <progress aria-label="Domains sent" value={done} max={total} />
      <span role="status">
        {count(done)} of {counted(total, 'domain')}
      </span>
      <button type="button" className="text-button" disabled={isStopping} onClick={stop}>
        {isStopping ? 'Stopping after this batch…' : 'Stop'}
      </button>
    </div>
  )
}

function leftOutText(action: BulkAction, wildcards: string): string {
  if (action === 'delete') return `Their wildcards (${wildcards} selected) are deleted with them.`
  if (action === 'monitor-on' || action === 'monitor-off') {
    return `Wildcards (${wildcards} selected) have no monitors.`
  }
  return `Wildcards (${wildcards} selected) follow their domains.`
}

/** Says which selected wildcards the action does not name. */
function LeftOut({ action, count: wildcards }: { action: BulkAction; count: number }) {
  if (wildcards === 0) return null
  return <p className="muted">{leftOutText(action, count(wildcards))}</p>
}

/** What is left to send: lines without an answer, and those that only their batch held back. */
const leftOf = ({ waiting, held }: BulkReport): readonly BulkLine[] => [...held, ...waiting]

export default function BulkDialog({ action, selected, onReport, onClose }: BulkDialogProps) {
  const [values, setValues] = useState<BulkValues>(NO_VALUES)
  /** Whether the user changed the values after the last run. */
  const [isEdited, setEdited] = useState(true)
  // The selection can change while the dialog is open: deleted domains leave it.
  const [subjects] = useState(() => subjectsOf(action, selected))
  const [leftOut] = useState(() => selected.length - subjects.length)
  const texts = ACTION_TEXTS[action]
  const tell = useDoneNotice(texts.done)
  const [before, setBefore] = useState<ReadonlyMap<string, Domain>>(new Map())
  const bulk = useBulk((report, known) => {
    onReport(report)
    setBefore(known)
    if (leftOf(report).length + report.refused.length > 0) return
    tell(report.done, known)
    onClose()
  })
  const { report, progress, run } = bulk
  const done = new Set(report?.done.map(({ domain }) => domain.id))
  const remaining = subjects.filter(({ id }) => !done.has(id))
  const isAgain = report !== undefined && !isEdited
  const left = isAgain ? leftOf(report) : linesOf(action, values, remaining)
  return (
    <Modal
      title={texts.title(subjects.length)}
      submit={{
        label: isAgain ? `Continue with ${counted(left.length, 'domain')}` : texts.submit,
        busyLabel: texts.busy,
        isDanger: action === 'delete',
      }}
      closeLabel={report === undefined ? 'Cancel' : 'Close'}
      isBusy={progress !== undefined}
      isDisabled={left.length === 0 || !isComplete(action, values)}
      onClose={() => {
        if (report !== undefined && report.done.length > 0) tell(report.done, before)
        onClose()
      }}
      onSubmit={() => {
        setEdited(false)
        run(left)
      }}
    >
      {(report === undefined || hasFields(action)) && (
        <BulkFields
          action={action}
          values={values}
          onChange={(typed) => {
            setEdited(true)
            setValues(typed)
          }}
        />
      )}
      <LeftOut action={action} count={leftOut} />
      {report !== undefined && progress === undefined && (
        <BulkReportView report={report} done={texts.done} />
      )}
      <Progress {...bulk} />
    </Modal>
  )
}
