import { administratorActor } from '../../plugins/administrator.ts'
import { handlersFor } from '../../plugins/contract.ts'
import { contentRange } from '../../plugins/list-query.ts'
import { blockTarget, unblockTarget } from './block-target.ts'
import { blockedTargetBody, listBlockedTargets } from './blocked-target-list.ts'

export const blockedTargetHandlers = handlersFor('blocked-targets', {
  async listBlockedTargets({ services, query }) {
    const { targets, offset, total } = await listBlockedTargets(services.knex, query)
    return {
      body: targets.map(blockedTargetBody),
      headers: contentRange('blocked-targets', offset, targets.length, total),
    }
  },

  async createBlockedTarget({ services, principal, body, source }) {
    const actor = { ...administratorActor(principal, source), id: principal.account.id }
    return { body: blockedTargetBody(await blockTarget(services, body, actor)) }
  },

  async deleteBlockedTarget({ services, principal, params, source }) {
    await unblockTarget(services, params.id, administratorActor(principal, source))
    return { body: undefined }
  },
})
