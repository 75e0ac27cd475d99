/** The pages of the service, by the words that `homing open` takes. */
import { canonicalName } from './canonical-name.ts'
import { EXIT } from './exit-codes.ts'
import { CommandFailure, usage } from './failure.ts'
import { nearest } from './nearest.ts'
import { printable } from './text.ts'

/** Word → path, and the fragment of a screen. */
const PAGES: Readonly<Record<string, string>> = {
  home: '/?landing',
  dashboard: '/#dashboard',
  settings: '/#settings',
  profile: '/#settings/profile',
  email: '/#settings/email',
  password: '/#settings/password',
  'two-factor': '/#settings/two-factor',
  passkeys: '/#settings/passkeys',
  sessions: '/#settings/sessions',
  keys: '/#settings/api-keys',
  trust: '/#settings/pipelines',
  export: '/#settings/export',
  plan: '/#settings/plan',
  invoices: '/#settings/plan',
  zones: '/#zones',
  'vanity-ns': '/#vanity-nameservers',
  login: '/login',
  register: '/register',
  docs: '/api/docs',
  pricing: '/pricing',
  terms: '/terms',
  privacy: '/privacy',
}

export const PAGE_WORDS = Object.keys(PAGES)

/**
 * The URL of a page, always below the server. A domain opens the dashboard with this domain.
 *
 * @throws CommandFailure for an unknown word
 */
export function pageUrl(server: string, thing: string): string {
  const path = Object.hasOwn(PAGES, thing) ? PAGES[thing] : undefined
  if (path !== undefined) return `${server}${path}`
  const name = canonicalName(thing)
  if (/^[\w*-]+(\.[\w-]+)+$/.test(name)) {
    return `${server}/#dashboard?${new URLSearchParams({ q: name }).toString()}`
  }
  const near = nearest(thing, PAGE_WORDS)
  const meant = near === undefined ? '' : ` Did you mean ${near}?`
  throw usage(
    `There is no page "${printable(thing)}".${meant} The pages are ${PAGE_WORDS.join(', ')}, or one of your domains.`,
  )
}

/**
 * The URL of another service's page, as the service names it. A browser gets no other kind of URL.
 *
 * @throws CommandFailure for anything but a URL of the web
 */
export function requireWebUrl(text: string | undefined): string {
  const url = URL.parse(text ?? '')
  if (url !== null && /^https?:$/.test(url.protocol)) return url.href
  throw new CommandFailure(
    EXIT.failed,
    'The service named no page where the payment continues. Try again, or pay in the dashboard: homing open pricing',
  )
}
