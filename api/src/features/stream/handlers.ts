import { handlersFor } from '../../plugins/contract.ts'

function lastEventIdOf(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && header !== '' ? header : undefined
}

export const streamHandlers = handlersFor('stream', {
  async followChanges({ services, principal, request }) {
    const lastEventId = lastEventIdOf(request.headers['last-event-id'])
    return { body: services.live.open(principal, lastEventId) }
  },
})
