/**
 * The screens and their access guards, as rules without React, so that the script before the first paint uses them too.
 * `routes.ts` describes the fragments.
 */

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
  domain: 'users',
  'deleted-domains': 'users',
  webforward: 'users',
  analytics: 'users',
  zones: 'users',
  'vanity-nameservers': 'users',
  settings: 'users',
  payment: 'users',
  'payment-success': 'everybody',
  'payment-cancelled': 'everybody',
  invoice: 'users',
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

/** The page of a domain. @param fqdn with A-labels */
export const domainHash = (
  fqdn: string,
  parameters: Readonly<Record<string, string>> = {},
): string => hashOf('domain', parameters, fqdn)

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
  if (wanted !== undefined && GUARDS[wanted.screen] !== 'visitors') return next
  return visitor === 'admin' ? ADMIN_PAGE : hashOf('dashboard')
}

/** The place that the build writes as HTML. The browser shows it before the app runs. */
export const WRITTEN_PLACE = hashOf('login')

/** Whether a visitor who requests `hash` gets the screen that the build writes. The page's own path asks for it too. */
export const isWritten = (hash: string): boolean =>
  placeOf(guarded(hash, 'nobody'))?.screen === 'login'
