import { Failure } from '@homing/theme/parts/Failure.tsx'
import { Icon } from '@homing/theme/parts/Icon.tsx'
import { notify } from '@homing/theme/parts/Notices.tsx'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { useQueryClient } from '@tanstack/react-query'
import { type RestorableDomain, restoreDomain } from '../../api/deleted-domains.ts'
import { reloadDomains } from '../dashboard/reload-domains.ts'

interface RestoreButtonProps {
  readonly domain: RestorableDomain
  readonly onRestored?: () => void
}

/** Restores a deleted domain. A refusal is explained below the button, by the service. */
export function RestoreButton({ domain: { id, fqdn }, onRestored }: RestoreButtonProps) {
  const queries = useQueryClient()
  const { mutate, isPending, error } = useWrite({
    mutationFn: () => restoreDomain(id),
    onSuccess() {
      notify({ kind: 'success', text: `${fqdn} was restored.` })
      onRestored?.()
    },
    // Also after a refusal: the domain can have been restored elsewhere.
    onSettled: () => reloadDomains(queries),
  })
  return (
    <>
      <button
        type="button"
        className="line-button fit"
        aria-label={`Restore ${fqdn}`}
        aria-disabled={isPending}
        onClick={() => mutate()}
      >
        <Icon name="rotate" size={16} />
        {isPending ? 'Restoring...' : 'Restore'}
      </button>
      {error && <Failure error={error} otherwise="Failed to restore domain" />}
    </>
  )
}
