import { useQueryClient } from '@tanstack/react-query'
import { deletionOf } from '../../../api/problem.ts'
import {
  deleteTrustPolicy,
  trustPoliciesQuery,
  type TrustPolicy,
} from '../../../api/trust-policies.ts'
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { Modal } from '@homing/theme/parts/Modal.tsx'
import { notify } from '@homing/theme/parts/Notices.tsx'
import { useWrite } from '@homing/theme/parts/use-write.ts'

interface DeletePipelineDialogProps {
  readonly policy: TrustPolicy
  readonly onClose: () => void
  readonly onDeleted: () => void
}

const removePolicy = async (id: string) => deletionOf(deleteTrustPolicy(id))

export default function DeletePipelineDialog(props: DeletePipelineDialogProps) {
  const { policy, onClose, onDeleted } = props
  const queries = useQueryClient()
  const { mutate, isPending, error } = useWrite({
    mutationFn: () => removePolicy(policy.id),
    onSuccess() {
      void queries.invalidateQueries({ queryKey: trustPoliciesQuery.queryKey })
      notify({ kind: 'success', text: `The pipeline ${policy.name} is no longer trusted.` })
      onDeleted()
    },
  })
  return (
    <Modal
      title={`Delete “${policy.name}”?`}
      submit={{ label: 'Delete', busyLabel: 'Deleting...', isDanger: true }}
      isBusy={isPending}
      onClose={onClose}
      onSubmit={mutate}
    >
      {error && <Failure error={error} />}
      <p>The pipeline gets no more keys. Keys that it has stop working at once.</p>
    </Modal>
  )
}
