/** Forwards a domain that has no forward yet. */
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { Modal } from '@homing/theme/parts/Modal.tsx'
import { Select } from '@homing/theme/parts/Select.tsx'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Domain } from '../../api/domains.ts'
import { ApiProblem } from '../../api/problem.ts'
import { RepeatableChange } from '../../api/repeatable-change.ts'
import { createForward, type WebForwardUsage } from '../../api/web-forwards.ts'
import { reloadDomains } from '../dashboard/reload-domains.ts'
import { LeaveGuard } from '../frame/LeaveGuard.tsx'
import { bodyOf, missingIn, newDraft } from './forward-draft.ts'
import { ForwardFields } from './ForwardFields.tsx'
import { SAVE_FAILURE, tellSaved } from './saved-forward.ts'
import './forward-form.css'

interface AddForwardDialogProps {
  /** The domains without a forward. */
  readonly domains: readonly Pick<Domain, 'id' | 'fqdn'>[]
  readonly usage: WebForwardUsage
  readonly onClose: () => void
}

/** The fields that show their errors themselves. */
export const OWN_FIELDS = [
  'target_url',
  'forwarding_type',
  'title',
  'description',
  'keywords',
] as const

export default function AddForwardDialog({ domains, usage, onClose }: AddForwardDialogProps) {
  const queries = useQueryClient()
  const [only] = domains.length === 1 ? domains : []
  const [start] = useState(() => newDraft(only?.id ?? ''))
  const [draft, setDraft] = useState(start)
  const [change] = useState(() => new RepeatableChange())
  const { mutate, isPending, error, reset } = useWrite({
    mutationFn: () => change.send(bodyOf(draft), createForward),
    onSuccess(saved) {
      tellSaved(saved, 'created')
      onClose()
    },
    onSettled: () => void reloadDomains(queries),
  })
  const problem = error instanceof ApiProblem ? error : undefined
  const isAtField = problem?.of(...OWN_FIELDS) !== undefined
  const choices = domains.map(({ id, fqdn }) => [id, fqdn] as const)
  return (
    <Modal
      title="Add web forwarding"
      width="sm"
      submit={{ label: 'Add Web Forwarding', busyLabel: 'Saving...' }}
      isBusy={isPending}
      isDisabled={missingIn(draft) !== undefined}
      onClose={onClose}
      onSubmit={mutate}
    >
      {error && !isAtField && <Failure error={error} otherwise={SAVE_FAILURE} />}
      <ForwardFields
        draft={draft}
        fqdn={domains.find(({ id }) => id === draft.domain_id)?.fqdn}
        usage={usage}
        problem={problem}
        domainField={
          <Select
            label="Domain"
            name="domain_id"
            value={draft.domain_id}
            choices={only === undefined ? [['', 'Choose a domain'], ...choices] : choices}
            onChange={(domain_id) => setDraft({ ...draft, domain_id })}
          />
        }
        onChange={(part) => {
          if (error) reset()
          setDraft({ ...draft, ...part })
        }}
      />
      {JSON.stringify(draft) !== JSON.stringify(start) && <LeaveGuard isInDialog />}
    </Modal>
  )
}
