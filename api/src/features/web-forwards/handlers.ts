import type { SavedWebForward } from '@homing/openapi'
import { reachOf } from '../../caller/principal.ts'
import { stealthFlags } from '../../feed/forward-flags.ts'
import { findOwnedDomain } from '../../models/domain.ts'
import { forwardBody } from '../../models/shown-forward.ts'
import { WebForward } from '../../models/web-forward.ts'
import type { Answer } from '../../plugins/call.ts'
import { handlersFor } from '../../plugins/contract.ts'
import { actorOf } from '../../plugins/owner-actor.ts'
import { notFound } from '../../rules/errors.ts'
import { planAllows, requireAbility } from '../../rules/plans.ts'
import { allowedTarget, examined } from './allowed-target.ts'
import { deleteForward } from './delete-forward.ts'
import { listForwards, WEB_FORWARDS } from './find-forward.ts'
import { createForward, type Saved, updateForward } from './save-forward.ts'

function savedAnswer({ forward, warning }: Saved): Answer<SavedWebForward> {
  const body = { ...forwardBody(forward), ...(warning === undefined ? {} : { warning }) }
  return { body, headers: { etag: `"${forward.version}"` } }
}

export const webForwardHandlers = handlersFor('web-forwards', {
  async listWebForwards({ services, principal }) {
    return { body: (await listForwards(services.knex, reachOf(principal))).map(forwardBody) }
  },

  async getWebForwardUsage({ services: { knex }, principal: { account } }) {
    const [total, { used, limit }] = await Promise.all([
      WebForward.query(knex).modify('ownedBy', account.id).resultSize(),
      stealthFlags(knex, account.id),
    ])
    const can_create_redirect = planAllows(account, 'web_forward')
    // After a change of the plan, more can be in use than it has.
    const remaining = Math.max(0, limit - used)
    return {
      body: {
        total_forwards: total,
        stealth_flags_used: used,
        max_stealth_flags: limit,
        remaining_stealth_flags: remaining,
        can_create_redirect,
        can_create_stealth: can_create_redirect && remaining > 0,
      },
    }
  },

  async createWebForward({ services, principal, body, source }) {
    return savedAnswer(await createForward(services, principal, body, actorOf(principal, source)))
  },

  async updateWebForward({ services, principal, params, body, source, request }) {
    const change = { id: params.id, input: body, ifMatch: request.headers['if-match'] }
    return savedAnswer(await updateForward(services, principal, change, actorOf(principal, source)))
  },

  async deleteWebForward({ services, principal, params, source }) {
    await deleteForward(services, reachOf(principal), params.id, actorOf(principal, source))
    return { body: undefined }
  },

  async checkWebForward({ services, principal, body }) {
    requireAbility(principal.account, 'web_forward', WEB_FORWARDS)
    const reach = reachOf(principal)
    const { domain_id, target_url } = body
    const domain =
      domain_id === undefined
        ? undefined
        : await findOwnedDomain(services.knex, reach, { id: domain_id })
    if (domain_id !== undefined && domain === undefined) throw notFound('domain')
    const target = await allowedTarget(services, target_url)
    // Any page of the service, under a name that nobody can register.
    const fqdn = domain?.fqdn ?? `_any.${services.config.zones[0]}`
    const { result } = await examined(services, reach.userId, { target, fqdn })
    return { body: result }
  },
})
