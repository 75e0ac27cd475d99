import { Type, type Static } from 'typebox'
import { Id, nullable, record, ref } from '../schema.ts'
import { AccountType } from './person.ts'

/** A price. */
const cents = nullable(Type.Integer({ minimum: 0, description: 'In cents. Null: not for sale.' }))

/** What everybody is told of a plan. */
export const planFields = {
  id: AccountType,
  domain_limit: Type.Integer({ description: 'Names that the plan serves; wildcards count not.' }),
  ttl: Type.Integer({ description: 'Seconds for which resolvers may keep an address.' }),
  stealth_flag_limit: Type.Integer({
    description: 'Web forwards that may show their target in a frame.',
  }),
  abilities: Type.Array(Type.String(), { description: 'What the plan allows besides names.' }),
  price_month_cents: cents,
  price_year_cents: cents,
  currency: Type.String({ description: 'ISO 4217.', examples: ['USD'] }),
}

export const Plan = record('Plan', planFields, 'What a plan gives, and its price.')
export type Plan = Static<typeof Plan>

/** Plans that somebody may choose. */
export const ChosenPlan = Type.Enum(['free', 'pro', 'elite'], {
  description: 'The plan that would be changed to.',
})

/** A figure as it is, and as it would be. */
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
      description: 'Names that are served now and would not be any more. They are kept.',
    }),
    restored: Type.Array(ref(PreviewedName), {
      description: 'Names that are withheld now and would be served again.',
    }),
    ttl_change_count: Type.Integer({
      description: 'Names, with wildcards, whose TTL would be another.',
    }),
    api_keys: Type.Enum(['unchanged', 'refused', 'accepted'], {
      description:
        'What would become of the account’s API keys and trust policies. They are kept when they are refused.',
    }),
    api_key_count: Type.Integer({ description: 'Keys that the account has.' }),
    trust_policy_count: Type.Integer({ description: 'Trust policies that the account has.' }),
    ends_sessions: Type.Boolean({ description: 'Whether everybody would be signed out.' }),
    blocks_account: Type.Boolean({
      description: 'Whether nobody could sign in afterwards, and nothing would be served.',
    }),
  },
  'What another plan would do to an account as it is now.',
)
export type PlanPreview = Static<typeof PlanPreview>
