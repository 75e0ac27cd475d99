import type { DomainChange } from '@homing/openapi'
import type { RequestSource } from '../../caller/request-source.ts'
import { handlersFor } from '../../plugins/contract.ts'
import { contentRange } from '../../plugins/list-query.ts'
import { type Principal, reachOf } from '../../caller/principal.ts'
import type { Services } from '../../compose.ts'
import { checkDomain } from './check-domain.ts'
import { createDomain } from './create-domain.ts'
import { createWildcard } from './create-wildcard.ts'
import { deleteDomain } from './delete-domain.ts'
import { createdAnswer, domainAnswer } from './domain-body.ts'
import { type DomainKey, findDomain } from './find-domain.ts'
import { actorOf } from '../../plugins/owner-actor.ts'
import { listDomains } from './list-domains.ts'
import { updateDomain } from './update-domain.ts'

/** The shared part of reading, changing and deleting, by id or by name. */
interface DomainCall {
  readonly principal: Principal
  readonly services: Services
  readonly source: RequestSource
  readonly params: DomainKey
}

const read = async ({ principal, services, params }: DomainCall) =>
  domainAnswer(await findDomain(services.knex, reachOf(principal), params))

async function update(
  call: DomainCall & {
    readonly body: DomainChange
    readonly request: { headers: { 'if-match'?: string | undefined } }
  },
) {
  const { principal, services, source, params, body, request } = call
  const actor = actorOf(principal, source)
  const ifMatch = request.headers['if-match']
  return domainAnswer(
    await updateDomain(services, reachOf(principal), params, body, ifMatch, actor),
  )
}

async function remove({ principal, services, source, params }: DomainCall) {
  await deleteDomain(services, reachOf(principal), params, actorOf(principal, source))
  return { body: undefined }
}

export const domainHandlers = handlersFor('domains', {
  async checkDomain({ services, query, source }) {
    return { body: await checkDomain(services, query.label, source) }
  },
  async listDomains({ principal, services, query }) {
    const { domains, offset, total } = await listDomains(services, reachOf(principal), query)
    return {
      body: domains,
      headers: contentRange('domains', offset, domains.length, total),
    }
  },
  async createDomain({ principal, services, source, body }) {
    const actor = actorOf(principal, source)
    return createdAnswer(await createDomain(services, principal, body, actor))
  },
  getDomain: read,
  updateDomain: update,
  deleteDomain: remove,
  getDomainByFqdn: read,
  updateDomainByFqdn: update,
  deleteDomainByFqdn: remove,
  async createWildcard({ principal, services, source, body }) {
    const actor = actorOf(principal, source)
    return createdAnswer(await createWildcard(services, principal, body, actor))
  },
})
