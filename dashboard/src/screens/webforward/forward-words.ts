/** Web forwards in words. */
import type { Domain } from '../../api/domains.ts'
import type { TargetCheck, WebForward } from '../../api/web-forwards.ts'

export const TYPE_NAMES: Readonly<Record<WebForward['forwarding_type'], string>> = {
  redirect: 'Redirect',
  stealth: 'Stealth',
}

export const STATUS_CODES: readonly (readonly [`${WebForward['status_code']}`, string])[] = [
  ['301', '301 Moved Permanently'],
  ['302', '302 Found (temporary)'],
  ['307', '307 Temporary Redirect'],
  ['308', '308 Permanent Redirect'],
]

/** What the chosen status code means for visitors. */
export const STATUS_HINTS: Readonly<Record<WebForward['status_code'], string>> = {
  301: 'Browsers remember the redirect. Choose 302 while you test. For the first 7 days of a target, we limit this to 5 minutes.',
  302: 'Browsers ask again each time, so a change applies at once.',
  307: 'Like 302, but the browser keeps the request method, such as POST.',
  308: 'Like 301, but the browser keeps the request method, such as POST. Browsers remember the redirect. Choose 307 while you test.',
}

type Fallback = NonNullable<WebForward['fallback']>

/** Why a stealth forward acts as a redirect. */
export const FALLBACK_TEXTS: Readonly<Record<Fallback, string>> = {
  'frames-refused':
    'The target does not allow other sites to show it in a frame, so visitors are redirected.',
  'mixed-content':
    'Browsers do not show an http target in a frame of an https page, so visitors are redirected.',
  plan: 'Your plan has no stealth flag left for it, so visitors are redirected.',
}

/** The result of a check in two or three words. */
export const FINDING_NAMES: Readonly<Record<TargetCheck['finding'], string>> = {
  reachable: 'Reachable',
  'leads-back': 'Leads back here',
  'private-address': 'Private address',
  'unknown-host': 'Unknown host',
  'no-answer': 'No answer',
  tls: 'Certificate problem',
  'too-many-redirects': 'Too many redirects',
  'error-status': 'Error page',
  'invalid-answer': 'Invalid answer',
}

export type ForwardState = 'active' | 'paused' | 'disabled'

/** The decision of an administrator counts before the owner's. */
export function stateOf({ is_active, disabled_reason }: WebForward): ForwardState {
  if (disabled_reason !== null) return 'disabled'
  return is_active ? 'active' : 'paused'
}

export const STATE_NAMES: Readonly<Record<ForwardState, string>> = {
  active: 'Active',
  paused: 'Paused',
  disabled: 'Disabled',
}

type Reason = Domain['withheld_by'][number]

/** The reason that the owner cannot change is first. */
const WITHHELD: readonly (readonly [Reason, string])[] = [
  ['locked', 'An administrator locked the domain, so it is not forwarded. Please contact support.'],
  [
    'owner_blocked',
    'Your account is disabled, so the domain is not forwarded. Please contact support.',
  ],
  ['over_limit', 'Your plan includes fewer domains than you have, so this one is not forwarded.'],
  ['paused', 'The domain is paused, so it is not forwarded. Resume it on its page.'],
]

/** What the owner should know about a forward beside its state; undefined if nothing. @param domain undefined while it is unknown */
export function remarkOf(
  { fallback, disabled_reason }: WebForward,
  domain: Domain | undefined,
): string | undefined {
  if (disabled_reason !== null) {
    return `An administrator disabled it: ${disabled_reason.replace(/[.\s]*$/, '')}. Please contact support.`
  }
  const withheld = WITHHELD.find(([reason]) => domain?.withheld_by.includes(reason))
  if (withheld !== undefined) return withheld[1]
  return fallback === null ? undefined : FALLBACK_TEXTS[fallback]
}
