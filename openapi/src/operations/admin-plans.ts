/** Plans, for administrators. */
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
  monitor_interval: { before: 60, after: 60 },
  record_limit: { before: 1000, after: 1000 },
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
    summary: 'List the plans',
    description: 'Returns all plans, from the smallest to the largest.',
    access: 'administrator',
    permission: 'administration',
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
    summary: 'Get a plan',
    access: 'administrator',
    permission: 'administration',
    params,
    success: { status: 200, description: 'The plan.', schema: ref(AdminPlan), example: pro },
  },
  updatePlan: {
    method: 'PUT',
    url: '/api/admin/plans/{id}',
    summary: 'Change a plan',
    description: `The features of the plan change at once. A job then changes the domains of the accounts on the plan, by the same rule as an upgrade or downgrade: the newest domains over the limit are withheld, the oldest withheld domains within the limit are served again, and all domains get the new TTL. Nothing is deleted. The plan \`disabled\` has no features and cannot be changed.
With \`If-Match\` (the \`ETag\` of the plan), the call fails with \`version-mismatch\` if the plan was changed in the meantime.`,
    access: 'administrator',
    permission: 'administration',
    stepUp: true,
    params,
    body,
    bodyExample,
    success: {
      status: 200,
      description: 'The changed plan.',
      schema: ref(AdminPlan),
      example: { ...pro, domain_limit: 50, version: 2, updated_at: '2026-05-12T08:30:00.000Z' },
    },
    problems: ['conflict', 'version-mismatch'],
  },
  previewPlanChange: {
    method: 'POST',
    url: '/api/admin/plans/{id}/preview',
    summary: 'Preview a change of a plan',
    description:
      'The preview uses the same query as the change and writes nothing. An empty change returns how many domains the job must still adjust to the current plan.',
    access: 'administrator',
    permission: 'administration',
    params,
    body,
    bodyExample,
    success: {
      status: 200,
      description: 'The effects on the accounts that are on the plan now.',
      schema: ref(AdminPlanPreview),
      example: preview,
    },
    problems: ['conflict'],
  },
} as const satisfies Slice
