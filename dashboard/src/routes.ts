/**
 * The screens and who may see them. A screen is named by the page's fragment, and so is what it
 * shows: `#dashboard?q=nas&sort=-fqdn&page=2`. Reload, back, a second tab and a shared link agree.
 */
import { useSyncExternalStore } from 'react'

const SCREENS = ['login', 'dashboard'] as const
export type ScreenName = (typeof SCREENS)[number]
export type Visitor = 'nobody' | 'user' | 'admin'

/** The back office is a page of its own. */
export const ADMIN_PAGE = '/admin/'

export interface Place {
  readonly screen: ScreenName
  /** What the screen shows, as in a URL's query. */
  readonly query: string
}

const isScreen = (name: string): name is ScreenName => (SCREENS as readonly string[]).includes(name)

/** The place that a fragment names; undefined for the empty one and for one that names no screen. */
export function placeOf(hash: string): Place | undefined {
  const [name = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2)
  return isScreen(name) ? { screen: name, query } : undefined
}

export function hashOf(screen: ScreenName, parameters?: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(parameters).toString()
  return `#${screen}${query === '' ? '' : `?${query}`}`
}

/**
 * Where somebody ends up who asked for `hash`: guards in one place. Who is not signed in signs in
 * first and then gets what they asked for.
 *
 * @returns a fragment, or the path of another page
 */
export function guarded(hash: string, visitor: Visitor): string {
  const asked = placeOf(hash)
  if (visitor === 'nobody') {
    if (asked?.screen === 'login') return hash
    return asked === undefined ? hashOf('login') : hashOf('login', { next: hash.slice(1) })
  }
  if (asked !== undefined && asked.screen !== 'login') return hash
  const next = `#${new URLSearchParams(asked?.query).get('next') ?? ''}`
  const wanted = placeOf(next)
  if (wanted !== undefined && wanted.screen !== 'login') return next
  return visitor === 'admin' ? ADMIN_PAGE : hashOf('dashboard')
}

function subscribe(listener: () => void): () => void {
  addEventListener('hashchange', listener)
  return () => removeEventListener('hashchange', listener)
}

export const useHash = (): string => useSyncExternalStore(subscribe, () => location.hash)

/** Goes to a place, or to another page. With `replace` the way back does not lead through the one that is left. */
export function go(hash: string, { replace = false }: { replace?: boolean } = {}): void {
  if (hash === location.hash) return
  if (!hash.startsWith('#')) {
    location.replace(hash)
    return
  }
  if (!replace) {
    location.hash = hash
    return
  }
  history.replaceState(null, '', hash)
  // The browser tells nobody of a replaced fragment.
  dispatchEvent(new HashChangeEvent('hashchange'))
}
