import { Failure } from '@homing/theme/parts/Failure.tsx'
import { Modal } from '@homing/theme/parts/Modal.tsx'

interface UnavailableDialogProps {
  readonly error: Error
  readonly isBusy: boolean
  readonly onRetry: () => void
  readonly onClose: () => void
}

/** In place of a dialog about a domain that the service does not return: it was deleted, or belongs to another account. */
export default function UnavailableDialog(props: UnavailableDialogProps) {
  const { error, isBusy, onRetry, onClose } = props
  return (
    <Modal
      title="This domain cannot be shown"
      submit={{ label: 'Retry', busyLabel: 'Loading...' }}
      closeLabel="Close"
      isBusy={isBusy}
      onSubmit={onRetry}
      onClose={onClose}
    >
      <Failure error={error} />
    </Modal>
  )
}
