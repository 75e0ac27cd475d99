/** The life of a subscription by card, over the calls of the API and the local Stripe server. */
import type { PaymentMessage, Problem, Subscription } from '@homing/openapi'
import { afterEach, describe, expect, test } from 'vitest'
import { DAY_MS, useStripeWorld } from '../../../test/support/stripe-world.ts'

const use = useStripeWorld()
const payments = '/api/payments'
const offer = { plan: 'pro', billing: 'monthly' }
const details = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.net',
  address: '12 Example Street',
  city: 'Springfield',
  state: 'IL',
  zipCode: '62701',
  country: 'us',
}

afterEach(() => use.t.server.faults.clear())

describe('a checkout', () => {
  test('leads to a page of Stripe, and the plan begins when it is paid', async () => {
    const { t } = use
    const ada = await t.person()
    const body = { ...offer, provider: 'stripe', userId: ada.id, priceId: 'price_pro_monthly' }
    const reply = await t.call(ada, 'POST', `${payments}/create-checkout-session`, {
      ...body,
      billingDetails: details,
    })
    expect(reply.status).toBe(200)
    expect(await t.status(ada)).toMatchObject({ hasSubscription: false, plan: null, endsAt: null })
    const back = await t.server.pay(reply.json<{ checkoutUrl: string }>().checkoutUrl)
    const [, session] = /\/payment-success\?session_id=(cs_\w+)$/.exec(back ?? '') ?? []
    // On return, the state is read at once: no event has arrived.
    const status = await t.call(ada, 'GET', `${payments}/subscription-status?session_id=${session}`)
    expect(status.json()).toEqual({
      hasSubscription: true,
      plan: 'pro',
      interval: 'monthly',
      status: 'active',
      endsAt: null,
      nextPaymentDue: expect.stringMatching(/^2026-04-10T/),
      isInGracePeriod: false,
    })
    expect(await t.planOf(ada)).toBe('pro')
    await t.settle()
    expect(await t.invoices(ada)).toMatchObject([
      {
        kind: 'invoice',
        status: 'paid',
        totalCents: 1_000,
        lines: [{ description: 'Pro, monthly, 10 March 2026 to 10 April 2026' }],
        party: { ...details, country: 'US' },
      },
    ])
    const current = await t.call(ada, 'GET', '/api/subscription/current')
    expect(current.json<Subscription>()).toMatchObject({
      provider: 'stripe',
      amountCents: 1_000,
      currency: 'USD',
      paymentMethod: 'Visa ending in 4242',
      pendingChange: null,
      canResume: false,
      refundableUntil: expect.stringMatching(/^2026-03-17T/),
      canUse: { card: true, paypal: false },
      billingDetails: { ...details, country: 'US' },
      complimentaryPlan: null,
    })
    expect(await t.ledger()).toEqual(t.server.books.lines())
  })

  test.each([
    [{ userId: '1' }, 'userId', /userId does not match/],
    [{ priceId: 'price_elite_annual' }, 'priceId', /Expected price_pro_monthly/],
    [{ planId: 'pro_annual' }, 'planId', /Expected pro_monthly/],
    [{ customerEmail: 'eve@example.net' }, 'customerEmail', /does not match/],
    [
      { billingDetails: { ...details, firstName: ' ' } },
      'billingDetails.firstName',
      /^Please fill in first name$/,
    ],
    [
      { billingDetails: { ...details, email: 'ada' } },
      'billingDetails.email',
      /^Please enter a valid email address$/,
    ],
    [
      { billingDetails: { ...details, state: '' } },
      'billingDetails.state',
      /^Please fill in state$/,
    ],
    [{ billingDetails: { ...details, country: 'ZZ' } }, 'billingDetails.country', /Please fill in/],
  ])('with %j is refused by field', async (wrong, field, message) => {
    const { t } = use
    const reply = await t.call(await t.person(), 'POST', `${payments}/create-checkout-session`, {
      ...offer,
      ...wrong,
    })
    expect(reply.status).toBe(422)
    expect(reply.json<Problem>().errors).toEqual([
      {
        field,
        message: expect.stringMatching(message),
      },
    ])
  })

  test('needs no state and no postal code where addresses have none', async () => {
    const { t } = use
    const body = { ...offer, billingDetails: { ...details, country: 'HK', state: '', zipCode: '' } }
    const reply = await t.call(
      await t.person(),
      'POST',
      `${payments}/create-checkout-session`,
      body,
    )
    expect(reply.status).toBe(200)
  })

  test('is refused for administrators, and for an account that has a subscription', async () => {
    const { t } = use
    const path = '/api/create-checkout-session'
    const boss = await t.call(await t.person('admin'), 'POST', path, offer)
    expect(boss.json()).toMatchObject({ status: 409, code: 'conflict' })
    const ada = await t.person()
    await t.buy(ada)
    const again = await t.call(ada, 'POST', path, { ...offer, plan: 'elite' })
    expect(again.json()).toMatchObject({ status: 409, code: 'subscription-exists' })
  })

  test('by PayPal without its keys says so', async () => {
    const { t } = use
    const body = { ...offer, provider: 'paypal' }
    const reply = await t.call(
      await t.person(),
      'POST',
      `${payments}/create-checkout-session`,
      body,
    )
    expect(reply.json()).toMatchObject({
      status: 503,
      code: 'payments-unavailable',
      detail: 'PayPal is not configured. Please contact support.',
    })
  })

  test('paid in two tabs keeps one subscription and refunds the other', async () => {
    const { t } = use
    const ada = await t.person()
    const [one, two] = [await t.checkout(ada), await t.checkout(ada, 'elite')]
    await t.server.pay(one)
    await t.server.pay(two)
    await t.settle()
    await t.settle()
    const kinds = (await t.invoices(ada)).map(({ kind, totalCents }) => `${kind} ${totalCents}`)
    expect(kinds.toSorted()).toHaveLength(3)
    expect(kinds.filter((kind) => kind.startsWith('credit_note'))).toHaveLength(1)
    expect(await t.status(ada)).toMatchObject({ status: 'active' })
    expect(await t.ledger()).toEqual(t.server.books.lines())
  })

  test('fails with 502 while Stripe is away, and leaves no plan', async () => {
    const { t } = use
    const ada = await t.person()
    t.server.faults.down = true
    const reply = await t.call(ada, 'POST', '/api/create-checkout-session', offer)
    expect(reply.json()).toMatchObject({ status: 502, code: 'provider-unavailable' })
    expect(reply.json<Problem>().detail).toMatch(/^Stripe does not respond at the moment/)
    expect(await t.planOf(ada)).toBe('free')
  })
})

