/**
 * The screens and their access guards. The URL fragment names the screen, an argument such as a
 * link's token, and the state of the screen: `#verify-email/TOKEN`, `#dashboard?q=nas&page=2`.
 * Reload, back, a second tab and a shared link show the same page.
 *
 * A screen also has a path (`/login`). The service answers it with the app, which replaces the path
 * by the fragment.
 */
import { useSyncExternalStore } from 'react'
import { hashOfPath, SITE_ROOT, WRITTEN_PLACE } from './places.ts'
import { followTo, putHash, shownHash, subscribe } from './shown-place.ts'

export * from './places.ts'
export { putHash } from './shown-place.ts'

export const useHash = (): string => useSyncExternalStore(subscribe, shownHash, () => WRITTEN_PLACE)

/** Goes to a place, or to another page. With `replace`, the new place replaces the current one in the browser's history. */
export function go(hash: string, { replace = false }: { replace?: boolean } = {}): void {
  if (hash === location.hash) return
  if (!hash.startsWith('#')) {
    // A change of the fragment alone loads no page.
    if (hash === location.pathname) {
      history.replaceState(null, '', hash)
      location.reload()
    } else location.replace(hash)
    return
  }
  if (replace) putHash('replaceState', hash, null)
  else followTo(hash)
}

/** Replaces the path of a screen, with which the app was opened, by its fragment. */
export function adoptPath(): void {
  const { pathname, search, hash } = location
  if (pathname === SITE_ROOT) return
  const fragment = hash.length > 1 ? hash : hashOfPath(pathname, search)
  history.replaceState(null, '', SITE_ROOT + (fragment ?? ''))
}
