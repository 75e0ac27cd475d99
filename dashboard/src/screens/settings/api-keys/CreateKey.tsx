/** The panel that creates a key. */
import { useQueryClient } from '@tanstack/react-query'
import { apiKeysQuery, createApiKey, type SecretKey } from '../../../api/api-keys.ts'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { bodyOf, EMPTY_KEY, type KeyDraft } from './key-draft.ts'
import { KeyForm } from './KeyForm.tsx'
import { Panel } from './Panel.tsx'

interface CreateKeyProps {
  readonly draft: KeyDraft
  readonly onDraft: (draft: KeyDraft) => void
  readonly onCreated: (created: SecretKey) => void
  readonly onClose: () => void
}

export function CreateKey({ draft, onDraft, onCreated, onClose }: CreateKeyProps) {
  const queries = useQueryClient()
  const { mutate, isPending, error, reset } = useWrite({
    mutationFn: () => createApiKey(bodyOf(draft, Date.now())),
    onSuccess(created) {
      void queries.invalidateQueries({ queryKey: apiKeysQuery.queryKey })
      onCreated(created)
    },
  })
  return (
    <Panel title="Create an API key" onClose={onClose}>
      <KeyForm
        draft={draft}
        onChange={(changed) => {
          if (error) reset()
          onDraft(changed)
        }}
        submit={{
          label: 'Create API Key',
          busyLabel: 'Creating...',
          failure: 'Failed to create API key',
        }}
        isChanged={JSON.stringify(draft) !== JSON.stringify(EMPTY_KEY)}
        isBusy={isPending}
        error={error}
        guard="section"
        onSubmit={mutate}
      />
    </Panel>
  )
}
