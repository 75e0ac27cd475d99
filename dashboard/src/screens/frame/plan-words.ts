/** Plans and their prices in words. */
import { money } from '@homing/theme/formats'
import type { Ability, Me } from '../../api/account.ts'
import type { OfferedPlan } from '../../api/plans.ts'

export const PLAN_NAMES: Readonly<Record<Me['plan'], string>> = {
  free: 'Free',
  pro: 'Pro',
  elite: 'Elite',
  admin: 'Administrator',
  disabled: 'Disabled',
}

const LIST = new Intl.ListFormat('en-GB', { type: 'disjunction' })

/** Without plans, or before they are known: `a larger plan`. */
function planNames(plans: readonly OfferedPlan[]): string {
  const names = plans.map(({ id }) => PLAN_NAMES[id])
  return names.length === 0 ? 'a larger plan' : `the ${LIST.format(names)} plan`
}

/** `the Pro or Elite plan`: the plans on offer that include a feature. */
export function plansWith(ability: Ability, plans: readonly OfferedPlan[] | undefined): string {
  return planNames((plans ?? []).filter(({ abilities }) => abilities.includes(ability)))
}

/** `the Pro or Elite plan`: the plans on offer that include so many domains. */
export function plansFor(domainCount: number, plans: readonly OfferedPlan[] | undefined): string {
  return planNames((plans ?? []).filter(({ domain_limit }) => domain_limit >= domainCount))
}

/** `$10 per month, or $110 per year`; undefined for a plan that is not sold. */
export function priceText(plan: OfferedPlan): string | undefined {
  const { price_month_cents: month, price_year_cents: year, currency } = plan
  if (month === 0) return 'Free'
  const parts = [
    ...(month === null ? [] : [`${money(month, currency)} per month`]),
    ...(year === null ? [] : [`${money(year, currency)} per year`]),
  ]
  return parts.length === 0 ? undefined : parts.join(', or ')
}
