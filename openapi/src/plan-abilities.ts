/** What a plan can allow besides names. */
export const PLAN_ABILITIES = [
  'api_keys',
  'wildcard',
  'analytics',
  'uptime',
  'web_forward',
  'vanity_ns',
  'data_export',
] as const
export type PlanAbility = (typeof PLAN_ABILITIES)[number]
