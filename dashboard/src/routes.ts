/**
 * The screens and their access guards. The URL fragment names the screen and its state:
 * `#dashboard?q=nas&sort=-fqdn&page=2`. Reload, back, a second tab and a shared link show the same page.
 */
import { useSyncExternalStore } from 'react'

const SCREENS = ['login', 'dashboard'] as const
export type ScreenName = (typeof SCREENS)[number]
export type Visitor = 'nobody' | 'user' | 'admin'

/** The back office is a separate page. */
export const ADMIN_PAGE = '/admin/'

export interface Place {
  readonly screen: ScreenName
  /** The state of the screen, in the format of a URL query. */
  readonly query: string
}

const isScreen = (name: string): name is ScreenName => (SCREENS as readonly string[]).includes(name)

/** The place that a fragment names; undefined for an empty fragment and for an unknown screen. */
export function placeOf(hash: string): Place | undefined {
  const [name = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2)
  return isScreen(name) ? { screen: name, query } : undefined
}

export function hashOf(screen: ScreenName, parameters?: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(parameters).toString()
  return `#${screen}${query === '' ? '' : `?${query}`}`
}

/**
 * The guards: where a visitor who requested `hash` is sent. A visitor who is not signed in signs in
 * first and then gets the requested page.
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

/** Goes to a place, or to another page. With `replace`, the new place replaces the current one in the browser's history. */
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
  // The browser fires no event for a replaced fragment.
  dispatchEvent(new HashChangeEvent('hashchange'))
}
