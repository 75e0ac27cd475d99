import { Type, type Static } from 'typebox'
import { Id, nullable, record, ref } from '../schema.ts'
import { AccountType } from './person.ts'
import { PLAN_RECORD_TYPES } from '../vocabulary.ts'

/** A price. */
const cents = nullable(
  Type.Integer({ minimum: 0, description: 'The price in cents. Null: not for sale.' }),
)

/** The public fields of a plan. */
export const planFields = {
  id: AccountType,
  domain_limit: Type.Integer({
    description: 'The number of domains that the plan includes. Wildcards do not count.',
  }),
  ttl: Type.Integer({ description: 'The TTL of the domains in seconds.' }),
  stealth_flag_limit: Type.Integer({
    description: 'The number of web forwards that can show their target in a frame.',
  }),
  monitor_interval: Type.Integer({
    description: 'The shortest interval of uptime monitors in seconds, if the plan includes them.',
  }),
  record_limit: Type.Integer({
    description: 'The number of records: of RRsets, or of values of TXT records (`record_types`).',
  }),
  record_types: Type.Enum([...PLAN_RECORD_TYPES], {
    description: '`txt`: the plan includes TXT records. `all`: it includes records of every type.',
  }),
  abilities: Type.Array(Type.String(), { description: 'The features that the plan includes.' }),
  price_month_cents: cents,
  price_year_cents: cents,
  currency: Type.String({ description: 'A currency code (ISO 4217).', examples: ['USD'] }),
}

export const Plan = record('Plan', planFields, 'The limits, features and prices of a plan.')
export type Plan = Static<typeof Plan>

/** Plans that users can choose. */
export const ChosenPlan = Type.Enum(['free', 'pro', 'elite'], {
  description: 'The new plan.',
})

/** A number before and after the change. */
export const change = Type.Object({ before: Type.Integer(), after: Type.Integer() })

export const PreviewedName = record('PreviewedName', {
  id: Id,
  fqdn: Type.String(),
  is_wildcard: Type.Boolean(),
})
export type PreviewedName = Static<typeof PreviewedName>

export const PlanPreview = record(
  'PlanPreview',
  {
    from: AccountType,
    to: AccountType,
    domain_limit: change,
    ttl: change,
    abilities_gained: Type.Array(Type.String()),
    abilities_lost: Type.Array(Type.String()),
    withheld: Type.Array(ref(PreviewedName), {
      description: 'Domains that DNS serves now and that would be withheld. They are not deleted.',
    }),
    restored: Type.Array(ref(PreviewedName), {
      description: 'Withheld domains that DNS would serve again.',
    }),
    ttl_change_count: Type.Integer({
      description: 'The number of domains, including wildcards, whose TTL would change.',
    }),
    api_keys: Type.Enum(['unchanged', 'refused', 'accepted'], {
      description:
        'The effect on the API keys and trust policies of the account. Refused keys and policies are not deleted.',
    }),
    api_key_count: Type.Integer({ description: 'The number of API keys of the account.' }),
    trust_policy_count: Type.Integer({
      description: 'The number of trust policies of the account.',
    }),
    ends_sessions: Type.Boolean({ description: 'Whether all sessions of the account would end.' }),
    blocks_account: Type.Boolean({
      description:
        'Whether the change would disable the account: the user could not sign in, and DNS would not serve its domains.',
    }),
  },
  'The effects of a change of plan on an account in its current state.',
)
export type PlanPreview = Static<typeof PlanPreview>
