/** The panel that changes a key. Its secret stays the same. */
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type ApiKey, apiKeysQuery, updateApiKey } from '../../../api/api-keys.ts'
import { ApiProblem } from '../../../api/problem.ts'
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { Message } from '@homing/theme/parts/Message.tsx'
import { notify } from '@homing/theme/parts/Notices.tsx'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { changeOf, keyDraftOf } from './key-draft.ts'
import { KeyForm } from './KeyForm.tsx'
import { Panel } from './Panel.tsx'
import { endingOf, scopeSentences } from './scope-text.ts'

interface EditKeyProps {
  readonly apiKey: ApiKey
  readonly onClose: () => void
}

const isConflict = (error: Error | null): boolean =>
  error instanceof ApiProblem && error.code === 'version-mismatch'

const deletedText = ({ name }: ApiKey): string =>
  `Another client has deleted the API key ${name}. Your changes were not saved.`

/** The version of another client, above the form with the user's own. */
function Conflict({ theirs }: { readonly theirs: ApiKey }) {
  return (
    <Message tone="warn">
      <p>Another client has changed this key. If you save, you replace its change.</p>
      <p>
        Now: “{theirs.name}”. {scopeSentences(theirs.scope).join(' ')}{' '}
        {endingOf(theirs, Date.now()).text}.
      </p>
    </Message>
  )
}

export function EditKey({ apiKey, onClose }: EditKeyProps) {
  const queries = useQueryClient()
  /** The version that the user saw. The list can have a newer one. */
  const [seen, setSeen] = useState(apiKey)
  const [draft, setDraft] = useState(() => keyDraftOf(apiKey))
  const [theirs, setTheirs] = useState<ApiKey>()
  const change = changeOf(draft, Date.now(), seen)

  const compare = useWrite({
    mutationFn: () => queries.fetchQuery({ ...apiKeysQuery, staleTime: 0 }),
    onSuccess(list) {
      const now = list.find(({ id }) => id === apiKey.id)
      // The list without the key closes the panel.
      if (now === undefined) notify({ kind: 'failure', text: deletedText(apiKey) })
      else setSeen(now)
      setTheirs(now)
    },
  })
  const { mutate, isPending, error, reset } = useWrite({
    mutationFn: () => updateApiKey(seen, changeOf(draft, Date.now(), seen)),
    onSuccess({ name }) {
      void queries.invalidateQueries({ queryKey: apiKeysQuery.queryKey })
      notify({ kind: 'success', text: `The API key ${name} was changed.` })
      onClose()
    },
    onError: (failure) => isConflict(failure) && compare.mutate(),
  })
  return (
    <Panel title={`Edit “${apiKey.name}”`} onClose={onClose}>
      {theirs && <Conflict theirs={theirs} />}
      {compare.error && <Failure error={compare.error} onRetry={() => compare.mutate()} />}
      <p className="muted">
        The secret stays the same, and a change takes effect at once. If the key can do more
        afterwards, you confirm your identity and get a mail.
      </p>
      <KeyForm
        draft={draft}
        onChange={(changed) => {
          if (error) reset()
          setDraft(changed)
        }}
        submit={{ label: 'Save Changes', busyLabel: 'Saving...' }}
        isChanged={Object.keys(change).length > 0}
        isBusy={isPending || compare.isPending}
        error={isConflict(error) ? null : error}
        guard="dialog"
        onSubmit={mutate}
      />
    </Panel>
  )
}
