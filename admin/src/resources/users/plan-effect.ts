/** Describes the effects of a change to an account before it is saved. Pure: the API makes the change. */
import type { AdminPlan, AdminUser, AdminUserChange } from '../../api/client.ts'
import { count, counted, spanText } from '@homing/theme/formats'
import { PLAN_LABELS } from '../plans/plan-labels.ts'
import { intervalEffects } from '../plans/interval-effect.ts'
import { stealthEffects } from '../plans/stealth-effect.ts'

/** The properties of a plan that the description needs. */
export type PlanTerms = Pick<
  AdminPlan,
  'id' | 'domain_limit' | 'ttl' | 'stealth_flag_limit' | 'monitor_interval' | 'abilities'
>

type AccountStatus = Pick<AdminUser, 'account_type' | 'enabled'>

const isBlocked = ({ account_type, enabled }: AccountStatus) =>
  !enabled || account_type === 'disabled'

function namesEffect(user: AdminUser, before: PlanTerms, after: PlanTerms): string {
  const over = (plan: PlanTerms) => Math.max(0, user.domain_count - plan.domain_limit)
  const limit = `The domain limit changes to ${count(after.domain_limit)}.`
  const more = over(after) - over(before)
  if (more > 0) {
    const these = more === user.domain_count ? 'all' : `the newest ${count(more)}`
    return `${limit} Of ${counted(user.domain_count, 'domain')}, ${these} will be withheld from DNS. Nothing is deleted. Withheld domains are served again when the plan allows more domains or the user deletes others.`
  }
  if (more < 0) return `${limit} ${counted(-more, 'withheld domain')} will be served again.`
  if (user.domain_count === 0) return limit
  return over(after) > 0
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

function abilityEffects(before: PlanTerms, after: PlanTerms): string[] {
  return ABILITIES.flatMap(([ability, lost, gained]) => {
    const [had, has] = [before, after].map(({ abilities }) => abilities.includes(ability))
    if (had === has) return []
    return [has ? gained : lost]
  })
}

function planEffects(user: AdminUser, before: PlanTerms, after: PlanTerms): string[] {
  return [
    namesEffect(user, before, after),
    ...(before.ttl === after.ttl
      ? []
      : [`The TTL changes from ${spanText(before.ttl)} to ${spanText(after.ttl)}.`]),
    ...abilityEffects(before, after),
    ...stealthEffects(before.stealth_flag_limit, after.stealth_flag_limit),
    ...([before, after].every(({ abilities }) => abilities.includes('uptime'))
      ? intervalEffects(before.monitor_interval, after.monitor_interval)
      : []),
  ]
}

function adminRoleEffects(before: AccountStatus, after: AccountStatus): string[] {
  const was = before.account_type === 'admin'
  const is = after.account_type === 'admin'
  if (was === is) return []
  return is
    ? ['The user will have access to the back office and to all accounts.', SESSIONS_END]
    : ['The user will no longer have access to the back office.', SESSIONS_END]
}

const SESSIONS_END = 'All sessions end. The user must sign in again.'

/** The title of the confirmation dialog, and the label of its button. */
export function changeName(
  user: AdminUser,
  change: AdminUserChange,
): { readonly question: string; readonly verb: string } {
  const { username } = user
  if (change.enabled === false) return { question: `Suspend ${username}?`, verb: 'Suspend' }
  if (change.enabled === true) return { question: `Reactivate ${username}?`, verb: 'Reactivate' }
  const [from, to] = [user.account_type, change.account_type ?? user.account_type].map(
    (plan) => PLAN_LABELS[plan],
  )
  return { question: `Change ${username} from ${from} to ${to}?`, verb: 'Change plan' }
}

/** Shown when the plans could not be loaded. */
const RULE =
  'The TTL and the domain limit of the new plan apply at once. Domains over the limit are withheld, the newest first. Nothing is deleted.'

/**
 * The effects of a change on the account and its domains; empty if neither plan nor access changes.
 *
 * @param plans the plans from the API
 */
export function changeEffects(
  user: AdminUser,
  change: AdminUserChange,
  plans: readonly PlanTerms[],
): readonly string[] {
  const after: AccountStatus = {
    account_type: change.account_type ?? user.account_type,
    enabled: change.enabled ?? user.enabled,
  }
  if (after.account_type === user.account_type && after.enabled === user.enabled) return []
  if (isBlocked(after)) {
    if (isBlocked(user)) return ['The account stays closed. Its domains are not served.']
    const signIn = 'The user can no longer sign in, and all sessions end.'
    if (user.domain_count === 0) return [signIn]
    const domains = `${counted(user.domain_count, 'domain')} will no longer be served. Updates are refused. Nothing is deleted.`
    return [signIn, domains]
  }
  if (isBlocked(user)) {
    return ['The user can sign in again. Their domains are served within the limits of the plan.']
  }
  const [before, next] = [user, after].map(({ account_type }) =>
    plans.find(({ id }) => id === account_type),
  )
  const ofPlan = before && next ? planEffects(user, before, next) : [RULE]
  return [...ofPlan, ...adminRoleEffects(user, after)]
}
