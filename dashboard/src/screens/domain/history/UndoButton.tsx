import { timeText } from '@homing/theme/formats'
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { notify } from '@homing/theme/parts/Notices.tsx'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { useQueryClient } from '@tanstack/react-query'
import { type DomainEvent, undoEvent } from '../../../api/domain-history.ts'
import { showDomain } from '../../../api/domains.ts'
import { ApiProblem } from '../../../api/problem.ts'
import { reloadDomains } from '../../dashboard/reload-domains.ts'
import { titleOf } from './event-words.ts'

/** What to do about a refusal, where the service's own text does not say it. */
const ADVICE: Readonly<Record<string, string>> = {
  'already-undone': 'Nothing more was changed.',
  'undo-refused': 'The history above shows what changed later.',
  'address-not-allowed': 'The rules for addresses have changed since. Set another address.',
  withheld: 'The overview says why DNS does not serve the domain.',
  'domain-locked': 'Please contact support.',
}

interface UndoButtonProps {
  readonly domainId: string
  readonly event: DomainEvent
  /** Before the event of the undo is read. */
  readonly onUndone: () => void
}

/** Restores the values before an event. A refusal is explained in place. */
export function UndoButton({ domainId, event, onUndone }: UndoButtonProps) {
  const queries = useQueryClient()
  const { mutate, isPending, error } = useWrite({
    mutationFn: () => undoEvent(domainId, event.id),
    onSuccess(domain) {
      onUndone()
      showDomain(queries, domain)
      notify({ kind: 'success', text: 'The change was undone.' })
    },
    // Also after a refusal: the history then has what it is about.
    onSettled: () => void reloadDomains(queries),
  })
  const advice = error instanceof ApiProblem ? ADVICE[error.code] : undefined
  return (
    <>
      <button
        type="button"
        className="line-button fit"
        aria-label={`Undo: ${titleOf(event)}, ${timeText(event.at)}`}
        aria-disabled={isPending}
        onClick={() => mutate()}
      >
        {isPending ? 'Undoing...' : 'Undo'}
      </button>
      {error && <Failure error={error} otherwise="Failed to undo the change" />}
      {advice !== undefined && <p className="muted">{advice}</p>}
    </>
  )
}
