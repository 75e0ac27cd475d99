import { useQueryClient } from '@tanstack/react-query'
import { type ApiKey, apiKeysQuery, deleteApiKey } from '../../../api/api-keys.ts'
import { deletionOf } from '../../../api/problem.ts'
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { Modal } from '@homing/theme/parts/Modal.tsx'
import { notify } from '@homing/theme/parts/Notices.tsx'
import { useWrite } from '@homing/theme/parts/use-write.ts'

interface DeleteKeyDialogProps {
  readonly apiKey: ApiKey
  readonly onClose: () => void
  readonly onDeleted: () => void
}

const removeKey = async (id: string) => deletionOf(deleteApiKey(id))

export default function DeleteKeyDialog({ apiKey, onClose, onDeleted }: DeleteKeyDialogProps) {
  const queries = useQueryClient()
  const { mutate, isPending, error } = useWrite({
    mutationFn: () => removeKey(apiKey.id),
    onSuccess() {
      void queries.invalidateQueries({ queryKey: apiKeysQuery.queryKey })
      notify({ kind: 'success', text: 'API key deleted successfully' })
      onDeleted()
    },
  })
  return (
    <Modal
      title={`Delete “${apiKey.name}”?`}
      submit={{ label: 'Delete', busyLabel: 'Deleting...', isDanger: true }}
      isBusy={isPending}
      onClose={onClose}
      onSubmit={mutate}
    >
      {error && <Failure error={error} otherwise="Failed to delete API key" />}
      <p>Are you sure you want to delete this API key? This action cannot be undone.</p>
      <p>Programs that use it are refused at once.</p>
    </Modal>
  )
}
