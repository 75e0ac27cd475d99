/** Subscriptions: https://developer.paypal.com/docs/api/subscriptions/v1/#subscriptions. */
import { createHash } from 'node:crypto'
import {
  billingAfter,
  charge,
  planBilling,
  priceCents,
  setStatus,
  subscriptionBody,
} from './billing.ts'
import { groupOf, overriddenPlan, requiredText, textOf } from './catalog.ts'
import type { Agreement, Body, Plan } from './objects.ts'
import { invalid, missing, refused } from './trouble.ts'
import { type PayPalWorld, centsOf } from './world.ts'

const DAY_MS = 86_400_000

/** The same mail address is the same payer. */
const payerId = (email: string) =>
  createHash('sha256')
    .update(email)
    .digest('base64url')
    .replace(/[^A-Za-z0-9]/g, '')
    .toUpperCase()
    .slice(0, 13)

function planFor(world: PayPalWorld, body: Body): { plan: Plan; planOverridden: boolean } {
  const plan = world.plans.get(requiredText(body, 'plan_id', 50))
  if (plan === undefined) throw missing()
  if (plan.status !== 'ACTIVE') throw refused('PLAN_STATUS_INVALID', 'The plan is not active.')
  const override = body['plan']
  if (override === undefined) return { plan, planOverridden: false }
  return { plan: overriddenPlan(plan, groupOf(body, 'plan')), planOverridden: true }
}

function startOf(world: PayPalWorld, body: Body): number {
  const text = textOf(body, 'start_time', 64)
  if (text === undefined) return world.clock.now()
  const at = Date.parse(text)
  if (Number.isNaN(at) || !/^\d{4}-\d\d-\d\dT/.test(text))
    throw invalid('start_time', 'INVALID_PARAMETER_SYNTAX')
  if (at <= world.clock.now())
    throw invalid('start_time', 'INVALID_PARAMETER_VALUE', 'The start time must be in the future.')
  return at
}

export function createAgreement(world: PayPalWorld, body: Body): Agreement {
  const context = groupOf(body, 'application_context')
  const subscriber = groupOf(body, 'subscriber')
  const email = textOf(subscriber, 'email_address', 254) ?? 'buyer@example.com'
  const customId = textOf(body, 'custom_id') ?? null
  const now = world.clock.now()
  const agreement: Agreement = {
    id: world.newId('I-'),
    token: world.newId('BA-'),
    ...planFor(world, body),
    customId,
    status: 'APPROVAL_PENDING',
    statusNote: null,
    statusAt: now,
    createdAt: now,
    updatedAt: now,
    startsAt: startOf(world, body),
    nextBillingAt: null,
    payer: { email, id: payerId(email), given: 'Ada', surname: 'Buyer' },
    approved: false,
    returnUrl: requiredText(context, 'return_url', 4000),
    cancelUrl: requiredText(context, 'cancel_url', 4000),
    subscribesNow: (context['user_action'] ?? 'SUBSCRIBE_NOW') === 'SUBSCRIBE_NOW',
    lastPayment: null,
    lastFailure: null,
    failedCount: 0,
    outstandingCents: 0,
    cyclesCompleted: 0,
    conduct: 'pays',
    revisesTo: null,
  }
  world.agreements.set(agreement.id, agreement)
  world.emit(
    'BILLING.SUBSCRIPTION.CREATED',
    'subscription',
    'Subscription created',
    subscriptionBody(world, agreement),
  )
  return agreement
}

function begin(world: PayPalWorld, agreement: Agreement): boolean {
  const now = world.clock.now()
  const fee = centsOf(agreement.plan.payment_preferences.setup_fee, 'setup_fee')
  const beginsNow = agreement.startsAt <= now + 60_000
  const due = fee + (beginsNow ? priceCents(agreement) : 0)
  if (agreement.conduct === 'declines') return false
  agreement.approved = true
  if (beginsNow) {
    agreement.startsAt = now
    agreement.cyclesCompleted = 1
  }
  agreement.nextBillingAt = beginsNow ? billingAfter(agreement, now) : agreement.startsAt
  setStatus(world, agreement, 'ACTIVE', 'Subscription activated')
  if (due > 0) charge(world, agreement, due)
  planBilling(world, agreement)
  return true
}

