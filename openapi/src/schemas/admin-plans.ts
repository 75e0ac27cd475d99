import { Type, type Static } from 'typebox'
import { PLAN_ABILITIES, PLAN_BOUNDS } from '../vocabulary.ts'
import { nullable, record, Time } from '../schema.ts'
import { AccountType } from './person.ts'
import { change, planFields } from './plans.ts'

const Abilities = Type.Array(Type.Enum(PLAN_ABILITIES), {
  uniqueItems: true,
  maxItems: PLAN_ABILITIES.length,
  description: `What the plan allows besides names: any of ${PLAN_ABILITIES.join(', ')}.`,
})

const DomainLimit = Type.Integer({
  ...PLAN_BOUNDS.domain_limit,
  description: `Names that the plan serves, 0 to ${PLAN_BOUNDS.domain_limit.maximum}; wildcards count not.`,
})
const StealthFlagLimit = Type.Integer({
  ...PLAN_BOUNDS.stealth_flag_limit,
  description: `Web forwards that may show their target in a frame, 0 to ${PLAN_BOUNDS.stealth_flag_limit.maximum}.`,
})
const Ttl = Type.Integer({
  ...PLAN_BOUNDS.ttl,
  description: `Seconds for which resolvers may keep an address, 1 to ${PLAN_BOUNDS.ttl.maximum}.`,
})

export const AdminPlan = record(
  'AdminPlan',
  {
    ...planFields,
    version: Type.Integer({ description: 'Raised by every change; the ETag of the plan.' }),
    /** Null: it is as it was at the start. */
    updated_at: nullable(Time),
  },
  'A plan as administrators see it: what an account of it may do.',
)
export type AdminPlan = Static<typeof AdminPlan>

export const AdminPlanChange = record(
  'AdminPlanChange',
  {
    domain_limit: Type.Optional(DomainLimit),
    ttl: Type.Optional(Ttl),
    stealth_flag_limit: Type.Optional(StealthFlagLimit),
    abilities: Type.Optional(Abilities),
  },
  'Any of the fields; those that are not mentioned are kept. Prices are those of the payment providers and are not set here.',
)
export type AdminPlanChange = Static<typeof AdminPlanChange>

const figure = (description: string) => Type.Integer({ minimum: 0, description })

export const AdminPlanPreview = record(
  'AdminPlanPreview',
  {
    id: AccountType,
    domain_limit: change,
    ttl: change,
    stealth_flag_limit: change,
    abilities_gained: Type.Array(Type.String()),
    abilities_lost: Type.Array(Type.String()),
    account_count: figure('Accounts on the plan.'),
    changed_account_count: figure('Those of them with a name that would change.'),
    withheld_count: figure('Names that are served now and would not be any more. They are kept.'),
    restored_count: figure('Names that are withheld now and would be served again.'),
    ttl_change_count: figure('Names, with wildcards, whose TTL would be another.'),
    api_keys: Type.Enum(['unchanged', 'refused', 'accepted'], {
      description:
        'What would become of the accounts’ API keys and trust policies. They are kept when they are refused.',
    }),
    api_key_count: figure('Keys that the accounts have.'),
    trust_policy_count: figure('Trust policies that the accounts have.'),
  },
  'What a change of a plan would do to the accounts that are on it now.',
)
export type AdminPlanPreview = Static<typeof AdminPlanPreview>
