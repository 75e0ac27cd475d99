/** Payments at PayPal, over the calls of the API and the local server. */
import type {
  CheckoutUrl,
  Invoice,
  PlanChangePreview,
  PlanChangeResult,
  Subscription,
  SubscriptionStatus,
} from '@homing/openapi'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../../test/support/api-world.ts'
import { call, type Method } from '../../../test/support/calls.ts'
import { openPaypalJourney, type PaypalJourney } from '../../../test/support/paypal-journey.ts'
import { DAY_MS } from '../../../test/support/payment-world.ts'

const PAYMENTS = '/api/payments'
const WEBHOOK = `${PAYMENTS}/webhooks/paypal`

let j: PaypalJourney
beforeAll(async () => {
  j = await openPaypalJourney()
})
afterEach(() => j.server.faults.clear())
afterAll(async () => j.end())

async function ask(who: Caller, method: Method, path: string, body?: unknown) {
  const { world } = j.t
  return call(world.app, method, `${PAYMENTS}/${path}`, {
    headers: await world.signIn(who.id),
    body,
  })
}

async function checkout(who: Caller, plan = 'pro'): Promise<string> {
  const wish = { plan, billing: 'monthly', provider: 'paypal', planId: `${plan}_monthly` }
  const reply = await ask(who, 'POST', 'create-checkout-session', wish)
  expect(reply.status).toBe(200)
  return reply.json<{ approvalUrl: string }>().approvalUrl
}

const statusOf = async (who: Caller) =>
  (await ask(who, 'GET', 'subscription-status')).json<SubscriptionStatus>()

