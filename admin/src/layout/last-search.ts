/** The search, filters and page of each list when this tab showed it last, for the way back from a record. */
import { useEffect } from 'react'
import { useLocation } from 'react-router'

const keyOf = (path: string) => `search of ${path}`

/** Remembers the query of the list's URL. */
export function useRememberedSearch(): void {
  const { pathname, search } = useLocation()
  useEffect(() => sessionStorage.setItem(keyOf(pathname), search), [pathname, search])
}

/** The path of a list, with what it showed last. */
export const lastPlaceOf = (path: string): string =>
  `${path}${sessionStorage.getItem(keyOf(path)) ?? ''}`
