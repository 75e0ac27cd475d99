import type { PlanAbility } from '@homing/openapi/vocabulary'

/** The features of plans in words, for the settings and the pricing page. */
export const ABILITY_NAMES: Readonly<Record<PlanAbility, string>> = {
  api_keys: 'API keys and trusted pipelines',
  wildcard: 'Wildcard domains',
  analytics: 'DNS analytics',
  uptime: 'Uptime monitoring',
  web_forward: 'Web forwarding',
  vanity_ns: 'Own zones and branded name servers',
  data_export: 'Export of analytics data',
}
