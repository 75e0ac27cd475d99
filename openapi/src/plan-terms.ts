/** What a plan is made of, and how far administrators may change it: for the contract and for forms alike. */

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

/** What one account's names may be at most: what is withheld below a wildcard changes with it, in one change set. */
const NAMES_LIMIT = 10_000

/** The smallest and the largest value of each figure of a plan that can be changed; `ttl` in seconds, up to a week. */
export const PLAN_BOUNDS = {
  domain_limit: { minimum: 0, maximum: NAMES_LIMIT },
  ttl: { minimum: 1, maximum: 604_800 },
  stealth_flag_limit: { minimum: 0, maximum: NAMES_LIMIT },
} as const
