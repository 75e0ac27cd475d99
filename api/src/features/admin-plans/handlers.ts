import type { AdminPlan } from '@homing/openapi'
import { readVersionedPlan, type VersionedPlan, versionedPlans } from '../../models/plan.ts'
import type { Answer } from '../../plugins/call.ts'
import { handlersFor } from '../../plugins/contract.ts'
import { contentRange } from '../../plugins/list-query.ts'
import { changePlan, previewPlanChange } from './change-plan.ts'

const planBody = (plan: VersionedPlan): AdminPlan => ({
  ...plan,
  updated_at: plan.updated_at?.toISOString() ?? null,
})

/** One plan, with its version as ETag (RFC 9110 §8.8.3). */
const planAnswer = (plan: VersionedPlan): Answer<AdminPlan> => ({
  body: planBody(plan),
  headers: { etag: `"${plan.version}"` },
})

export const adminPlanHandlers = handlersFor('admin-plans', {
  async listPlans({ services }) {
    const plans = await versionedPlans(services.knex)
    return {
      body: plans.map(planBody),
      headers: contentRange('plans', 0, plans.length, plans.length),
    }
  },

  async getPlan({ services, params }) {
    return planAnswer(await readVersionedPlan(services.knex, params.id))
  },

  async updatePlan({ services, principal, params, body, request }) {
    const ifMatch = request.headers['if-match']
    const wanted = { planId: params.id, change: body, ifMatch }
    return planAnswer(await changePlan(services, principal.account, wanted))
  },

  async previewPlanChange({ services, params, body }) {
    return { body: await previewPlanChange(services, params.id, body) }
  },
})
