import { Readable } from 'node:stream'
import { handlersFor } from '../../../plugins/contract.ts'
import { reachOf } from '../../../caller/principal.ts'
import { actorOf } from '../../../plugins/owner-actor.ts'
import { changeDomains } from './change-domains.ts'
import { checkNewDomain } from './check-new-domain.ts'
import { csvOf, jsonOf } from './export-domains.ts'

export const domainBatchHandlers = handlersFor('domain-batches', {
  async checkNewDomain({ principal, services, query, source }) {
    return { body: await checkNewDomain(services, principal, query, source) }
  },
  async changeDomains({ principal, services, source, body }) {
    const actor = actorOf(principal, source)
    return { body: await changeDomains(services, principal, body, actor) }
  },
  async exportDomains({ principal, services, query }) {
    const reach = reachOf(principal)
    if (query.format === 'json') return { body: Readable.from(jsonOf(services.knex, reach)) }
    return {
      body: Readable.from(csvOf(services.knex, reach)),
      file: { name: 'domains.csv', contentType: 'text/csv' },
    }
  },
})
