/** What the plans include, in words, from the plans table. */
import type { SitePlan } from './money.ts'

const MINUTE_SECONDS = 60

function spanOf(seconds: number): string {
  if (seconds <= MINUTE_SECONDS || seconds % MINUTE_SECONDS !== 0) return `${seconds} seconds`
  return `${seconds / MINUTE_SECONDS} minutes`
}

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

const ability = (name: string) => (plan: SitePlan) => plan.abilities.includes(name)

export const FEATURES: readonly FeatureRow[] = [
  { label: 'Domains', value: ({ domain_limit }) => String(domain_limit) },
  { label: 'TTL of addresses', value: ({ ttl }) => spanOf(ttl) },
  ...IN_ALL_PLANS.map((label) => ({ label, value: () => true })),
  { label: 'API keys', value: ability('api_keys') },
  { label: 'Wildcards', value: (plan) => (ability('wildcard')(plan) ? 'Unlimited' : false) },
  { label: 'DNS analytics', value: ability('analytics') },
  { label: 'Uptime monitoring', value: ability('uptime') },
  {
    label: 'Web forwarding',
    value: (plan) => (ability('web_forward')(plan) ? 'Unlimited redirects' : false),
  },
  {
    label: 'Stealth forwards',
    value: ({ stealth_flag_limit }) => stealth_flag_limit > 0 && String(stealth_flag_limit),
  },
  { label: 'Branded name servers', value: ability('vanity_ns') },
  {
    label: 'Data export',
    value: (plan) => (ability('data_export')(plan) ? 'Coming soon' : false),
  },
]

/** The lines of a plan's card: its numbers, and what it has that the plan before it has not. */
export function highlightsOf(plan: SitePlan, before: SitePlan | undefined): readonly string[] {
  const has = (name: string) => plan.abilities.includes(name) && !before?.abilities.includes(name)
  const lines = [`${plan.domain_limit} domains`]
  if (plan.ttl !== before?.ttl) lines.push(`TTL of ${spanOf(plan.ttl)}`)
  if (before === undefined) lines.push(...IN_ALL_PLANS)
  if (has('api_keys')) lines.push('API keys')
  if (has('wildcard')) lines.push('Unlimited wildcards')
  if (has('analytics')) lines.push('DNS analytics')
  if (has('uptime')) lines.push('Uptime monitoring')
  if (has('web_forward')) lines.push('Web forwarding, unlimited redirects')
  if (plan.stealth_flag_limit > (before?.stealth_flag_limit ?? 0)) {
    lines.push(`${plan.stealth_flag_limit} stealth forwards`)
  }
  if (has('vanity_ns')) lines.push('Branded name servers')
  if (has('data_export')) lines.push('Data export (coming soon)')
  return lines
}
