/** After new addresses were saved: a notice with Undo, and the lists are read again. */
import { notify } from '@homing/theme/parts/Notices.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { type AddressChange, type Domain, updateDomain } from '../../api/domains.ts'
import { textOf } from '../../api/problem.ts'
import { undoOf } from './address-change.ts'
import { reloadDomains } from './reload-domains.ts'

export interface SavedAddresses {
  readonly before: Domain
  readonly after: Domain
  readonly change: AddressChange
}

/** Undo restores the old addresses unless another client changed them since. */
export function useSavedNotice(): (saved: SavedAddresses) => void {
  const queries = useQueryClient()
  return ({ before, after, change }) => {
    void reloadDomains(queries)
    const undo = async () => {
      try {
        await updateDomain(after.id, after.version, undoOf(before, change))
        notify({ kind: 'success', text: `${after.fqdn} has its previous address again.` })
      } catch (error) {
        const why =
          error instanceof Error ? textOf(error, 'Failed to update domain') : String(error)
        notify({ kind: 'failure', text: `The change was not undone. ${why}` })
      }
      void reloadDomains(queries)
    }
    notify({
      kind: 'success',
      text: `${after.fqdn} was updated.`,
      action: { label: 'Undo', run: () => void undo() },
    })
  }
}
