/** Plans, as administrators see and change them. */
import { Type } from 'typebox'
import type { Slice } from '../operation.ts'
import { ref } from '../schema.ts'
import { AdminPlan, AdminPlanChange, AdminPlanPreview } from '../schemas/admin-plans.ts'
import { AccountType } from '../schemas/person.ts'
import { proPlan } from './examples.ts'

const pro: AdminPlan = { ...proPlan, version: 1, updated_at: null }

const preview: AdminPlanPreview = {
  id: 'pro',
  domain_limit: { before: 100, after: 50 },
  ttl: { before: 60, after: 60 },
  stealth_flag_limit: { before: 10, after: 10 },
  abilities_gained: [],
  abilities_lost: [],
  account_count: 250,
  changed_account_count: 3,
  withheld_count: 41,
  restored_count: 0,
  ttl_change_count: 0,
  api_keys: 'unchanged',
  api_key_count: 310,
  trust_policy_count: 12,
}

const params = Type.Object({ id: AccountType })
const body = ref(AdminPlanChange)
const bodyExample = { domain_limit: 50 }

export const adminPlans = {
  listPlans: {
    method: 'GET',
    url: '/api/admin/plans',
    summary: 'What each plan gives',
    description: 'All plans, from the smallest to the largest.',
    access: 'administrator',
    success: {
      status: 200,
      description: 'The plans.',
      schema: Type.Array(ref(AdminPlan)),
      example: [pro],
      list: true,
    },
  },
  getPlan: {
    method: 'GET',
    url: '/api/admin/plans/{id}',
    summary: 'A plan',
    access: 'administrator',
    params,
    success: { status: 200, description: 'The plan.', schema: ref(AdminPlan), example: pro },
  },
  updatePlan: {
    method: 'PUT',
    url: '/api/admin/plans/{id}',
    summary: 'Change a plan',
    description: `What is allowed holds at once. Names of the accounts on the plan follow by a job, by the rule of an up- or downgrade: over the limit the newest are withheld, within it the oldest come back, and all get the TTL. Nothing is deleted. The plan \`disabled\` gives nothing and is not changed.
With \`If-Match\` (the \`ETag\` of the plan) a plan that somebody changed meanwhile is left alone.`,
    access: 'administrator',
    stepUp: true,
    params,
    body,
    bodyExample,
    success: {
      status: 200,
      description: 'The plan as it now is.',
      schema: ref(AdminPlan),
      example: { ...pro, domain_limit: 50, version: 2, updated_at: '2026-05-12T08:30:00.000Z' },
    },
    problems: ['conflict', 'version-mismatch'],
  },
  previewPlanChange: {
    method: 'POST',
    url: '/api/admin/plans/{id}/preview',
    summary: 'What a change of a plan would do',
    description:
      'Counted by the same query as the change follows; nothing is written. A change that mentions nothing tells how many names are still to be brought to the plan as it is.',
    access: 'administrator',
    params,
    body,
    bodyExample,
    success: {
      status: 200,
      description: 'What would happen to the accounts that are on the plan now.',
      schema: ref(AdminPlanPreview),
      example: preview,
    },
    problems: ['conflict'],
  },
} as const satisfies Slice
