/** The panel that creates a trust policy. */
import { useQueryClient } from '@tanstack/react-query'
import {
  createTrustPolicy,
  trustPoliciesQuery,
  type TrustPolicy,
} from '../../../api/trust-policies.ts'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { Panel } from '../api-keys/Panel.tsx'
import { type PolicyDraft, policyBodyOf } from './policy-draft.ts'
import { PolicyForm } from './PolicyForm.tsx'

interface CreatePipelineProps {
  readonly draft: PolicyDraft
  readonly onDraft: (draft: PolicyDraft) => void
  readonly onCreated: (policy: TrustPolicy) => void
  readonly onClose: () => void
}

export function CreatePipeline({ draft, onDraft, onCreated, onClose }: CreatePipelineProps) {
  const queries = useQueryClient()
  const { mutate, isPending, error, reset } = useWrite({
    mutationFn: () => createTrustPolicy(policyBodyOf(draft)),
    onSuccess(policy) {
      void queries.invalidateQueries({ queryKey: trustPoliciesQuery.queryKey })
      onCreated(policy)
    },
  })
  return (
    <Panel title="Trust a pipeline" onClose={onClose}>
      <PolicyForm
        draft={draft}
        onChange={(changed) => {
          if (error) reset()
          onDraft(changed)
        }}
        isBusy={isPending}
        error={error}
        onSubmit={mutate}
      />
    </Panel>
  )
}
