/** The calls of PayPal's API. */
import type { Answer } from '../http-server.ts'
import { saleBody, subscriptionBody } from './billing.ts'
import { createPlan, createProduct, listed, setPlanStatus } from './catalog.ts'
import type { Agreement, Body } from './objects.ts'
import { captureBody, disputeBody, refundBody, refundSale, transactionsOf } from './payments.ts'
import { disputesAbout, keptEvents, report } from './reports.ts'
import {
  activate,
  cancel,
  captureOutstanding,
  createAgreement,
  revise,
  suspend,
} from './subscriptions.ts'
import { missing } from './trouble.ts'
import type { PayPalWorld } from './world.ts'

export interface Request {
  readonly body: Body
  readonly query: URLSearchParams
  readonly id: string
  /** The client asked for the whole object: `Prefer: return=representation`. */
  readonly wantsAll: boolean
}
type Handler = (world: PayPalWorld, request: Request) => Answer

const ok = (body: unknown): Answer => ({ status: 200, body })
const made = (body: unknown): Answer => ({ status: 201, body })
const DONE: Answer = { status: 204 }

const onAgreement =
  (act: (world: PayPalWorld, agreement: Agreement, body: Body) => void): Handler =>
  (world, { id, body }) => {
    act(world, world.need(world.agreements, id), body)
    return DONE
  }

/** Without `Prefer`, an answer has the id, the status and the links. */
function brief(whole: Record<string, unknown>, wantsAll: boolean): Record<string, unknown> {
  if (wantsAll) return whole
  const kept = [
    'id',
    'status',
    'status_update_time',
    'name',
    'plan_id',
    'plan_overridden',
    'quantity',
    'start_time',
    'create_time',
    'product_id',
    'links',
    'description',
    'usage_type',
  ]
  return Object.fromEntries(Object.entries(whole).filter(([name]) => kept.includes(name)))
}

const ROUTES: Readonly<Record<string, Handler>> = {
  'POST /v1/catalogs/products': (world, { body, wantsAll }) =>
    made(brief(createProduct(world, body), wantsAll)),
  'GET /v1/catalogs/products': (world, { query }) =>
    ok(
      listed([...world.products.values()], query, 'products', [
        world.link('/v1/catalogs/products'),
      ]),
    ),
  'GET /v1/catalogs/products/:id': (world, { id }) => ok(world.need(world.products, id)),
  'POST /v1/billing/plans': (world, { body, wantsAll }) =>
    made(brief(createPlan(world, body), wantsAll)),
  'GET /v1/billing/plans': (world, { query, wantsAll }) => {
    const product = query.get('product_id')
    const plans = [...world.plans.values()].filter(
      (plan) => product === null || plan.product_id === product,
    )
    return ok(
      listed(
        plans.map((plan) => brief(plan, wantsAll)),
        query,
        'plans',
        [world.link('/v1/billing/plans')],
      ),
    )
  },
  'GET /v1/billing/plans/:id': (world, { id }) => ok(world.need(world.plans, id)),
  'POST /v1/billing/plans/:id/activate': (world, { id }) => {
    setPlanStatus(world, world.need(world.plans, id), 'ACTIVE')
    return DONE
  },
  'POST /v1/billing/plans/:id/deactivate': (world, { id }) => {
    setPlanStatus(world, world.need(world.plans, id), 'INACTIVE')
    return DONE
  },
  'POST /v1/billing/subscriptions': (world, { body, wantsAll }) =>
    made(brief(subscriptionBody(world, createAgreement(world, body)), wantsAll)),
  'GET /v1/billing/subscriptions/:id': (world, { id, query }) => {
    const agreement = world.need(world.agreements, id)
    const fields = query.get('fields')?.split(',') ?? []
    const plan = fields.includes('plan') && { plan: agreement.plan }
    const { billing_info: billing, ...rest } = subscriptionBody(world, agreement)
    const { last_failed_payment: failed, ...others } = (billing ?? {}) as Body
    const asked = fields.includes('last_failed_payment') && { last_failed_payment: failed }
    return ok({
      ...rest,
      ...(billing !== undefined && { billing_info: { ...others, ...asked } }),
      ...plan,
    })
  },
  'POST /v1/billing/subscriptions/:id/suspend': onAgreement(suspend),
  'POST /v1/billing/subscriptions/:id/activate': onAgreement(activate),
  'POST /v1/billing/subscriptions/:id/cancel': onAgreement(cancel),
  'POST /v1/billing/subscriptions/:id/revise': (world, { id, body }) =>
    ok(revise(world, world.need(world.agreements, id), body)),
  'POST /v1/billing/subscriptions/:id/capture': (world, { id, body }) => {
    captureOutstanding(world, world.need(world.agreements, id), body)
    return { status: 202, body: {} }
  },
  'GET /v1/billing/subscriptions/:id/transactions': (world, { id, query }) =>
    ok(transactionsOf(world, world.need(world.agreements, id), query)),
  'GET /v2/payments/captures/:id': (world, { id }) =>
    ok(captureBody(world, world.need(world.sales, id))),
  'POST /v2/payments/captures/:id/refund': (world, { id, body, wantsAll }) =>
    made(brief(refundBody(world, refundSale(world, world.need(world.sales, id), body)), wantsAll)),
  'GET /v2/payments/refunds/:id': (world, { id }) =>
    ok(refundBody(world, world.need(world.refunds, id))),
  'GET /v1/payments/sale/:id': (world, { id }) => ok(saleBody(world, world.need(world.sales, id))),
  'GET /v1/customer/disputes/:id': (world, { id }) =>
    ok(disputeBody(world, world.need(world.disputes, id))),
  'GET /v1/customer/disputes': (world, { query }) => ok(disputesAbout(world, query)),
  'GET /v1/reporting/transactions': (world, { query }) => ok(report(world, query)),
  'GET /v1/notifications/webhooks-events': (world, { query }) => ok(keptEvents(world, query)),
  'GET /v1/notifications/webhooks-events/:id': (world, { id }) => {
    const event = world.events.find((each) => each.id === id)
    if (event === undefined) throw missing()
    return ok(event)
  },
}

const PATTERNS = Object.entries(ROUTES).map(([route, handler]) => ({
  pattern: new RegExp(`^${route.replace(':id', '([^/]+)')}$`),
  handler,
}))

/** @throws PayPalTrouble 404 for a path that the server does not imitate. */
export function carryOut(world: PayPalWorld, call: string, request: Omit<Request, 'id'>): Answer {
  for (const { pattern, handler } of PATTERNS) {
    const found = pattern.exec(call)
    if (found !== null)
      return handler(world, { ...request, id: decodeURIComponent(found[1] ?? '') })
  }
  throw missing()
}
