/** The labels of the features that plans can include. */
import { PLAN_ABILITIES } from '@homing/openapi/client'

type Ability = (typeof PLAN_ABILITIES)[number]

const ABILITY_LABELS: Readonly<Record<Ability, string>> = {
  api_keys: 'API keys',
  wildcard: 'Wildcards',
  analytics: 'DNS analytics',
  uptime: 'Uptime monitoring',
  web_forward: 'Web forwarding',
  vanity_ns: 'Own zones and branded name servers',
  data_export: 'Data export',
}

export const ABILITY_CHOICES = PLAN_ABILITIES.map((value) => ({
  value,
  label: ABILITY_LABELS[value],
}))

/** The label of a feature. An unknown feature gets its API name. */
export const abilityLabel = (ability: string): string =>
  (ABILITY_LABELS as Readonly<Record<string, string | undefined>>)[ability] ?? ability
