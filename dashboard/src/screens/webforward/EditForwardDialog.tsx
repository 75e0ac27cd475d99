/** Changes a web forward. Its domain stays the same. */
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { Message } from '@homing/theme/parts/Message.tsx'
import { Modal } from '@homing/theme/parts/Modal.tsx'
import { notify } from '@homing/theme/parts/Notices.tsx'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiProblem } from '../../api/problem.ts'
import {
  forwardsQuery,
  updateForward,
  type WebForward,
  type WebForwardUsage,
} from '../../api/web-forwards.ts'
import { reloadDomains } from '../dashboard/reload-domains.ts'
import { LeaveGuard } from '../frame/LeaveGuard.tsx'
import { OWN_FIELDS } from './AddForwardDialog.tsx'
import { changeOf, draftOf, missingIn } from './forward-draft.ts'
import { ForwardFields } from './ForwardFields.tsx'
import { STATE_NAMES, stateOf, TYPE_NAMES } from './forward-words.ts'
import { SAVE_FAILURE, tellSaved } from './saved-forward.ts'
import './forward-form.css'

interface EditForwardDialogProps {
  readonly forward: WebForward
  readonly usage: WebForwardUsage
  readonly onClose: () => void
}

const isConflict = (error: Error | null): boolean =>
  error instanceof ApiProblem && error.code === 'version-mismatch'

/** The version of another client, above the form with the user's own. */
function Conflict({ theirs }: { readonly theirs: WebForward }) {
  const { target_url, forwarding_type, status_code } = theirs
  return (
    <Message tone="warn">
      <p>Another client has changed this forward. If you save, you replace its change.</p>
      <p>
        Now: {target_url}, {TYPE_NAMES[forwarding_type]}, {status_code},{' '}
        {STATE_NAMES[stateOf(theirs)]}.
      </p>
    </Message>
  )
}

/** Saves a change for the version that the user saw. After a conflict, that is the new version. */
function useSave(opened: WebForward, onSaved: () => void) {
  const queries = useQueryClient()
  const [seen, setSeen] = useState(opened)
  const compare = useWrite({
    mutationFn: () => queries.fetchQuery({ ...forwardsQuery, staleTime: 0 }),
    onSuccess(list) {
      const now = list.find(({ id }) => id === opened.id)
      if (now !== undefined) return setSeen(now)
      // The list without the forward closes the dialog.
      const text = `Another client has deleted the web forward of ${opened.fqdn}. Your changes were not saved.`
      notify({ kind: 'failure', text })
    },
  })
  const save = useWrite({
    mutationFn: (change: Parameters<typeof updateForward>[1]) => updateForward(seen, change),
    onSuccess(saved) {
      tellSaved(saved, 'updated')
      void reloadDomains(queries)
      onSaved()
    },
    onError: (failure) => isConflict(failure) && compare.mutate(),
  })
  return { seen, hasConflict: seen !== opened, save, compare }
}

export default function EditForwardDialog({ forward, usage, onClose }: EditForwardDialogProps) {
  // The list is read again while the dialog is open.
  const [opened] = useState(forward)
  const [draft, setDraft] = useState(() => draftOf(opened))
  const { seen, hasConflict, save, compare } = useSave(opened, onClose)
  const change = changeOf(draft, seen)
  const isChanged = Object.keys(change).length > 0
  const error = isConflict(save.error) ? null : save.error
  const problem = error instanceof ApiProblem ? error : undefined
  const isAtField = problem?.of(...OWN_FIELDS) !== undefined
  return (
    <Modal
      title={`Edit the forward of ${opened.fqdn}`}
      width="sm"
      submit={{ label: hasConflict ? 'Save Mine' : 'Save Changes', busyLabel: 'Saving...' }}
      isBusy={save.isPending || compare.isPending}
      isDisabled={!isChanged || missingIn(draft) !== undefined}
      onClose={onClose}
      onSubmit={() => save.mutate(change)}
    >
      {hasConflict && <Conflict theirs={seen} />}
      {compare.error && <Failure error={compare.error} onRetry={() => compare.mutate()} />}
      {error && !isAtField && <Failure error={error} otherwise={SAVE_FAILURE} />}
      <ForwardFields
        draft={draft}
        fqdn={opened.fqdn}
        usage={usage}
        former={opened}
        problem={problem}
        onChange={(part) => {
          if (save.error) save.reset()
          setDraft({ ...draft, ...part })
        }}
      />
      {isChanged && <LeaveGuard isInDialog />}
    </Modal>
  )
}
