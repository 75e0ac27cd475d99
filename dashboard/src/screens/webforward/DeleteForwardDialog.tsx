import { Failure } from '@homing/theme/parts/Failure.tsx'
import { Modal } from '@homing/theme/parts/Modal.tsx'
import { notify } from '@homing/theme/parts/Notices.tsx'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { useQueryClient } from '@tanstack/react-query'
import { deletionOf } from '../../api/problem.ts'
import { deleteForward, type WebForward } from '../../api/web-forwards.ts'
import { reloadDomains } from '../dashboard/reload-domains.ts'

interface DeleteForwardDialogProps {
  readonly forward: WebForward
  readonly onClose: () => void
}

const removeForward = async (id: string) => deletionOf(deleteForward(id))

export default function DeleteForwardDialog({ forward, onClose }: DeleteForwardDialogProps) {
  const queries = useQueryClient()
  const { mutate, isPending, error } = useWrite({
    mutationFn: () => removeForward(forward.id),
    onSuccess() {
      notify({ kind: 'success', text: 'Web forwarding deleted successfully' })
      void reloadDomains(queries)
      onClose()
    },
  })
  return (
    <Modal
      title="Delete web forwarding?"
      submit={{ label: 'Delete', busyLabel: 'Deleting...', isDanger: true }}
      isBusy={isPending}
      onClose={onClose}
      onSubmit={mutate}
    >
      {error && <Failure error={error} otherwise="Failed to delete web forwarding" />}
      <p>Are you sure you want to delete this web forwarding?</p>
      <p>
        <strong className="monospace">{forward.fqdn}</strong> no longer leads to{' '}
        <span className="monospace">{forward.target_url}</span>. DNS answers with the addresses of
        the domain again.
      </p>
    </Modal>
  )
}