describe('a subscription', () => {
  test('is cancelled, keeps its plan, is resumed, and ends after another cancellation', async () => {
    const { t } = use
    const ada = await t.person()
    await t.buy(ada)
    const cancelled = await t.call(ada, 'POST', `${payments}/cancel-subscription`)
    expect(cancelled.json<PaymentMessage>()).toMatchObject({
      message: expect.stringMatching(/^Your subscription has been cancelled/),
      status: { status: 'canceled', endsAt: expect.any(String), isInGracePeriod: false },
    })
    expect((await t.call(ada, 'POST', '/api/subscription/cancel')).status).toBe(200)
    const current = await t.call(ada, 'GET', '/api/subscription/current')
    expect(current.json<Subscription>().canResume).toBe(true)
    const resumed = await t.call(ada, 'POST', `${payments}/resume-subscription`)
    expect(resumed.json<PaymentMessage>().status).toMatchObject({ status: 'active', endsAt: null })
    await t.call(ada, 'POST', `${payments}/cancel-subscription`)
    expect(await t.planOf(ada)).toBe('pro')
    await t.after(32 * DAY_MS)
    expect(await t.planOf(ada)).toBe('free')
    expect(await t.status(ada)).toMatchObject({ hasSubscription: false, status: null })
    expect((await t.call(ada, 'POST', `${payments}/resume-subscription`)).json()).toMatchObject({
      status: 409,
      code: 'no-subscription',
    })
  })

  test('is cancelled by the job when Stripe was away, and the answer says so', async () => {
    const { t } = use
    const ada = await t.person()
    await t.buy(ada)
    t.server.faults.down = true
    const reply = await t.call(ada, 'POST', `${payments}/cancel-subscription`)
    expect(reply.json()).toMatchObject({ status: 502, code: 'provider-unavailable' })
    expect(reply.json<Problem>().detail).toContain('Your request is saved')
    t.server.faults.clear()
    t.server.advance(90_000)
    await t.settle()
    const customer = await t.customerOf(ada)
    const [there] = t.server.world.all('subscription').filter((each) => each.customer === customer)
    expect(there?.cancel_at_period_end).toBe(true)
  })

  test('that is not paid is in grace for 14 days, then ends', async () => {
    const { t } = use
    const ada = await t.person()
    await t.buy(ada)
    t.server.cardsOf(await t.customerOf(ada), 'declines')
    await t.after(32 * DAY_MS)
    expect(await t.status(ada)).toMatchObject({
      status: 'past_due',
      isInGracePeriod: true,
      endsAt: expect.any(String),
    })
    expect(await t.planOf(ada)).toBe('pro')
    const resumed = await t.call(ada, 'POST', `${payments}/resume-subscription`)
    expect(resumed.json<{ message: string }>().message).toContain('its last payment failed')
    await t.after(15 * DAY_MS)
    expect(await t.status(ada)).toMatchObject({ hasSubscription: false })
    expect(await t.planOf(ada)).toBe('free')
    expect(t.server.world.all('invoice').filter(({ status }) => status === 'open')).toEqual([])
  })

  test('is paid back in full within 168 hours, once', async () => {
    const { t } = use
    const ada = await t.person()
    await t.buy(ada, 'pro', 'annual')
    const reply = await t.call(ada, 'POST', `${payments}/refund`)
    expect(reply.json()).toEqual({
      message: 'Your payment of $110.00 is refunded. Your plan is Free now.',
      amountCents: 11_000,
      currency: 'USD',
    })
    await t.settle()
    expect(await t.planOf(ada)).toBe('free')
    await t.buy(ada)
    const again = await t.call(ada, 'POST', `${payments}/refund`)
    expect(again.json()).toMatchObject({ status: 409, code: 'conflict' })
    expect(await t.ledger()).toEqual(t.server.books.lines())
  })

  test('opens the page of Stripe for its payment method', async () => {
    const { t } = use
    const ada = await t.person()
    const early = await t.call(ada, 'POST', '/api/create-portal-session')
    expect(early.json()).toMatchObject({ status: 409, code: 'no-subscription' })
    await t.buy(ada)
    const reply = await t.call(ada, 'POST', `${payments}/update-payment-method`)
    const { checkoutUrl } = reply.json<{ checkoutUrl: string }>()
    expect(checkoutUrl).toContain(t.server.origin)
    expect(await t.server.pay(checkoutUrl, 'back')).toMatch(/\/#settings\/subscription$/)
  })
})
