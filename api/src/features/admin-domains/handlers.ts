import { administratorActor } from '../../plugins/administrator.ts'
import type { RequestSource } from '../../caller/request-source.ts'
import { handlersFor } from '../../plugins/contract.ts'
import { contentRange } from '../../plugins/list-query.ts'
import type { SessionPrincipal } from '../../caller/principal.ts'
import type { Services } from '../../compose.ts'
import { adminDomainBody, findAnyDomain, listAllDomains } from './domain-list.ts'
import { setLocked } from './lock-domain.ts'

interface LockCall {
  readonly services: Services
  readonly principal: SessionPrincipal
  readonly params: { readonly id: string }
  readonly source: RequestSource
}

const locking =
  (locked: boolean) =>
  async ({ services, principal, params, source }: LockCall) => {
    const actor = administratorActor(principal, source)
    return { body: adminDomainBody(await setLocked(services, params.id, locked, actor)) }
  }

export const adminDomainHandlers = handlersFor('admin-domains', {
  async listAllDomains({ services, query }) {
    const { domains, offset, total } = await listAllDomains(services.knex, query)
    return {
      body: domains.map(adminDomainBody),
      headers: contentRange('domains', offset, domains.length, total),
    }
  },
  async getAnyDomain({ services, params }) {
    return { body: adminDomainBody(await findAnyDomain(services.knex, params.id)) }
  },
  lockDomain: locking(true),
  unlockDomain: locking(false),
})