test('a checkout leads to the approval, and the plan begins with it', async () => {
  const ada = await j.t.person()
  const url = await checkout(ada)
  expect(await statusOf(ada)).toMatchObject({ hasSubscription: false })
  const back = await j.server.approve(url)
  expect(back).toMatch(/\/payment-success\?provider=paypal&subscription_id=I-\w+/)
  await j.settle()
  expect(await statusOf(ada)).toMatchObject({
    hasSubscription: true,
    plan: 'pro',
    status: 'active',
  })
  const page = await ask(ada, 'POST', 'update-payment-method')
  expect(page.json<CheckoutUrl>().checkoutUrl).toBe('https://www.paypal.com/myaccount/autopay/')
  const current = await call(j.t.world.app, 'GET', '/api/subscription/current', {
    headers: await j.t.world.signIn(ada.id),
  })
  expect(current.json<Subscription>()).toMatchObject({
    provider: 'paypal',
    amountCents: 1_000,
    paymentMethod: expect.stringMatching(/^PayPal \(/),
  })
  const [invoice] = (await ask(ada, 'GET', 'invoices')).json<Invoice[]>()
  expect(invoice?.lines).toEqual([
    {
      description: expect.stringMatching(/^Pro, monthly, .* \d{4} to .* \d{4}$/),
      amountCents: 1_000,
    },
  ])
})

test('a cancellation suspends, a resumption activates, and trouble is told and leaves no half state', async () => {
  const ada = await j.t.person()
  await j.server.approve(await checkout(ada))
  await j.settle()
  expect((await ask(ada, 'POST', 'cancel-subscription')).status).toBe(200)
  await j.settle()
  expect(await statusOf(ada)).toMatchObject({ status: 'canceled', isInGracePeriod: false })
  expect((await ask(ada, 'POST', 'resume-subscription')).status).toBe(200)
  await j.settle()
  expect(await statusOf(ada)).toMatchObject({ status: 'active', endsAt: null })
  j.server.faults.down = true
  const away = await ask(ada, 'POST', 'update-payment-method')
  expect(away.status).toBe(200)
  const other = await j.t.person()
  const failed = await ask(other, 'POST', 'create-checkout-session', {
    plan: 'pro',
    billing: 'monthly',
    provider: 'paypal',
  })
  expect([502, 503]).toContain(failed.status)
  expect(failed.text).not.toContain('127.0.0.1')
})

test('what PayPal has cancelled for good cannot be resumed, and stays until its end', async () => {
  const ada = await j.t.person()
  const back = await j.server.approve(await checkout(ada))
  await j.settle()
  const id = new URL(back ?? '').searchParams.get('subscription_id') ?? ''
  j.server.payerCancels(id)
  await j.settle()
  const before = await statusOf(ada)
  expect(before).toMatchObject({ status: 'canceled', endsAt: expect.any(String) })
  const current = await call(j.t.world.app, 'GET', '/api/subscription/current', {
    headers: await j.t.world.signIn(ada.id),
  })
  expect(current.json<Subscription>().canResume).toBe(false)
  expect(await ask(ada, 'POST', 'resume-subscription')).toMatchObject({ status: 409 })
  expect(await statusOf(ada)).toEqual(before)
})

test('a server that does not repeat our id, or know a payment by itself, loses no event', async () => {
  const ada = await j.t.person()
  j.server.lean = true
  j.server.absent = /payments\/sale|webhooks-events|reporting|disputes$/
  try {
    const back = await j.server.approve(await checkout(ada))
    await j.settle()
    expect(await statusOf(ada)).toMatchObject({ plan: 'pro', status: 'active' })
    const id = new URL(back ?? '').searchParams.get('subscription_id') ?? ''
    const dispute = j.server.dispute(j.server.lastSale(id).id)
    await j.settle()
    expect(await statusOf(ada)).toMatchObject({ plan: 'pro', status: 'disputed' })
    j.server.decideDispute(dispute, true)
    await j.settle()
    expect(await statusOf(ada)).toMatchObject({ plan: 'pro', status: 'active' })
    j.server.refund(j.server.lastSale(id).id)
    await j.settle()
    expect(await statusOf(ada)).toMatchObject({ hasSubscription: false })
  } finally {
    j.server.lean = false
    j.server.absent = undefined
  }
})

test('an upgrade is approved as a subscription that charges when the credit is used up', async () => {
  const ada = await j.t.person()
  await j.server.approve(await checkout(ada))
  await j.settle()
  await j.after(15 * DAY_MS)
  const before = j.server.books.sumCents()
  const change = await ask(ada, 'POST', 'change-plan', { plan: 'elite', billing: 'monthly' })
  expect(change.status).toBe(200)
  await j.server.approve(change.json<PlanChangeResult>().checkoutUrl ?? '')
  await j.settle()
  expect(await statusOf(ada)).toMatchObject({ plan: 'elite', status: 'active' })
  expect(j.server.books.sumCents()).toBe(before)
  // 15 of 30 days of 10.00 are 5.00, which is six days of 25.00.
  await j.after(5 * DAY_MS)
  expect(j.server.books.sumCents()).toBe(before)
  await j.after(2 * DAY_MS)
  expect(j.server.books.sumCents()).toBe(before + 2_500)
})

test('a smaller plan is approved as a revision and begins with the next period', async () => {
  const ada = await j.t.person()
  await j.server.approve(await checkout(ada, 'elite'))
  await j.settle()
  const change = await ask(ada, 'POST', 'change-plan', { plan: 'pro', billing: 'monthly' })
  expect(change.status).toBe(200)
  const { checkoutUrl } = change.json<PlanChangeResult>()
  const declined = await j.server.approve(checkoutUrl ?? '', 'cancel')
  expect(declined).toMatch(/\/payment-cancelled\?plan=pro&billing=monthly&/)
  await j.server.approve(checkoutUrl ?? '')
  await j.settle()
  expect(await statusOf(ada)).toMatchObject({ plan: 'elite', status: 'active' })
  // PayPal shows the planned change, which the local server does not. To take it back is a revision, too.
  await j.t.sql(
    `update subscriptions set next_price_id = p.id from plan_prices p
     where user_id = ? and p.plan = 'pro' and p.billing = 'monthly' and p.is_current`,
    ada.id,
  )
  const stay = { plan: 'elite', billing: 'monthly' }
  const preview = await ask(ada, 'GET', 'change-plan/preview?plan=elite&billing=monthly')
  expect(preview.json()).toMatchObject({ kind: 'unchanged', needsApproval: true })
  expect((await ask(ada, 'POST', 'change-plan', stay)).json()).toMatchObject({
    message: expect.stringContaining('Confirm at the payment provider that you keep your plan.'),
    checkoutUrl: expect.stringContaining('/webapps/billing/subscriptions/update'),
  })
  await ask(ada, 'POST', 'change-plan', { plan: 'pro', billing: 'monthly' })
  await j.after(32 * DAY_MS)
  expect(await statusOf(ada)).toMatchObject({ plan: 'pro', status: 'active' })
})

test('a change that PayPal shows before it begins is taken back with another approval', async () => {
  const ada = await j.t.person()
  const back = await j.server.approve(await checkout(ada, 'elite'))
  const id = new URL(back ?? '').searchParams.get('subscription_id') ?? ''
  await j.settle()
  const [elite, pro] = (['elite', 'pro'] as const).map((plan) => ({ plan, billing: 'monthly' }))
  await ask(ada, 'POST', 'change-plan', pro)
  const agreement = j.server.world.need(j.server.world.agreements, id)
  agreement.plan = agreement.revisesTo ?? agreement.plan
  agreement.revisesTo = null
  await j.after(2 * DAY_MS)
  const preview = await ask(ada, 'GET', 'change-plan/preview?plan=elite&billing=monthly')
  expect(preview.json<PlanChangePreview>()).toMatchObject({
    kind: 'unchanged',
    needsApproval: true,
  })
  const change = await ask(ada, 'POST', 'change-plan', elite)
  expect(change.status).toBe(200)
  await j.server.approve(change.json<PlanChangeResult>().checkoutUrl ?? '')
  await j.after(32 * DAY_MS)
  expect(await statusOf(ada)).toMatchObject({ plan: 'elite', status: 'active' })
})

test('the webhook stores an event once, and refuses what PayPal did not sign', async () => {
  const [event] = j.server.events.filter(({ event_type }) => event_type.endsWith('.COMPLETED'))
  if (event === undefined) throw new Error('there is an event')
  const fresh = { ...event, id: 'WH-FRESH' }
  const { body, headers } = j.server.sign(fresh)
  const post = async (text: string, more: Readonly<Record<string, string>>) =>
    call(j.t.world.app, 'POST', WEBHOOK, {
      headers: { 'content-type': 'application/json', ...more },
      body: text,
    })
  const answers = [await post(body, headers), await post(body, headers)]
  for (const { status } of answers) expect(status).toBe(204)
  const stored = await j.t.sql('select 1 from payment_events where event_id = ?', 'WH-FRESH')
  expect(stored).toHaveLength(1)
  expect((await post(body.replace('10.00', '10.01'), headers)).status).toBe(400)
  expect((await post(body, {})).status).toBe(400)
})
