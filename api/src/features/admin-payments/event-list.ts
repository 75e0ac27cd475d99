/** The administrators' lists of the events of providers and of the ledger. */
import {
  type ADMIN_LEDGER_SORT,
  type ADMIN_PAYMENT_EVENT_SORT,
  LEDGER_KINDS,
  PAYMENT_EVENT_STATES,
  PAYMENT_PROVIDERS,
} from '@homing/openapi/vocabulary'
import type { AdminLedgerEntry, AdminPaymentEvent } from '@homing/openapi'
import type { Knex } from 'knex'
import type { AnyQueryBuilder } from 'objection'
import { LedgerEntry } from '../../models/ledger-entry.ts'
import { containing, filterBy, type ListForm, oneOf, readList } from '../../models/list.ts'
import { PaymentEvent } from '../../models/payment-event.ts'
import { type ListQuery, parseListQuery } from '../../plugins/list-query.ts'
import { invalid } from '../../rules/errors.ts'
import { oneWord } from './one-word.ts'
import type { Page } from './subscription-list.ts'

const containedIn = (...columns: readonly string[]) =>
  filterBy('text', (list: AnyQueryBuilder, text) => {
    void list.where((either) => {
      for (const column of columns) void either.orWhere(column, 'ilike', containing(text))
    })
  })

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

type Times<Body, Name extends keyof Body> = Omit<Body, Name> & {
  readonly [N in Name]: Body[N] extends string ? Date : Date | null
}

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

/** An ISO 8601 time with its offset. @throws Refusal `validation-failed` */
const atTime = (name: string, sign: '>=' | '<') =>
  filterBy('text', (list, value) => {
    const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d:\d\d)$/.test(
      value,
    )
    const time = new Date(isTime ? value : Number.NaN)
    if (Number.isNaN(time.getTime())) {
      const message = `filter.${name} is invalid. Expected a time such as 2026-05-12T08:30:00Z.`
      throw invalid({ field: `filter.${name}`, message })
    }
    void list.where('ledger_entries.happened_at', sign, time)
  })

const LEDGER = {
  sort: {
    id: 'ledger_entries.id',
    happened_at: 'ledger_entries.happened_at',
    amount_cents: 'ledger_entries.amount_cents',
  } satisfies Record<(typeof ADMIN_LEDGER_SORT)[number], string>,
  newestFirst: true,
  filter: {
    q: containedIn('ledger_entries.provider_id', 'invoice.number'),
    id: oneOf('ledger_entries.id'),
    kind: oneWord('kind', 'ledger_entries.kind', LEDGER_KINDS),
    provider: oneWord('provider', 'ledger_entries.provider', PAYMENT_PROVIDERS),
    from: atTime('from', '>='),
    to: atTime('to', '<'),
  },
  keys: ['ledger_entries.id'],
  pageSize: 25,
  pageLimit: 100,
} as const satisfies ListForm

/** @throws Refusal `validation-failed` for a query that cannot be read */
export async function listLedger(knex: Knex, query: ListQuery): Promise<Page<AdminLedgerEntry>> {
  const request = parseListQuery(query, LEDGER)
  const entries = LedgerEntry.query(knex)
    .leftJoin('invoices as invoice', 'invoice.id', 'ledger_entries.invoice_id')
    .select('ledger_entries.*', 'invoice.number as invoice_number')
  type Row = Times<AdminLedgerEntry, 'happened_at'>
  const { rows, total } = await readList<Row>(entries, LEDGER, request)
  const items = rows.map(({ id, provider, kind, amount_cents, currency, provider_id, ...row }) => ({
    id,
    happened_at: row.happened_at.toISOString(),
    provider,
    kind,
    amount_cents,
    currency,
    provider_id,
    invoice_number: row.invoice_number,
  }))
  return { items, offset: request.offset, total }
}
