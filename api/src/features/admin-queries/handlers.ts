import { handlersFor } from '../../plugins/contract.ts'
import { contentRange } from '../../plugins/list-query.ts'
import { listAllQueries } from './query-list.ts'

export const adminQueryHandlers = handlersFor('admin-queries', {
  async listAllQueries({ services, query }) {
    const { queries, offset, total } = await listAllQueries(services.knex, query, services.now())
    return {
      body: [...queries],
      headers: contentRange('dns-queries', offset, queries.length, total),
    }
  },
})
