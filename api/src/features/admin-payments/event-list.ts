/** The administrators' list of the events of providers. */
import {
  type ADMIN_PAYMENT_EVENT_SORT,
  PAYMENT_EVENT_STATES,
  PAYMENT_PROVIDERS,
} from '@homing/openapi/vocabulary'
import type { AdminPaymentEvent } from '@homing/openapi'
import type { Knex } from 'knex'
import { type ListForm, oneOf, oneWord, readList } from '../../models/list.ts'
import { PaymentEvent } from '../../models/payment-event.ts'
import { type ListQuery, parseListQuery } from '../../plugins/list-query.ts'
import { containedIn, type Times } from './list-filters.ts'
import type { Page } from './subscription-list.ts'

const EVENTS = {
  sort: {
    id: 'payment_events.id',
    type: 'payment_events.type',
    state: 'payment_events.state',
    received_at: 'payment_events.received_at',
  } satisfies Record<(typeof ADMIN_PAYMENT_EVENT_SORT)[number], string>,
  newestFirst: true,
  filter: {
    q: containedIn('payment_events.type', 'payment_events.event_id', 'payment_events.object_id'),
    id: oneOf('payment_events.id'),
    state: oneWord('state', 'payment_events.state', PAYMENT_EVENT_STATES),
    provider: oneWord('provider', 'payment_events.provider', PAYMENT_PROVIDERS),
    subscription_id: oneOf('payment_events.subscription_id'),
  },
  keys: ['payment_events.id'],
  pageSize: 25,
  pageLimit: 100,
} as const satisfies ListForm

/** @throws Refusal `validation-failed` for a query that cannot be read */
export async function listEvents(knex: Knex, query: ListQuery): Promise<Page<AdminPaymentEvent>> {
  const request = parseListQuery(query, EVENTS)
  type Row = Times<AdminPaymentEvent, 'received_at' | 'applied_at'>
  const { rows, total } = await readList<Row>(PaymentEvent.query(knex), EVENTS, request)
  const items = rows.map(
    ({ id, provider, event_id, type, object_id, state, attempts, error, ...row }) => ({
      id,
      provider,
      event_id,
      type,
      object_id,
      state,
      attempts,
      error,
      received_at: row.received_at.toISOString(),
      applied_at: row.applied_at?.toISOString() ?? null,
      subscription_id: row.subscription_id,
    }),
  )
  return { items, offset: request.offset, total }
}
