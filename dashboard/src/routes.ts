/**
 * The screens and their access guards. The URL fragment names the screen, an argument such as a
 * link's token, and the state of the screen: `#verify-email/TOKEN`, `#dashboard?q=nas&page=2`.
 * Reload, back, a second tab and a shared link show the same page.
 *
 * A screen also has a path (`/login`). The service answers it with the app, which replaces the path
 * by the fragment.
 */
import { useSyncExternalStore } from 'react'

/** Who may see a screen: everybody, people who are not signed in, or signed-in users. */
type Guard = 'everybody' | 'visitors' | 'users'

const GUARDS = {
  login: 'visitors',
  register: 'visitors',
  'registration-success': 'visitors',
  'resend-verification': 'visitors',
  'verify-email': 'everybody',
  'forgot-password': 'everybody',
  'reset-password': 'everybody',
  'confirm-email': 'everybody',
  dashboard: 'users',
  settings: 'users',
} as const satisfies Readonly<Record<string, Guard>>

export type ScreenName = keyof typeof GUARDS
export type Visitor = 'nobody' | 'user' | 'admin'

/** The back office is a separate page. */
export const ADMIN_PAGE = '/admin/'
/** The landing page for visitors; the app for signed-in users. */
export const SITE_ROOT = '/'
/** The reference of the API is a separate page. */
export const API_DOCUMENTATION = '/api/docs'

export interface Place {
  readonly screen: ScreenName
  /** The text after the screen's name: a token, or a section of the screen. */
  readonly argument: string
  /** The state of the screen, in the format of a URL query. */
  readonly query: string
}

/** What every screen gets. */
export interface ScreenProps {
  readonly place: Place
}

const isScreen = (name: string): name is ScreenName => Object.hasOwn(GUARDS, name)

/** The place that a fragment names; undefined for an empty fragment and for an unknown screen. */
export function placeOf(hash: string): Place | undefined {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2)
  const [name = '', argument = ''] = path.split('/', 2)
  return isScreen(name) ? { screen: name, argument, query } : undefined
}

export function hashOf(
  screen: ScreenName,
  parameters?: Readonly<Record<string, string>>,
  argument = '',
): string {
  const query = new URLSearchParams(parameters).toString()
  return `#${screen}${argument === '' ? '' : `/${argument}`}${query === '' ? '' : `?${query}`}`
}

/** The fragment of a screen's path: `/login?next=…` → `#login?next=…`; undefined for other paths. */
export function hashOfPath(pathname: string, search: string): string | undefined {
  const hash = `#${pathname.slice(1)}${search}`
  return placeOf(hash) === undefined ? undefined : hash
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
    if (asked === undefined) return hash.length > 1 ? SITE_ROOT : hashOf('login')
    return GUARDS[asked.screen] === 'users' ? hashOf('login', { next: hash.slice(1) }) : hash
  }
  if (asked !== undefined && GUARDS[asked.screen] !== 'visitors') return hash
  const next = `#${new URLSearchParams(asked?.query).get('next') ?? ''}`
  const wanted = placeOf(next)
  if (wanted !== undefined && GUARDS[wanted.screen] === 'users') return next
  return visitor === 'admin' ? ADMIN_PAGE : hashOf('dashboard')
}

function subscribe(listener: () => void): () => void {
  addEventListener('hashchange', listener)
  return () => removeEventListener('hashchange', listener)
}

export const useHash = (): string => useSyncExternalStore(subscribe, () => location.hash)

/**
 * Changes the fragment in the current entry of the browser's history, or in a new one. The browser fires an event only
 * when it follows a link, so this function fires it.
 *
 * @param state is kept with the entry of the history
 */
export function putHash(how: 'pushState' | 'replaceState', hash: string, state: unknown): void {
  history[how](state, '', hash)
  dispatchEvent(new HashChangeEvent('hashchange'))
}

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
  else location.hash = hash
}

/** Replaces the path of a screen, with which the app was opened, by its fragment. */
export function adoptPath(): void {
  const { pathname, search, hash } = location
  if (pathname === SITE_ROOT) return
  const fragment = hash.length > 1 ? hash : hashOfPath(pathname, search)
  history.replaceState(null, '', SITE_ROOT + (fragment ?? ''))
}
