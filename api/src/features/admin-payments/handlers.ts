import { Readable } from 'node:stream'
import { handlersFor } from '../../plugins/contract.ts'
import { contentRange } from '../../plugins/list-query.ts'
import { listEvents } from './event-list.ts'
import { exportLedger } from './export-ledger.ts'
import { listLedger, sumLedger } from './ledger-list.ts'
import { refetch, refundLatest } from './refund-subscription.ts'
import { listSubscriptions, type Page } from './subscription-list.ts'

const page = <Item>(unit: string, { items, offset, total }: Page<Item>) => ({
  body: items,
  headers: contentRange(unit, offset, items.length, total),
})

export const adminPaymentHandlers = handlersFor('admin-payments', {
  async listSubscriptions({ services, query }) {
    return page('subscriptions', await listSubscriptions(services.knex, query))
  },

  async refetchSubscription({ services, params }) {
    return { body: await refetch(services, params.id) }
  },

  async refundSubscription({ services, params, body }) {
    return { body: await refundLatest(services, params.id, body) }
  },

  async listPaymentEvents({ services, query }) {
    return page('payment-events', await listEvents(services.knex, query))
  },

  async listLedger({ services, query }) {
    return page('ledger', await listLedger(services.knex, query))
  },

  async sumLedger({ services, query }) {
    return { body: await sumLedger(services.knex, query) }
  },

  async exportLedger({ services, query }) {
    return { body: Readable.from(await exportLedger(services.knex, query)) }
  },
})
