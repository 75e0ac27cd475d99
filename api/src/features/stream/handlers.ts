import { handlersFor } from '../../plugins/contract.ts'
import { requireAbility } from '../../rules/plans.ts'

function lastEventIdOf(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && header !== '' ? header : undefined
}

export const streamHandlers = handlersFor('stream', {
  async followChanges({ services, principal, query: { queries = false }, request }) {
    if (queries) requireAbility(principal.account, 'analytics', 'Live queries')
    const lastEventId = lastEventIdOf(request.headers['last-event-id'])
    return { body: services.live.open(principal, { lastEventId, watchesQueries: queries }) }
  },
})
