import type { Ability } from '../../../api/account.ts'

/** The features of plans in words. */
export const ABILITY_NAMES: Readonly<Record<Ability, string>> = {
  api_keys: 'API keys and trusted pipelines',
  wildcard: 'Wildcard domains',
  analytics: 'DNS analytics',
  uptime: 'Uptime monitoring',
  web_forward: 'Web forwarding',
  vanity_ns: 'Branded name servers',
  data_export: 'Export of analytics data',
}
