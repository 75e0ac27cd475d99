/** The plans on offer, and previews of a change of plan. */
import { Type } from 'typebox'
import type { Slice } from '../operation.ts'
import { Id, ref } from '../schema.ts'
import { AccountType } from '../schemas/person.ts'
import {
  ChosenPlan,
  Plan,
  PlanPreview,
  type PlanPreview as PlanPreviewBody,
} from '../schemas/plans.ts'
import { proPlan } from './examples.ts'

const preview: PlanPreviewBody = {
  from: 'pro',
  to: 'free',
  domain_limit: { before: 100, after: 5 },
  ttl: { before: 60, after: 3600 },
  abilities_gained: [],
  abilities_lost: ['api_keys', 'wildcard', 'analytics', 'uptime', 'web_forward'],
  withheld: [{ id: '42', fqdn: 'sixth.example.net', is_wildcard: false }],
  restored: [],
  ttl_change_count: 6,
  api_keys: 'refused',
  api_key_count: 2,
  trust_policy_count: 0,
  ends_sessions: false,
  blocks_account: false,
}

export const plans = {
  listOfferedPlans: {
    method: 'GET',
    url: '/api/plans',
    summary: 'List the plans on offer',
    description: 'Returns the plans from the smallest to the largest.',
    access: 'public',
    success: {
      status: 200,
      description: 'The plans.',
      schema: Type.Array(ref(Plan)),
      example: [proPlan],
    },
  },
  previewPlan: {
    method: 'GET',
    url: '/api/me/plan-preview',
    summary: 'Preview a change of your plan',
    description:
      'The preview follows the same rule as the change. DNS serves the oldest domains up to the limit of the plan; the others are withheld. An upgrade restores the oldest withheld domains first. A change of plan never deletes anything.',
    access: 'session',
    query: Type.Object({ plan: ChosenPlan }),
    success: {
      status: 200,
      description: 'The effects on the account in its current state.',
      schema: ref(PlanPreview),
      example: preview,
    },
  },
  previewUserPlan: {
    method: 'GET',
    url: '/api/admin/users/{id}/plan-preview',
    summary: 'Preview a change of an account’s plan',
    description: 'Also previews disabling the account, or enabling it again.',
    access: 'administrator',
    permission: 'administration',
    params: Type.Object({ id: Id }),
    query: Type.Object({
      plan: Type.Optional(AccountType),
      enabled: Type.Optional(Type.Boolean()),
    }),
    success: {
      status: 200,
      description: 'The effects on the account in its current state.',
      schema: ref(PlanPreview),
      example: preview,
    },
    problems: ['not-found'],
  },
} as const satisfies Slice
