/** A dialog for an action that needs a reason, which the owner reads. An error stays in the dialog, with the text that was typed. */
import { Field } from '@homing/theme/parts/Field.tsx'
import { Message } from '@homing/theme/parts/Message.tsx'
import { Modal } from '@homing/theme/parts/Modal.tsx'
import { type ReactNode, useState } from 'react'
import { faultsOf, messageOf } from '../api/problem.ts'

interface ReasonDialogProps {
  /** The question, which names the record. */
  readonly title: string
  /** The effects of the action. */
  readonly children: ReactNode
  readonly submit: { readonly label: string; readonly busyLabel: string }
  /** Who reads the reason. */
  readonly help: string
  readonly maxLength: number
  readonly isBusy: boolean
  /** Whether a field among the children still lacks its value. */
  readonly isIncomplete?: boolean
  readonly error: Error | null
  readonly onSubmit: (reason: string) => void
  readonly onClose: () => void
}

export function ReasonDialog(props: ReasonDialogProps) {
  const { title, children, submit, help, maxLength, isBusy, error, onSubmit, onClose } = props
  const { isIncomplete = false } = props
  const [reason, setReason] = useState('')
  const fault = error === null ? undefined : faultsOf(error)?.['reason']
  return (
    <Modal
      title={title}
      width="sm"
      submit={submit}
      isBusy={isBusy}
      isDisabled={isIncomplete || reason.trim() === ''}
      onSubmit={() => onSubmit(reason.trim())}
      onClose={onClose}
    >
      {children}
      {error !== null && fault === undefined && <Message tone="error">{messageOf(error)}</Message>}
      <Field
        label="Reason"
        help={help}
        error={fault}
        autoFocus
        required
        autoComplete="off"
        maxLength={maxLength}
        value={reason}
        onChange={({ target }) => setReason(target.value)}
      />
    </Modal>
  )
}
