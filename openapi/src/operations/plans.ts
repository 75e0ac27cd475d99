/** What there is to choose from, and what choosing would do. */
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
    summary: 'The plans that one can choose',
    description: 'From the smallest to the largest.',
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
    summary: 'What another plan would do to your account',
    description:
      'By the same rule that the change follows. The oldest names are kept up to the limit of a plan, the others are withheld; an upgrade brings the oldest back. Nothing is ever deleted.',
    access: 'session',
    query: Type.Object({ plan: ChosenPlan }),
    success: {
      status: 200,
      description: 'What would happen to the account as it is now.',
      schema: ref(PlanPreview),
      example: preview,
    },
  },
  previewUserPlan: {
    method: 'GET',
    url: '/api/admin/users/{id}/plan-preview',
    summary: 'What another plan would do to an account',
    description: 'And what disabling it would do, or enabling it again.',
    access: 'administrator',
    params: Type.Object({ id: Id }),
    query: Type.Object({
      plan: Type.Optional(AccountType),
      enabled: Type.Optional(Type.Boolean()),
    }),
    success: {
      status: 200,
      description: 'What would happen to the account as it is now.',
      schema: ref(PlanPreview),
      example: preview,
    },
    problems: ['not-found'],
  },
} as const satisfies Slice
