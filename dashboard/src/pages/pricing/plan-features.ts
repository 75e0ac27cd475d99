/** What the plans include, in words, from the plans table. */
import type { PlanAbility } from '@homing/openapi/vocabulary'
import { count, counted, spanText } from '@homing/theme/formats'
import { ABILITY_NAMES } from '../../components/ability-names.ts'
import type { SitePlan } from './plan-prices.ts'

/** A row of the comparison: its label, and its value for a plan. Booleans are “included” or not. */
export interface FeatureRow {
  readonly label: string
  readonly value: (plan: SitePlan) => string | boolean
}

const IN_ALL_PLANS = [
  'IPv4 and IPv6',
  'Update token for each domain',
  'Two-factor sign-in and passkeys',
] as const

const ability = (name: PlanAbility) => (plan: SitePlan) => plan.abilities.includes(name)

/** A feature, with what a plan that has it allows. */
const featureRow = (name: PlanAbility, allowance?: string): FeatureRow => ({
  label: ABILITY_NAMES[name],
  value: (plan) => ability(name)(plan) && (allowance ?? true),
})

/** `TXT, 10 values`, `every type, 1,000` */
const recordsText = ({ record_limit, record_types }: SitePlan): string =>
  record_types === 'txt'
    ? `TXT, ${count(record_limit)} values`
    : `every type, ${count(record_limit)}`

/** The records in the card of a plan. */
const recordsLine = ({ record_limit, record_types }: SitePlan): string =>
  record_types === 'txt'
    ? `TXT records with ${count(record_limit)} values`
    : `${count(record_limit)} DNS records of every type`

export const FEATURES: readonly FeatureRow[] = [
  { label: 'Domains', value: ({ domain_limit }) => count(domain_limit) },
  {
    label: 'Other DNS records',
    value: recordsText,
  },
  { label: 'TTL of addresses', value: ({ ttl }) => spanText(ttl) },
  ...IN_ALL_PLANS.map((label) => ({ label, value: () => true })),
  featureRow('api_keys'),
  featureRow('wildcard', 'Unlimited'),
  featureRow('analytics'),
  {
    label: ABILITY_NAMES.uptime,
    value: (plan) => ability('uptime')(plan) && `every ${spanText(plan.monitor_interval)}`,
  },
  featureRow('web_forward', 'Unlimited redirects'),
  {
    label: 'Stealth forwards',
    value: ({ stealth_flag_limit }) => stealth_flag_limit > 0 && String(stealth_flag_limit),
  },
  featureRow('vanity_ns'),
  featureRow('data_export'),
]

/** In seconds; undefined for a plan without monitors. */
const monitorIntervalOf = (plan: SitePlan | undefined): number | undefined =>
  plan !== undefined && ability('uptime')(plan) ? plan.monitor_interval : undefined

/** The lines of a plan's card: its numbers, and what it has that the plan before it has not. */
export function highlightsOf(plan: SitePlan, before: SitePlan | undefined): readonly string[] {
  const has = (name: PlanAbility) =>
    ability(name)(plan) && (before === undefined || !ability(name)(before))
  const lines = [counted(plan.domain_limit, 'domain')]
  if (plan.record_limit !== before?.record_limit) {
    lines.push(recordsLine(plan))
  }
  if (plan.ttl !== before?.ttl) lines.push(`TTL of ${spanText(plan.ttl)}`)
  if (before === undefined) lines.push(...IN_ALL_PLANS)
  if (has('api_keys')) lines.push(ABILITY_NAMES.api_keys)
  if (has('wildcard')) lines.push(`Unlimited ${ABILITY_NAMES.wildcard.toLowerCase()}`)
  if (has('analytics')) lines.push(ABILITY_NAMES.analytics)
  if (ability('uptime')(plan) && plan.monitor_interval !== monitorIntervalOf(before)) {
    lines.push(`${ABILITY_NAMES.uptime} every ${spanText(plan.monitor_interval)}`)
  }
  if (has('web_forward')) lines.push(`${ABILITY_NAMES.web_forward}, unlimited redirects`)
  if (plan.stealth_flag_limit > (before?.stealth_flag_limit ?? 0)) {
    lines.push(`${plan.stealth_flag_limit} stealth forwards`)
  }
  if (has('vanity_ns')) lines.push(ABILITY_NAMES.vanity_ns)
  if (has('data_export')) lines.push(ABILITY_NAMES.data_export)
  return lines
}
