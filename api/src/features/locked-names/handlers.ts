import { administratorActor } from '../../plugins/administrator.ts'
import { handlersFor } from '../../plugins/contract.ts'
import { contentRange } from '../../plugins/list-query.ts'
import { clearLock } from './clear-lock.ts'
import { listLockedNames } from './locked-name-list.ts'

export const lockedNameHandlers = handlersFor('locked-names', {
  async listLockedNames({ services, query }) {
    const { names, offset, total } = await listLockedNames(services.knex, query)
    return {
      body: [...names],
      headers: contentRange('locked-names', offset, names.length, total),
    }
  },

  async deleteLockedName({ services, principal, params, source }) {
    await clearLock(services, params.id, administratorActor(principal, source))
    return { body: undefined }
  },
})
