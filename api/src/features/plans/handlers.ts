import { Refusal } from '../../rules/errors.ts'
import { previewPlan } from '../../feed/plan-preview.ts'
import { offeredPlans } from '../../models/plan.ts'
import { handlersFor } from '../../plugins/contract.ts'

export const planHandlers = handlersFor('plans', {
  async listOfferedPlans({ services }) {
    return { body: await offeredPlans(services.knex) }
  },

  async previewPlan({ services, principal, query }) {
    const preview = await previewPlan(services.knex, principal.account.id, {
      accountType: query.plan,
    })
    if (preview === undefined) throw new Error('the account of a session exists')
    return { body: preview }
  },

  async previewUserPlan({ services, params, query }) {
    const wish = { accountType: query.plan, enabled: query.enabled }
    const preview = await previewPlan(services.knex, params.id, wish)
    if (preview === undefined) {
      throw new Refusal('not-found', 'An account with this id does not exist.')
    }
    return { body: preview }
  },
})
