/** Describes the effects of a change to an account before it is saved. Pure: the API makes the change. */
import type { AdminPlan, AdminUser, AdminUserChange, UserPlanPreview } from '../../api/client.ts'
import { count, counted, spanText } from '@homing/theme/formats'
import { PLAN_LABELS } from '../plans/plan-labels.ts'
import { intervalEffects } from '../plans/interval-effect.ts'
import { stealthEffects } from '../plans/stealth-effect.ts'
import {
  endOfRenewalEffects,
  type PaidPlan,
  renewalStaysEndedEffects,
  stayingPlanEffects,
} from './payment-effect.ts'
import { type AccountStatus, stateOf } from './account-state.ts'

/** The properties of a plan that the description needs besides the preview. */
export type PlanTerms = Pick<
  AdminPlan,
  'id' | 'stealth_flag_limit' | 'monitor_interval' | 'abilities'
>

/** What the effects of a change follow from. */
export interface Basis {
  /** The API's preview of the change. */
  readonly preview: UserPlanPreview
  /** The plans from the API; empty if they could not be loaded. */
  readonly plans: readonly PlanTerms[]
  /** The subscription that gives the account a plan. */
  readonly paid: PaidPlan | undefined
}

const isBlocked = (account: AccountStatus) => stateOf(account) !== 'active'

const domainsIn = (names: UserPlanPreview['withheld']) =>
  names.filter(({ is_wildcard }) => !is_wildcard).length

function namesEffect(user: AdminUser, preview: UserPlanPreview): string {
  const limit = `The domain limit changes to ${count(preview.domain_limit.after)}.`
  const [withheld, restored] = [preview.withheld, preview.restored].map(domainsIn)
  if (withheld) {
    return `${limit} Of ${counted(user.domain_count, 'domain')}, ${count(withheld)} will be withheld from DNS, the newest first. Nothing is deleted. Withheld domains are served again when the plan allows more domains or the user deletes others.`
  }
  if (restored) return `${limit} ${counted(restored, 'withheld domain')} will be served again.`
  if (user.domain_count === 0) return limit
  return user.domain_count > preview.domain_limit.after
    ? `${limit} The number of withheld domains stays the same.`
    : `${limit} ${counted(user.domain_count, 'domain is', 'domains are')} still served.`
}

const ABILITIES = [
  ['wildcard', 'Wildcards will be withheld.', 'Wildcards can be used.'],
  ['api_keys', 'API keys will stop working.', 'API keys can be used.'],
  [
    'web_forward',
    'Web forwards can no longer be changed. Redirects continue.',
    'Web forwards can be created.',
  ],
  [
    'uptime',
    'Monitors will stop. Their settings and history are kept.',
    'Domains can be monitored, and stopped monitors continue.',
  ],
] as const

const abilityEffects = ({ abilities_gained, abilities_lost }: UserPlanPreview) =>
  ABILITIES.flatMap(([ability, lost, gained]) => {
    if (abilities_lost.includes(ability)) return [lost]
    return abilities_gained.includes(ability) ? [gained] : []
  })

/** The limits that only the plans themselves have. */
function limitEffects({ preview, plans }: Basis): string[] {
  const [before, after] = [preview.from, preview.to].map((plan) =>
    plans.find(({ id }) => id === plan),
  )
  if (before === undefined || after === undefined) return []
  const areMonitored = [before, after].every(({ abilities }) => abilities.includes('uptime'))
  return [
    ...stealthEffects(before.stealth_flag_limit, after.stealth_flag_limit),
    ...(areMonitored ? intervalEffects(before.monitor_interval, after.monitor_interval) : []),
  ]
}

function planEffects(user: AdminUser, basis: Basis): string[] {
  const { ttl } = basis.preview
  return [
    namesEffect(user, basis.preview),
    ...(ttl.before === ttl.after
      ? []
      : [`The TTL changes from ${spanText(ttl.before)} to ${spanText(ttl.after)}.`]),
    ...abilityEffects(basis.preview),
    ...limitEffects(basis),
  ]
}

function adminRoleEffects({ from, to }: UserPlanPreview): string[] {
  const was = from === 'admin'
  const is = to === 'admin'
  if (was === is) return []
  return is
    ? ['The user will have access to the back office and to all accounts.', SESSIONS_END]
    : ['The user will no longer have access to the back office.', SESSIONS_END]
}

const SESSIONS_END = 'All sessions end. The user must sign in again.'

/**
 * The title of the confirmation dialog, and the label of its button.
 *
 * @param to the plan after the change, which can be another than the chosen one
 */
export function changeName(
  user: AdminUser,
  change: AdminUserChange,
  to: UserPlanPreview['to'],
): { readonly question: string; readonly verb: string } {
  const { username } = user
  if (change.enabled === false) return { question: `Suspend ${username}?`, verb: 'Suspend' }
  if (change.enabled === true) return { question: `Reactivate ${username}?`, verb: 'Reactivate' }
  const [before, after] = [user.account_type, to].map((plan) => PLAN_LABELS[plan])
  const question =
    before === after
      ? `Change the complimentary plan of ${username}?`
      : `Change ${username} from ${before} to ${after}?`
  return { question, verb: 'Change plan' }
}

function closingEffects(user: AdminUser, { paid }: Basis): string[] {
  const signIn = 'The user can no longer sign in, and all sessions end.'
  const domains = `${counted(user.domain_count, 'domain')} will no longer be served. Updates are refused. Nothing is deleted.`
  return [signIn, ...(user.domain_count === 0 ? [] : [domains]), ...endOfRenewalEffects(paid)]
}

/** Whether a change has effects on the plan or the access of an account. */
export const hasEffects = ({ account_type, enabled }: AdminUserChange): boolean =>
  account_type !== undefined || enabled !== undefined

/** The effects of a change on the account, its domains and its subscription. */
export function changeEffects(
  user: AdminUser,
  change: AdminUserChange,
  basis: Basis,
): readonly string[] {
  const { preview, paid } = basis
  const after = { account_type: preview.to, enabled: change.enabled ?? user.enabled }
  const staying = stayingPlanEffects(change.account_type, preview, paid)
  if (isBlocked(after)) {
    if (!isBlocked(user)) return [...closingEffects(user, basis), ...staying]
    return ['The account stays closed. Its domains are not served.', ...staying]
  }
  if (isBlocked(user)) {
    const signIn =
      'The user can sign in again. Their domains are served within the limits of the plan.'
    return [signIn, ...renewalStaysEndedEffects(paid), ...staying]
  }
  if (preview.from === preview.to) return staying
  return [...staying, ...planEffects(user, basis), ...adminRoleEffects(preview)]
}
