/** Searches and orders of the table that the user saved in this browser, for each account. */
import { useCallback, useState } from 'react'
import { currentUser } from '../../../api/session.ts'
import { recall, remember } from '../../../api/storage.ts'
import type { DomainListRequest } from '../../../api/domain-list.ts'
import { listParameters, readListState } from '../list-state.ts'

/** The parameters of the URL: `q=tag%3Aoffice&sort=-last_update_at`. The page is not part of a view. */
export type View = string

/** As many as have room above the table. */
export const VIEWS_LIMIT = 12

const SORTED_BY: Readonly<Record<DomainListRequest['sort']['field'], string>> = {
  fqdn: 'domain',
  zone: 'zone',
  record_ip: 'address',
  last_update_at: 'last update',
}

/** The view of a state of the table. Empty: all domains in their usual order, which nobody has to save. */
export const viewOf = (list: DomainListRequest): View =>
  new URLSearchParams(listParameters({ ...list, page: 1 })).toString()

/** The name of a view: its search text and, if it is not the usual one, its order. */
export function nameOfView(view: View): string {
  const { search, sort } = readListState(view)
  const isUsual = sort.field === 'fqdn' && !sort.descending
  const order = `by ${SORTED_BY[sort.field]}${sort.descending ? ', descending' : ''}`
  return [search, ...(isUsual ? [] : [order])].filter((part) => part !== '').join(' ')
}

const keyOf = (userId: string) => `views:${userId}`

/** Reads what was stored. Another version or the user may have written something else. */
function readViews(userId: string): readonly View[] {
  try {
    const stored: unknown = JSON.parse(recall('local', keyOf(userId)) ?? '[]')
    if (!Array.isArray(stored)) return []
    const texts = stored.filter((each) => typeof each === 'string')
    const views = texts.map((text) => viewOf(readListState(text))).filter((view) => view !== '')
    return [...new Set(views)].slice(0, VIEWS_LIMIT)
  } catch {
    return []
  }
}

/** The saved views of the account, and how to replace them. */
export function useSavedViews(): [readonly View[], (views: readonly View[]) => void] {
  const id = currentUser()?.id ?? ''
  const [views, setViews] = useState(() => readViews(id))
  const save = useCallback(
    (changed: readonly View[]) => {
      remember('local', keyOf(id), JSON.stringify(changed))
      setViews(changed)
    },
    [id],
  )
  return [views, save]
}
