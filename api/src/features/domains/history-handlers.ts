import { handlersFor } from '../../plugins/contract.ts'
import { eventRange } from '../../plugins/event-page.ts'
import { contentRange } from '../../plugins/list-query.ts'
import { reachOf } from '../../caller/principal.ts'
import { domainAnswer } from './domain-body.ts'
import { eventBody } from './event-body.ts'
import { actorOf } from '../../plugins/owner-actor.ts'
import { listDeleted } from './list-deleted.ts'
import { listEvents } from './list-events.ts'
import { restoreDomain } from './restore-domain.ts'
import { undoEvent, type Undoers } from './undo-event.ts'

/** @param undoers restore the settings of web forwards, and records */
export const domainHistoryHandlers = (undoers: Undoers) =>
  handlersFor('domain-history', {
    async listDomainEvents({ principal, services, params, query }) {
      const page = await listEvents(services, reachOf(principal), params.id, query)
      return { body: page.events.map(eventBody), headers: eventRange(page) }
    },
    async undoDomainEvent({ principal, services, source, params, request }) {
      const undo = { ...params, ifMatch: request.headers['if-match'] }
      const actor = actorOf(principal, source)
      return domainAnswer(await undoEvent(services, undo, { principal, actor, ...undoers }))
    },
  })

export const deletedDomainHandlers = handlersFor('deleted-domains', {
  async listDeletedDomains({ principal, services, query }) {
    const { domains, offset, total } = await listDeleted(services, reachOf(principal), query)
    return {
      body: [...domains],
      headers: contentRange('deleted-domains', offset, domains.length, total),
    }
  },
  async restoreDomain({ principal, services, source, params }) {
    const actor = actorOf(principal, source)
    return domainAnswer(await restoreDomain(services, principal, params.id, actor))
  },
})
