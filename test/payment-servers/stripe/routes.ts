/** The calls of the API. */
import { pageOf } from './answers.ts'
import { createPrice, createProduct, pricesLike, updatePrice, updateProduct } from './catalog.ts'
import { createSession, expireSession, sessionLines } from './checkout.ts'
import { collect, endSubscription } from './collect.ts'
import { createCustomer, deletedCustomer, detachCard, updateCustomer } from './customers.ts'
import type { Params } from './form.ts'
import { finalizeInvoice, subscriptionIdOf, voidInvoice } from './invoices.ts'
import type { Kind, Kinds, StripeObject } from './objects.ts'
import { flag, group, metadataOf, onlyParams, text, texts, whole } from './params.ts'
import { createPortalSession, livingSubscriptions } from './portal.ts'
import { createCreditNote, createRefund } from './refunds.ts'
import { cancelSchedule, createSchedule, releaseSchedule, updateSchedule } from './schedules.ts'
import { previewInvoice, updateSubscription } from './subscription-change.ts'
import { cancelSubscription, createSubscription } from './subscriptions.ts'
import { StripeTrouble, invalid } from './trouble.ts'
import type { StripeWorld } from './world.ts'

type Handler = (world: StripeWorld, params: Params, id: string) => unknown

const get =
  (kind: Kind): Handler =>
  (world, _params, id) =>
    world.need(kind, id)

type Matches<K extends Kind> = (each: Kinds[K], params: Params, world: StripeWorld) => boolean

/** Whether a field equals the parameter of the same name, where there is one. */
const same = (each: StripeObject, params: Params, ...names: string[]) =>
  names.every((name) => params[name] === undefined || each[name] === text(params, name))

function createdWithin(each: StripeObject, params: Params): boolean {
  if (typeof params['created'] === 'string') return each.created === whole(params, 'created')
  const range = group(params, 'created') ?? {}
  const limit = (name: string, otherwise: number) => whole(range, name) ?? otherwise
  return (
    each.created >= limit('gte', -Infinity) &&
    each.created > limit('gt', -Infinity) &&
    each.created <= limit('lte', Infinity) &&
    each.created < limit('lt', Infinity)
  )
}

const OWNER_PARAMS = ['subscription', 'invoice', 'charge', 'payment_intent', 'customer']

/** Objects of the owner that the parameters name, if they name one. */
function candidates<K extends Kind>(world: StripeWorld, kind: K, params: Params): Kinds[K][] {
  const name = OWNER_PARAMS.find((each) => params[each] !== undefined)
  const owner = name === undefined ? undefined : text(params, name)
  return owner === undefined || !world.hasOwners(kind) ? world.all(kind) : world.of(kind, owner)
}

const list =
  <K extends Kind>(kind: K, path: string, matches: Matches<K> = () => true): Handler =>
  (world, params) =>
    pageOf(
      candidates(world, kind, params).filter(
        (each) => createdWithin(each, params) && matches(each, params, world),
      ),
      params,
      path,
    )

/** Without a status, canceled subscriptions are left out. */
const bySubscription: Matches<'subscription'> = (each, params) => {
  const status = text(params, 'status')
  const fits =
    status === 'all' ||
    (status === undefined
      ? each.status !== 'canceled'
      : status === 'ended'
        ? ['canceled', 'incomplete_expired'].includes(each.status)
        : each.status === status)
  const price = text(params, 'price')
  return (
    fits &&
    same(each, params, 'customer') &&
    (price === undefined || each.items.data.some((item) => item.price.id === price))
  )
}

const byInvoice: Matches<'invoice'> = (each, params) =>
  same(each, params, 'customer', 'status') &&
  (params['subscription'] === undefined || subscriptionIdOf(each) === text(params, 'subscription'))

const byInvoicePayment: Matches<'invoice_payment'> = (each, params) => {
  const payment = group(params, 'payment')
  return (
    same(each, params, 'invoice', 'status') &&
    (payment === undefined || each.payment.payment_intent === text(payment, 'payment_intent'))
  )
}

const byEvent: Matches<'event'> = (each, params) => {
  const types = texts(params, 'types')
  return same(each, params, 'type') && (types === undefined || types.includes(each.type))
}

