import { Refusal } from '../../rules/errors.ts'
import { accountTypeAfter } from '../../feed/account-grants.ts'
import { previewPlan } from '../../feed/plan-preview.ts'
import { changeOfAdministrator } from '../../rules/account-grants.ts'
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

  /** A plan that is paid for stays, so the plan after the change can be another than the one in the query. */
  async previewUserPlan({ services, params, query: { plan, enabled } }) {
    const { knex, now } = services
    const change = plan && changeOfAdministrator(plan)
    const accountType = change && (await accountTypeAfter(knex, params.id, change, now()))
    const preview = await previewPlan(knex, params.id, { accountType, enabled })
    if (preview === undefined) {
      throw new Refusal('not-found', 'An account with this id does not exist.')
    }
    return { body: preview }
  },
})
