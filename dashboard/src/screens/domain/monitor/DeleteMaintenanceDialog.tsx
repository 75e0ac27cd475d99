/** Deletes a maintenance window. If it is under way, it ends. */
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { Modal } from '@homing/theme/parts/Modal.tsx'
import { notify } from '@homing/theme/parts/Notices.tsx'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { deleteMaintenance, maintenanceQuery, MONITORS_KEY } from '../../../api/monitors.ts'
import { deletionOf } from '../../../api/problem.ts'
import { windowText } from './window-words.ts'

interface DeleteMaintenanceDialogProps {
  readonly domainId: string
  readonly windowId: string
  readonly onClose: () => void
}

export default function DeleteMaintenanceDialog(props: DeleteMaintenanceDialogProps) {
  const { domainId, windowId, onClose } = props
  const queries = useQueryClient()
  const { data: windows } = useQuery(maintenanceQuery(domainId))
  const { mutate, isPending, error } = useWrite({
    mutationFn: () => deletionOf(deleteMaintenance(domainId, windowId)),
    onSuccess() {
      void queries.invalidateQueries({ queryKey: [MONITORS_KEY, domainId] })
      notify({ kind: 'success', text: 'The maintenance was deleted.' })
      onClose()
      // The button that opened the dialog disappears with its line.
      requestAnimationFrame(() => document.getElementById('maintenance-title')?.focus())
    },
  })
  const window = windows?.find(({ id }) => id === windowId)
  if (window === undefined) return null
  return (
    <Modal
      title="Delete maintenance?"
      submit={{ label: 'Delete', busyLabel: 'Deleting...', isDanger: true }}
      isBusy={isPending}
      onClose={onClose}
      onSubmit={mutate}
    >
      {error && <Failure error={error} />}
      <p>{windowText(window)}</p>
      <p>If it has begun, it ends now. Earlier maintenance stays in the history.</p>
    </Modal>
  )
}
