/** Takes domains out of the selection that were deleted otherwise: by the menu of their row, on another tab or by a program. */
import { useEffect, useRef } from 'react'
import type { DomainListRequest } from '../../../api/domain-list.ts'
import { type Domain, readIds } from '../../../api/domains.ts'
import type { Selection } from './use-selection.ts'

interface Shown {
  readonly list: DomainListRequest
  readonly ids: readonly string[]
}

/**
 * A selected row also leaves the page when it no longer matches the search, so the service is asked.
 *
 * @param list what the domains were read for: the same object as long as it does not change
 */
export function useGoneRows(
  { domains: selected, set }: Selection,
  domains: readonly Domain[],
  list: DomainListRequest,
): void {
  const shown = useRef<Shown>(undefined)
  useEffect(() => {
    const ids = domains.map(({ id }) => id)
    const before = shown.current?.list === list ? shown.current.ids : []
    shown.current = { list, ids }
    const gone = before.filter((id) => selected.has(id) && !ids.includes(id))
    if (gone.length === 0) return
    readIds(gone).then(
      (left) => {
        set(
          [...selected.values()].filter(({ id }) => gone.includes(id) && !left.has(id)),
          false,
        )
      },
      // The domains stay selected. A change of them says what is wrong.
      () => undefined,
    )
  }, [domains, list, selected, set])
}
