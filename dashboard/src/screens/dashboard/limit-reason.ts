/** Why the account cannot add a domain, and which plan lifts the limit. */
import { count, counted } from '@homing/theme/formats'
import { useQuery } from '@tanstack/react-query'
import { type Me, meQuery } from '../../api/account.ts'
import { type OfferedPlan, plansQuery } from '../../api/plans.ts'
import { PLAN_NAMES } from '../frame/plan-words.ts'

/** The smallest plan on sale that includes more domains. */
const nextPlan = (limit: number, plans: readonly OfferedPlan[]): OfferedPlan | undefined =>
  plans.find(
    ({ domain_limit, price_month_cents }) => domain_limit > limit && price_month_cents !== null,
  )

/** @returns undefined while a domain can be added */
function limitReason(
  { domain_count: used, domain_limit: limit }: Me['limits'],
  plans: readonly OfferedPlan[],
): string | undefined {
  if (used < limit) return undefined
  const plan = nextPlan(limit, plans)
  const full = `Your plan allows ${counted(limit, 'domain')} and you have ${count(used)}.`
  return plan === undefined
    ? `${full} Delete one to add another.`
    : `${full} Delete one to add another, or choose the ${PLAN_NAMES[plan.id]} plan with ${counted(plan.domain_limit, 'domain')}.`
}

/** The reason for the signed-in user; undefined while they can add a domain, and before that is known. */
export function useLimitReason(): string | undefined {
  const { data: me } = useQuery(meQuery)
  const isFull = me !== undefined && me.limits.domain_count >= me.limits.domain_limit
  const { data: plans = [] } = useQuery({ ...plansQuery, enabled: isFull })
  return me && limitReason(me.limits, plans)
}
