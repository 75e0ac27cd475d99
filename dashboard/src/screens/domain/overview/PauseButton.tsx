import { Failure } from '@homing/theme/parts/Failure.tsx'
import { Icon } from '@homing/theme/parts/Icon.tsx'
import { notify } from '@homing/theme/parts/Notices.tsx'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { type Domain, setPaused, showDomain } from '../../../api/domains.ts'
import { textOf } from '../../../api/problem.ts'
import { reloadDomains } from '../../dashboard/reload-domains.ts'

function show(queries: QueryClient, domain: Domain): void {
  showDomain(queries, domain)
  void reloadDomains(queries)
}

/** Tells the user about a pause or its end, and offers to undo it. */
function tell(queries: QueryClient, { id, fqdn, paused }: Domain): void {
  const undo = async () => {
    try {
      show(queries, await setPaused(id, !paused))
      notify({ kind: 'success', text: `${fqdn} is ${paused ? 'resumed' : 'paused'} again.` })
    } catch (error) {
      const why = error instanceof Error ? textOf(error, 'Failed to update domain') : String(error)
      notify({ kind: 'failure', text: `The change was not undone. ${why}` })
    }
  }
  notify({
    kind: 'success',
    text: `${fqdn} is ${paused ? 'paused' : 'resumed'}.`,
    action: { label: 'Undo', run: () => void undo() },
  })
}

/** Pauses or resumes the domain at once. */
export function PauseButton({ domain }: { readonly domain: Domain }) {
  const { id, paused, withheld_by } = domain
  const queries = useQueryClient()
  const reasonId = useId()
  const isLocked = withheld_by.includes('locked')
  const { mutate, isPending, error } = useWrite({
    mutationFn: () => setPaused(id, !paused),
    onSuccess(changed) {
      show(queries, changed)
      tell(queries, changed)
    },
  })
  return (
    <>
      <button
        type="button"
        className="line-button fit"
        disabled={isLocked}
        aria-disabled={isPending}
        aria-describedby={reasonId}
        onClick={() => mutate()}
      >
        <Icon name={paused ? 'success' : 'pause'} size={16} />
        {paused ? 'Resume' : 'Pause'}
      </button>
      <p id={reasonId} className="field-help">
        {isLocked
          ? 'A locked domain cannot be paused or resumed.'
          : paused
            ? 'DNS answers again at once, with the last address.'
            : 'DNS stops answering. The domain stays yours, and updates are stored.'}
      </p>
      {error && <Failure error={error} otherwise="Failed to update domain" />}
    </>
  )
}
