import { Type, type Static } from 'typebox'
import { PLAN_ABILITIES, PLAN_BOUNDS } from '../vocabulary.ts'
import { nullable, record, Time } from '../schema.ts'
import { AccountType } from './person.ts'
import { change, planFields } from './plans.ts'

const Abilities = Type.Array(Type.Enum(PLAN_ABILITIES), {
  uniqueItems: true,
  maxItems: PLAN_ABILITIES.length,
  description: `The features that the plan includes, any of: ${PLAN_ABILITIES.join(', ')}.`,
})

const DomainLimit = Type.Integer({
  ...PLAN_BOUNDS.domain_limit,
  description: `The number of domains that the plan includes, 0 to ${PLAN_BOUNDS.domain_limit.maximum}. Wildcards do not count.`,
})
const StealthFlagLimit = Type.Integer({
  ...PLAN_BOUNDS.stealth_flag_limit,
  description: `The number of web forwards that can show their target in a frame, 0 to ${PLAN_BOUNDS.stealth_flag_limit.maximum}.`,
})
const MonitorInterval = Type.Integer({
  ...PLAN_BOUNDS.monitor_interval,
  description: `The shortest interval of uptime monitors in seconds, ${PLAN_BOUNDS.monitor_interval.minimum} to ${PLAN_BOUNDS.monitor_interval.maximum}.`,
})
const RecordLimit = Type.Integer({
  ...PLAN_BOUNDS.record_limit,
  description: `The number of records, 0 to ${PLAN_BOUNDS.record_limit.maximum}.`,
})
const Ttl = Type.Integer({
  ...PLAN_BOUNDS.ttl,
  description: `The TTL of the domains in seconds, 1 to ${PLAN_BOUNDS.ttl.maximum}.`,
})

export const AdminPlan = record(
  'AdminPlan',
  {
    ...planFields,
    version: Type.Integer({ description: 'The ETag of the plan. Every change increases it.' }),
    /** Null: it was never changed. */
    updated_at: nullable(Time),
  },
  'A plan, for administrators.',
)
export type AdminPlan = Static<typeof AdminPlan>

export const AdminPlanChange = record(
  'AdminPlanChange',
  {
    domain_limit: Type.Optional(DomainLimit),
    ttl: Type.Optional(Ttl),
    stealth_flag_limit: Type.Optional(StealthFlagLimit),
    monitor_interval: Type.Optional(MonitorInterval),
    record_limit: Type.Optional(RecordLimit),
    abilities: Type.Optional(Abilities),
  },
  'Absent fields are not changed. The prices come from the payment providers and cannot be set here.',
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
    monitor_interval: change,
    record_limit: change,
    abilities_gained: Type.Array(Type.String()),
    abilities_lost: Type.Array(Type.String()),
    account_count: figure('Accounts on the plan.'),
    changed_account_count: figure(
      'Accounts on the plan with at least one domain that would change.',
    ),
    withheld_count: figure(
      'Domains that DNS serves now and that would be withheld. They are not deleted.',
    ),
    restored_count: figure('Withheld domains that DNS would serve again.'),
    ttl_change_count: figure('Domains, including wildcards, whose TTL would change.'),
    api_keys: Type.Enum(['unchanged', 'refused', 'accepted'], {
      description:
        'The effect on the API keys and trust policies of the accounts. Refused keys and policies are not deleted.',
    }),
    api_key_count: figure('API keys of the accounts.'),
    trust_policy_count: figure('Trust policies of the accounts.'),
  },
  'The effects of a change of a plan on the accounts that are on it now.',
)
export type AdminPlanPreview = Static<typeof AdminPlanPreview>
