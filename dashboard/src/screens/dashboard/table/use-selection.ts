/** The selected domains, on all pages of the list. A search or another page keeps them. */
import { useCallback, useMemo, useState } from 'react'
import type { Domain } from '../../../api/domains.ts'

export type SelectedDomain = Pick<Domain, 'id' | 'fqdn' | 'is_wildcard'>

export interface Selection {
  readonly domains: ReadonlyMap<string, SelectedDomain>
  readonly set: (domains: readonly SelectedDomain[], isSelected: boolean) => void
  readonly clear: () => void
}

export function useSelection(): Selection {
  const [domains, setDomains] = useState<ReadonlyMap<string, SelectedDomain>>(new Map())
  const set = useCallback((changed: readonly SelectedDomain[], isSelected: boolean) => {
    setDomains((known) => {
      const next = new Map(known)
      for (const { id, fqdn, is_wildcard } of changed) {
        if (isSelected) next.set(id, { id, fqdn, is_wildcard })
        else next.delete(id)
      }
      return next
    })
  }, [])
  const clear = useCallback(() => setDomains(new Map()), [])
  return useMemo(() => ({ domains, set, clear }), [domains, set, clear])
}