function payInvoice(world: StripeWorld, params: Params, id: string): unknown {
  onlyParams(params, ['payment_method', 'off_session', 'forgive', 'paid_out_of_band'])
  const invoice = world.need('invoice', id)
  if (invoice.status === 'paid')
    throw invalid('Invoice is already paid', undefined, 'invoice_already_paid')
  if (invoice.status !== 'open' && invoice.status !== 'draft')
    throw invalid(`Invoice is ${invoice.status} and cannot be paid.`)
  const methodId = text(params, 'payment_method')
  if (methodId !== undefined) world.need('payment_method', methodId, 'payment_method')
  const outcome = collect(world, invoice, {
    asksCustomer: flag(params, 'off_session') !== true,
    ...(methodId !== undefined && { methodId }),
  })
  if (outcome === 'paid') return invoice
  const code = outcome === 'action' ? 'invoice_payment_intent_requires_action' : 'card_declined'
  throw new StripeTrouble(
    402,
    outcome === 'action'
      ? 'This payment requires additional user action before it can be completed successfully.'
      : 'Your card was declined.',
    { type: 'card_error', code },
  )
}

function changeMetadata(kind: Kind, also: readonly string[] = []): Handler {
  return (world, params, id) => {
    onlyParams(params, ['metadata', ...also])
    const found = world.need(kind, id) as StripeObject
    found['metadata'] = metadataOf(params, (found['metadata'] ?? {}) as Record<string, string>)
    return found
  }
}

function deleteCustomer(world: StripeWorld, _params: Params, id: string): unknown {
  const customer = world.need('customer', id)
  for (const subscription of livingSubscriptions(world, id))
    endSubscription(world, subscription, 'cancellation_requested')
  world.emit('customer.deleted', customer)
  return deletedCustomer(customer)
}