/** The payer agrees on PayPal's page. @returns false when the first payment declines */
export function approve(world: PayPalWorld, agreement: Agreement): boolean {
  if (agreement.revisesTo !== null && agreement.status === 'ACTIVE') {
    world.emit(
      'BILLING.SUBSCRIPTION.UPDATED',
      'subscription',
      'Subscription updated',
      subscriptionBody(world, agreement),
    )
    return true
  }
  if (agreement.status !== 'APPROVAL_PENDING')
    throw refused('SUBSCRIPTION_STATUS_INVALID', 'The subscription waits for no approval.')
  if (agreement.subscribesNow) return begin(world, agreement)
  Object.assign(agreement, { status: 'APPROVED', approved: true, statusAt: world.clock.now() })
  return true
}

const invalidStatus = (verb: string) =>
  refused('SUBSCRIPTION_STATUS_INVALID', `Invalid subscription status for ${verb} action.`)

export function suspend(world: PayPalWorld, agreement: Agreement, body: Body): void {
  const reason = requiredText(body, 'reason', 128)
  if (agreement.status !== 'ACTIVE') throw invalidStatus('suspend')
  setStatus(world, agreement, 'SUSPENDED', 'Subscription suspended', reason)
}

/** After a billing date has passed, the next one is 10:00 UTC of today or tomorrow, and it charges. */
export function activate(world: PayPalWorld, agreement: Agreement, body: Body): void {
  const reason = textOf(body, 'reason', 128) ?? null
  if (agreement.status === 'APPROVED') {
    begin(world, agreement)
    return
  }
  if (agreement.status !== 'SUSPENDED') throw invalidStatus('activate')
  const now = world.clock.now()
  if (agreement.nextBillingAt !== null && agreement.nextBillingAt <= now) {
    const ten = new Date(now).setUTCHours(10, 0, 0, 0)
    agreement.nextBillingAt = ten > now ? ten : ten + DAY_MS
    planBilling(world, agreement)
  }
  agreement.failedCount = 0
  setStatus(world, agreement, 'ACTIVE', 'Subscription activated', reason)
}

/** Final: PayPal can activate a cancelled subscription never again. */
export function cancel(world: PayPalWorld, agreement: Agreement, body: Body): void {
  const reason = requiredText(body, 'reason', 128)
  if (agreement.status !== 'ACTIVE' && agreement.status !== 'SUSPENDED')
    throw invalidStatus('cancel')
  setStatus(world, agreement, 'CANCELLED', 'Subscription cancelled', reason)
}

/** The new plan begins with the next billing cycle, when the payer agrees; nothing is prorated. */
export function revise(
  world: PayPalWorld,
  agreement: Agreement,
  body: Body,
): Record<string, unknown> {
  if (agreement.status !== 'ACTIVE') throw invalidStatus('revise')
  const { plan, planOverridden } = planFor(world, body)
  if (plan.product_id !== agreement.plan.product_id)
    throw refused('INVALID_PLAN_ID', 'The plan must belong to the same product.')
  agreement.revisesTo = plan
  const context = groupOf(body, 'application_context')
  agreement.returnUrl = textOf(context, 'return_url', 4000) ?? agreement.returnUrl
  agreement.cancelUrl = textOf(context, 'cancel_url', 4000) ?? agreement.cancelUrl
  return {
    plan_id: plan.id,
    plan_overridden: planOverridden,
    links: [
      {
        href: `${world.origin}/webapps/billing/subscriptions/update?ba_token=${agreement.token}`,
        rel: 'approve',
        method: 'GET',
      },
      world.link(`/v1/billing/subscriptions/${agreement.id}`),
    ],
  }
}

/** Charges what is outstanding: POST /v1/billing/subscriptions/{id}/capture. */
export function captureOutstanding(world: PayPalWorld, agreement: Agreement, body: Body): void {
  if (agreement.outstandingCents === 0)
    throw refused('ZERO_OUTSTANDING_BALANCE', 'The subscription has no outstanding balance.')
  const cents = centsOf(body['amount'], 'amount')
  if (cents > agreement.outstandingCents)
    throw refused(
      'AMOUNT_GREATER_THAN_OUTSTANDING_BALANCE',
      'The amount is greater than the outstanding balance.',
    )
  if (!charge(world, agreement, cents))
    throw refused('SUBSCRIBER_PAYMENT_METHOD_DECLINED', 'The payment method was declined.')
}
