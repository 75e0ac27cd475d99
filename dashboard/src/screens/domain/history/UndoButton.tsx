import { timeText } from '@homing/theme/formats'
import { Failure } from '@homing/theme/parts/Failure.tsx'
import { notify } from '@homing/theme/parts/Notices.tsx'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { useQueryClient } from '@tanstack/react-query'
import { type DomainEvent, undoEvent } from '../../../api/domain-history.ts'
import { showDomain } from '../../../api/domains.ts'
import { ApiProblem } from '../../../api/problem.ts'
import { undoZoneEvent } from '../../../api/zone-history.ts'
import { reloadDomains } from '../../dashboard/reload-domains.ts'
import { reloadRecords } from '../../records/reload-records.ts'
import { titleOf } from './event-words.ts'

/** What to do about a refusal, where the service's own text does not say it. */
const ADVICE: Readonly<Record<string, string>> = {
  'already-undone': 'Nothing more was changed.',
  'undo-refused': 'The history above shows what changed later.',
  'address-not-allowed': 'The rules for addresses have changed since. Set another address.',
  withheld: 'The overview says why DNS does not serve the domain.',
  'domain-locked': 'Please contact support.',
}

interface UndoProps {
  readonly event: DomainEvent
  /** Restores the values before the event. @throws ApiProblem, NetworkFailure */
  readonly onUndo: () => Promise<void>
  /** After a success or a refusal: the history then has what it is about. */
  readonly onSettled: () => Promise<void>
}

/** A refusal is explained in place. */
function Undo({ event, onUndo, onSettled }: UndoProps) {
  const { mutate, isPending, error } = useWrite({
    mutationFn: onUndo,
    onSuccess: () => notify({ kind: 'success', text: 'The change was undone.' }),
    onSettled: () => void onSettled(),
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

interface ButtonProps {
  readonly event: DomainEvent
  /** Before the event of the undo is read. */
  readonly onUndone: () => void
}

/** Restores the values of a domain before an event. */
export function UndoButton({
  domainId,
  event,
  onUndone,
}: ButtonProps & { readonly domainId: string }) {
  const queries = useQueryClient()
  const undo = async () => {
    const domain = await undoEvent(domainId, event.id)
    onUndone()
    showDomain(queries, domain)
  }
  return <Undo event={event} onUndo={undo} onSettled={async () => reloadDomains(queries)} />
}

/** Restores a record of an own zone as it was before an event. */
export function ZoneUndoButton({
  zoneId,
  event,
  onUndone,
}: ButtonProps & { readonly zoneId: string }) {
  const queries = useQueryClient()
  const undo = async () => {
    await undoZoneEvent(zoneId, event.id)
    onUndone()
  }
  return <Undo event={event} onUndo={undo} onSettled={async () => reloadRecords(queries)} />
}