const ROUTES: Readonly<Record<string, Handler>> = {
  'POST /v1/products': createProduct,
  'GET /v1/products': list(
    'product',
    '/v1/products',
    (each, params) =>
      (flag(params, 'active') ?? each.active) === each.active &&
      (texts(params, 'ids') ?? [each.id]).includes(each.id),
  ),
  'GET /v1/products/:id': get('product'),
  'POST /v1/products/:id': (world, params, id) =>
    updateProduct(world, world.need('product', id), params),
  'POST /v1/prices': createPrice,
  'GET /v1/prices': (world, params) => pageOf(pricesLike(world, params), params, '/v1/prices'),
  'GET /v1/prices/:id': get('price'),
  'POST /v1/prices/:id': (world, params, id) => updatePrice(world, world.need('price', id), params),
  'POST /v1/customers': createCustomer,
  'GET /v1/customers': list('customer', '/v1/customers', (each, params) =>
    same(each, params, 'email'),
  ),
  'GET /v1/customers/:id': get('customer'),
  'POST /v1/customers/:id': (world, params, id) =>
    updateCustomer(world, world.need('customer', id), params),
  'DELETE /v1/customers/:id': deleteCustomer,
  'GET /v1/customers/:id/payment_methods': (world, params, id) =>
    pageOf(
      world.of('payment_method', id).filter((each) => each.customer === id),
      params,
      `/v1/customers/${id}/payment_methods`,
    ),
  'GET /v1/payment_methods': list('payment_method', '/v1/payment_methods', (each, params) =>
    same(each, params, 'customer', 'type'),
  ),
  'GET /v1/payment_methods/:id': get('payment_method'),
  'POST /v1/payment_methods/:id/detach': (world, _params, id) =>
    detachCard(world, world.need('payment_method', id)),
  'POST /v1/checkout/sessions': createSession,
  'GET /v1/checkout/sessions': list('checkout.session', '/v1/checkout/sessions', (each, params) =>
    same(each, params, 'customer', 'subscription', 'status'),
  ),
  'GET /v1/checkout/sessions/:id': get('checkout.session'),
  'POST /v1/checkout/sessions/:id': changeMetadata('checkout.session'),
  'GET /v1/checkout/sessions/:id/line_items': (world, _params, id) => ({
    object: 'list',
    data: sessionLines(world.need('checkout.session', id)),
    has_more: false,
    url: `/v1/checkout/sessions/${id}/line_items`,
  }),
  'POST /v1/checkout/sessions/:id/expire': (world, _params, id) =>
    expireSession(world, world.need('checkout.session', id)),
  'POST /v1/subscriptions': createSubscription,
  'GET /v1/subscriptions': list('subscription', '/v1/subscriptions', bySubscription),
  'GET /v1/subscriptions/:id': get('subscription'),
  'POST /v1/subscriptions/:id': (world, params, id) =>
    updateSubscription(world, world.need('subscription', id), params),
  'DELETE /v1/subscriptions/:id': (world, params, id) =>
    cancelSubscription(world, world.need('subscription', id), params),
  'POST /v1/subscription_schedules': createSchedule,
  'GET /v1/subscription_schedules': list(
    'subscription_schedule',
    '/v1/subscription_schedules',
    (each, params) => same(each, params, 'customer'),
  ),
  'GET /v1/subscription_schedules/:id': get('subscription_schedule'),
  'POST /v1/subscription_schedules/:id': (world, params, id) =>
    updateSchedule(world, world.need('subscription_schedule', id), params),
  'POST /v1/subscription_schedules/:id/release': (world, params, id) =>
    releaseSchedule(world, world.need('subscription_schedule', id), params),
  'POST /v1/subscription_schedules/:id/cancel': (world, params, id) =>
    cancelSchedule(world, world.need('subscription_schedule', id), params),
  'POST /v1/invoices/create_preview': previewInvoice,
  'GET /v1/invoices': list('invoice', '/v1/invoices', byInvoice),
  'GET /v1/invoices/:id': get('invoice'),
  'POST /v1/invoices/:id': changeMetadata('invoice', ['auto_advance', 'description']),
  'GET /v1/invoices/:id/lines': (world, params, id) =>
    pageOf(world.need('invoice', id).lines.data, params, `/v1/invoices/${id}/lines`),
  'POST /v1/invoices/:id/void': (world, _params, id) =>
    voidInvoice(world, world.need('invoice', id)),
  'POST /v1/invoices/:id/pay': payInvoice,
  'POST /v1/invoices/:id/finalize': (world, _params, id) => {
    const invoice = world.need('invoice', id)
    finalizeInvoice(world, invoice)
    return invoice
  },
  'GET /v1/invoice_payments': list('invoice_payment', '/v1/invoice_payments', byInvoicePayment),
  'GET /v1/invoice_payments/:id': get('invoice_payment'),
  'GET /v1/payment_intents': list('payment_intent', '/v1/payment_intents', (each, params) =>
    same(each, params, 'customer'),
  ),
  'GET /v1/payment_intents/:id': get('payment_intent'),
  'GET /v1/charges': list('charge', '/v1/charges', (each, params) =>
    same(each, params, 'customer', 'payment_intent'),
  ),
  'GET /v1/charges/:id': get('charge'),
  'GET /v1/charges/:id/refunds': (world, params, id) =>
    pageOf(world.of('refund', id), params, `/v1/charges/${id}/refunds`),
  'POST /v1/refunds': createRefund,
  'GET /v1/refunds': list('refund', '/v1/refunds', (each, params) =>
    same(each, params, 'charge', 'payment_intent'),
  ),
  'GET /v1/refunds/:id': get('refund'),
  'GET /v1/disputes': list('dispute', '/v1/disputes', (each, params) =>
    same(each, params, 'charge', 'payment_intent'),
  ),
  'GET /v1/disputes/:id': get('dispute'),
  'POST /v1/credit_notes': createCreditNote,
  'GET /v1/credit_notes': list('credit_note', '/v1/credit_notes', (each, params) =>
    same(each, params, 'invoice', 'customer'),
  ),
  'GET /v1/credit_notes/:id': get('credit_note'),
  'POST /v1/billing_portal/sessions': createPortalSession,
  'GET /v1/balance_transactions': list(
    'balance_transaction',
    '/v1/balance_transactions',
    (each, params) => same(each, params, 'source', 'type', 'currency'),
  ),
  'GET /v1/balance_transactions/:id': get('balance_transaction'),
  'GET /v1/events': list('event', '/v1/events', byEvent),
  'GET /v1/events/:id': get('event'),
}

const PATTERNS = Object.entries(ROUTES).map(([route, handler]) => ({
  pattern: new RegExp(`^${route.replace(':id', '([^/]+)')}$`),
  handler,
}))

/** @throws StripeTrouble 404 for a path that the server does not imitate. */
export function carryOut(
  world: StripeWorld,
  method: string,
  path: string,
  params: Params,
): unknown {
  for (const { pattern, handler } of PATTERNS) {
    const found = pattern.exec(`${method} ${path}`)
    // `create_preview` is not an id: its own route comes first.
    if (found !== null) return handler(world, params, decodeURIComponent(found[1] ?? ''))
  }
  throw new StripeTrouble(
    404,
    `Unrecognized request URL (${method}: ${path}). Please see https://stripe.com/docs or we can help at https://support.stripe.com/.`,
  )
}
