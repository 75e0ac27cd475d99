/** What a change of an account does, in words, before it is made. Pure: the API does it, this says it. */
import type { AdminPlan, AdminUser, AdminUserChange } from '../../api/client.ts'
import { count, counted, span } from '../../words.ts'
import { PLAN_LABELS } from '../plans/plan-labels.ts'

/** What of a plan is told. */
export type PlanTerms = Pick<AdminPlan, 'id' | 'domain_limit' | 'ttl' | 'abilities'>

type AccountStatus = Pick<AdminUser, 'account_type' | 'enabled'>

const isBlocked = ({ account_type, enabled }: AccountStatus) =>
  !enabled || account_type === 'disabled'

function namesEffect(user: AdminUser, before: PlanTerms, after: PlanTerms): string {
  const over = (plan: PlanTerms) => Math.max(0, user.domain_count - plan.domain_limit)
  const limit = `The limit becomes ${counted(after.domain_limit, 'name')}`
  const more = over(after) - over(before)
  if (more > 0) {
    const these = more === user.domain_count ? 'all' : `the newest ${count(more)}`
    return `${limit}: of ${counted(user.domain_count, 'name')}, ${these} will be withheld from DNS. Nothing is deleted; they come back when the plan grows or a place is freed.`
  }
  if (more < 0) return `${limit}: ${counted(-more, 'withheld name')} will be served again.`
  if (user.domain_count === 0) return `${limit}.`
  return over(after) > 0
    ? `${limit}: as many names as now stay withheld.`
    : `${limit}: all ${counted(user.domain_count, 'name')} stay served.`
}

const ABILITIES = [
  ['wildcard', 'Wildcards will be withheld.', 'Wildcards can be used.'],
  ['api_keys', 'API keys will stop working.', 'API keys can be used.'],
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
      : [`Resolvers will keep addresses for ${span(after.ttl)} instead of ${span(before.ttl)}.`]),
    ...abilityEffects(before, after),
  ]
}

function adminRoleEffects(before: AccountStatus, after: AccountStatus): string[] {
  const was = before.account_type === 'admin'
  const is = after.account_type === 'admin'
  if (was === is) return []
  return is
    ? ['This person will reach the back office, and everybody’s accounts with it.', SESSIONS_END]
    : ['This person will no longer reach the back office.', SESSIONS_END]
}

const SESSIONS_END = 'All sessions end: they have to sign in again.'

/** What a change is called, as a question and as the verb that answers it. */
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

/** What is said while the plans cannot be had. */
const RULE =
  'The TTL and the limit of the new plan hold at once. Names over the limit are withheld, the newest first; nothing is deleted.'

/**
 * What a change does to the account and its names; empty when it concerns neither plan nor access.
 *
 * @param plans as the API has them
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
    if (isBlocked(user)) return ['The account stays closed: its names are not served.']
    const signIn = 'This person can no longer sign in, and all sessions end.'
    if (user.domain_count === 0) return [signIn]
    const names = `No longer served: ${counted(user.domain_count, 'name')}. Updates are refused. Nothing is deleted.`
    return [signIn, names]
  }
  if (isBlocked(user)) {
    return ['This person can sign in again, and their names are served as far as the plan allows.']
  }
  const [before, next] = [user, after].map(({ account_type }) =>
    plans.find(({ id }) => id === account_type),
  )
  const ofPlan = before && next ? planEffects(user, before, next) : [RULE]
  return [...ofPlan, ...adminRoleEffects(user, after)]
}
