import type Stripe from 'stripe'
import { describe, expect, test } from 'vitest'
import { DAY_MS, START, bought, idOf, stripeSetting } from './stripe-client.ts'

const seconds = (ms: number) => Math.floor(ms / 1000)

describe('checkout', () => {
  test('binds the payment to the reference and starts the subscription', async () => {
    await using setting = await stripeSetting()
    const { session, subscription, location } = await bought(setting, setting.prices.pro)
    expect(location).toBe(`http://localhost/#payment-success?session_id=${session.id}`)
    expect(session).toMatchObject({
      status: 'complete',
      payment_status: 'paid',
      client_reference_id: 'checkout-1',
    })
    expect(session.line_items?.data[0]?.price?.id).toBe(setting.prices.pro)
    expect(subscription).toMatchObject({ status: 'active', cancel_at_period_end: false })
    expect(subscription.items.data[0]).toMatchObject({
      current_period_start: seconds(START),
      current_period_end: Date.parse('2026-04-10T09:00:00Z') / 1000,
      price: { id: setting.prices.pro, unit_amount: 1000 },
    })
    expect(setting.server.books.sumCents()).toBe(1000)
  })

  test('a declined card changes nothing, and the customer can try again', async () => {
    await using setting = await stripeSetting()
    const { session, subscription, location } = await bought(setting, setting.prices.pro, 'decline')
    expect(location).toBeNull()
    expect(subscription).toBeNull()
    expect(session.status).toBe('open')
    expect(await setting.server.pay(session.url ?? '')).toContain(session.id)
  })

  test('expires after a day', async () => {
    await using setting = await stripeSetting()
    const { session } = await bought(setting, setting.prices.pro, 'decline')
    setting.server.advance(DAY_MS)
    expect((await setting.stripe.checkout.sessions.retrieve(session.id)).status).toBe('expired')
    expect(setting.server.events.at(-1)?.type).toBe('checkout.session.expired')
  })
})

describe('a change of price', () => {
  const change = (
    setting: Awaited<ReturnType<typeof stripeSetting>>,
    subscription: Stripe.Subscription,
    price: string,
  ) =>
    setting.stripe.subscriptions.update(subscription.id, {
      items: [{ id: subscription.items.data[0]?.id ?? '', price }],
      proration_behavior: 'always_invoice',
      payment_behavior: 'pending_if_incomplete',
      expand: ['latest_invoice.payments'],
    })

  test('is prorated at once, as the preview says', async () => {
    await using setting = await stripeSetting()
    const { subscription } = await bought(setting, setting.prices.pro)
    setting.server.advance(15.5 * DAY_MS)
    const items = [{ id: subscription.items.data[0]?.id ?? '', price: setting.prices.elite }]
    const preview = await setting.stripe.invoices.createPreview({
      subscription: subscription.id,
      subscription_details: { items, proration_behavior: 'always_invoice' },
    })
    expect(preview.lines.data.map(({ amount }) => amount)).toEqual([-500, 1250])
    expect(preview.lines.data[0]?.parent?.subscription_item_details?.proration).toBe(true)
    const changed = await change(setting, subscription, setting.prices.elite)
    const invoice = changed.latest_invoice as Stripe.Invoice
    expect(invoice).toMatchObject({
      status: 'paid',
      amount_paid: preview.amount_due,
      billing_reason: 'subscription_update',
    })
    expect(invoice.payments?.data[0]?.payment.type).toBe('payment_intent')
    expect(changed.items.data[0]?.price.id).toBe(setting.prices.elite)
    expect(setting.server.books.sumCents()).toBe(1750)
  })

  test('waits for the customer, then holds when the invoice is paid', async () => {
    await using setting = await stripeSetting()
    const { subscription } = await bought(setting, setting.prices.pro, 'complete')
    const asked = await change(setting, subscription, setting.prices.elite)
    const invoice = asked.latest_invoice as Stripe.Invoice
    expect(asked.items.data[0]?.price.id).toBe(setting.prices.pro)
    expect(asked.pending_update?.subscription_items?.[0]?.price.id).toBe(setting.prices.elite)
    const intent = invoice.payments?.data[0]?.payment.payment_intent as string
    expect((await setting.stripe.paymentIntents.retrieve(intent)).status).toBe('requires_action')
    await setting.server.pay(invoice.hosted_invoice_url ?? '')
    const settled = await setting.stripe.subscriptions.retrieve(subscription.id)
    expect(settled).toMatchObject({
      pending_update: null,
      items: { data: [{ price: { id: setting.prices.elite } }] },
    })
  })

  test('is forgotten after 23 hours without payment', async () => {
    await using setting = await stripeSetting()
    const { subscription } = await bought(setting, setting.prices.pro)
    setting.server.cardsOf(idOf(subscription.customer), 'declines')
    const refused = await change(setting, subscription, setting.prices.elite)
    expect(refused.pending_update).not.toBeNull()
    expect(refused.status).toBe('active')
    setting.server.advance(DAY_MS)
    const later = await setting.stripe.subscriptions.retrieve(subscription.id, {
      expand: ['latest_invoice'],
    })
    expect(later.pending_update).toBeNull()
    expect((later.latest_invoice as Stripe.Invoice).status).toBe('void')
  })

  test('to another interval begins a new period', async () => {
    await using setting = await stripeSetting()
    const { subscription } = await bought(setting, setting.prices.pro)
    const changed = await change(setting, subscription, setting.prices.proYear)
    expect(changed.items.data[0]?.current_period_end).toBe(
      Date.parse('2027-03-10T09:00:00Z') / 1000,
    )
    expect((changed.latest_invoice as Stripe.Invoice).amount_paid).toBe(10_000)
  })

  test('of a schedule comes with the next period', async () => {
    await using setting = await stripeSetting()
    const { subscription } = await bought(setting, setting.prices.elite)
    const schedule = await setting.stripe.subscriptionSchedules.create({
      from_subscription: subscription.id,
    })
    const [now] = schedule.phases
    await setting.stripe.subscriptionSchedules.update(schedule.id, {
      end_behavior: 'release',
      phases: [
        {
          items: [{ price: setting.prices.elite, quantity: 1 }],
          start_date: now?.start_date ?? 0,
          end_date: now?.end_date ?? 0,
        },
        {
          items: [{ price: setting.prices.pro, quantity: 1 }],
          duration: { interval: 'month', interval_count: 1 },
          proration_behavior: 'none',
        },
      ],
    })
    const cancelAtEnd = setting.stripe.subscriptions.update(subscription.id, {
      cancel_at_period_end: true,
    })
    await expect(cancelAtEnd).rejects.toThrow('managed by the subscription schedule')
    setting.server.advance(32 * DAY_MS)
    const later = await setting.stripe.subscriptions.retrieve(subscription.id)
    expect(later.items.data[0]?.price.id).toBe(setting.prices.pro)
    expect(setting.server.books.sumCents()).toBe(3500)
    setting.server.advance(31 * DAY_MS)
    const released = await setting.stripe.subscriptions.retrieve(subscription.id)
    expect(released).toMatchObject({ status: 'active', schedule: null })
  })
})

describe('the end of a period', () => {
  test('renews an hour after the draft', async () => {
    await using setting = await stripeSetting()
    const { subscription } = await bought(setting, setting.prices.pro)
    setting.server.advance(31 * DAY_MS)
    const [draft] = (
      await setting.stripe.invoices.list({ subscription: subscription.id, limit: 1 })
    ).data
    expect(draft).toMatchObject({ status: 'draft', billing_reason: 'subscription_cycle' })
    setting.server.advance(DAY_MS)
    expect((await setting.stripe.invoices.retrieve(draft?.id ?? '')).status).toBe('paid')
    expect(setting.server.books.sumCents()).toBe(2000)
  })

  test('ends what is cancelled, and a resumed one renews', async () => {
    await using setting = await stripeSetting()
    const { subscription } = await bought(setting, setting.prices.pro)
    const canceled = await setting.stripe.subscriptions.update(subscription.id, {
      cancel_at_period_end: true,
    })
    expect(canceled.cancel_at).toBe(canceled.items.data[0]?.current_period_end)
    await setting.stripe.subscriptions.update(subscription.id, { cancel_at_period_end: false })
    setting.server.advance(32 * DAY_MS)
    expect((await setting.stripe.subscriptions.retrieve(subscription.id)).status).toBe('active')
    await setting.stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true })
    setting.server.advance(32 * DAY_MS)
    const ended = await setting.stripe.subscriptions.retrieve(subscription.id)
    expect(ended).toMatchObject({
      status: 'canceled',
      cancellation_details: { reason: 'cancellation_requested' },
    })
    expect(setting.server.books.sumCents()).toBe(2000)
  })

  test('with a card that declines is past due, is retried, and recovers', async () => {
    await using setting = await stripeSetting()
    const { subscription } = await bought(setting, setting.prices.pro)
    setting.server.cardsOf(idOf(subscription.customer), 'declines')
    setting.server.advance(32 * DAY_MS)
    const late = await setting.stripe.subscriptions.retrieve(subscription.id, {
      expand: ['latest_invoice'],
    })
    expect(late.status).toBe('past_due')
    expect(late.latest_invoice).toMatchObject({ status: 'open', attempt_count: 1 })
    setting.server.cardsOf(idOf(subscription.customer), 'pays')
    setting.server.advance(3 * DAY_MS)
    expect((await setting.stripe.subscriptions.retrieve(subscription.id)).status).toBe('active')
  })

  test('cancelled while past due, its invoice can be voided and is not collected', async () => {
    await using setting = await stripeSetting()
    const { subscription } = await bought(setting, setting.prices.pro)
    setting.server.cardsOf(idOf(subscription.customer), 'declines')
    setting.server.advance(32 * DAY_MS)
    const ended = await setting.stripe.subscriptions.cancel(subscription.id)
    setting.server.cardsOf(idOf(subscription.customer), 'pays')
    const voided = await setting.stripe.invoices.voidInvoice(idOf(ended.latest_invoice))
    expect(voided.status).toBe('void')
    setting.server.advance(40 * DAY_MS)
    expect(setting.server.books.sumCents()).toBe(1000)
    await expect(setting.stripe.subscriptions.cancel(subscription.id)).rejects.toMatchObject({
      code: 'resource_missing',
      statusCode: 404,
    })
  })

  test('of a trial charges for the first time', async () => {
    await using setting = await stripeSetting()
    const session = await setting.stripe.checkout.sessions.create({
      mode: 'subscription',
      line_items: [{ price: setting.prices.pro, quantity: 1 }],
      subscription_data: { trial_end: seconds(START) + 10 * 86_400 },
      success_url: 'http://localhost/',
    })
    await setting.server.pay(session.url ?? '')
    const done = await setting.stripe.checkout.sessions.retrieve(session.id, {
      expand: ['subscription'],
    })
    expect(done.payment_status).toBe('no_payment_required')
    expect((done.subscription as Stripe.Subscription).status).toBe('trialing')
    setting.server.advance(11 * DAY_MS)
    expect(setting.server.books.sumCents()).toBe(1000)
  })
})

describe('the money', () => {
  test('goes back by refund, once', async () => {
    await using setting = await stripeSetting()
    const { subscription } = await bought(setting, setting.prices.pro)
    const payments = await setting.stripe.invoicePayments.list({
      invoice: idOf(subscription.latest_invoice),
    })
    const intent = idOf(payments.data[0]?.payment.payment_intent)
    const refund = await setting.stripe.refunds.create({ payment_intent: intent })
    expect(refund).toMatchObject({ amount: 1000, status: 'succeeded' })
    await expect(setting.stripe.refunds.create({ payment_intent: intent })).rejects.toMatchObject({
      code: 'charge_already_refunded',
    })
    const charge = await setting.stripe.charges.retrieve(idOf(refund.charge), {
      expand: ['refunds', 'balance_transaction'],
    })
    expect(charge).toMatchObject({
      refunded: true,
      refunds: { data: [{ id: refund.id }] },
      balance_transaction: { amount: 1000, fee: 59 },
    })
    const found = await setting.stripe.invoicePayments.list({
      payment: { type: 'payment_intent', payment_intent: intent },
    })
    expect(found.data[0]?.invoice).toBe(subscription.latest_invoice)
    expect(setting.server.books.sumCents()).toBe(0)
  })

  test('goes back by dispute, and returns when it is won', async () => {
    await using setting = await stripeSetting()
    const { subscription } = await bought(setting, setting.prices.pro)
    const id = setting.server.dispute(setting.server.lastCharge(subscription.id).id)
    expect(setting.server.books.sumCents()).toBe(0)
    expect((await setting.stripe.disputes.retrieve(id)).status).toBe('needs_response')
    setting.server.decideDispute(id, true)
    expect(setting.server.books.sumCents()).toBe(0)
    setting.server.advance(3_600_000)
    expect(setting.server.books.sumCents()).toBe(1000)
    const report = await setting.stripe.balanceTransactions.list({ limit: 100 })
    expect(report.data.reduce((sum, { amount }) => sum + amount, 0)).toBe(1000)
  })

  test('is noted by a credit note', async () => {
    await using setting = await stripeSetting()
    const { subscription } = await bought(setting, setting.prices.pro)
    const note = await setting.stripe.creditNotes.create({
      invoice: idOf(subscription.latest_invoice),
      amount: 400,
      refund_amount: 400,
    })
    expect(note).toMatchObject({
      total: 400,
      type: 'post_payment',
      refunds: [{ amount_refunded: 400 }],
    })
    expect(setting.server.books.sumCents()).toBe(600)
  })
})

describe('the pages', () => {
  test('of the portal change the card, cancel and resume', async () => {
    await using setting = await stripeSetting()
    const { subscription } = await bought(setting, setting.prices.pro)
    const portal = await setting.stripe.billingPortal.sessions.create({
      customer: idOf(subscription.customer),
      return_url: 'http://localhost/#settings',
      flow_data: { type: 'payment_method_update' },
    })
    await setting.server.pay(portal.url, 'card')
    await setting.server.pay(portal.url, 'cancel')
    const changed = await setting.stripe.subscriptions.retrieve(subscription.id, {
      expand: ['default_payment_method'],
    })
    expect(changed.default_payment_method).toMatchObject({
      card: { brand: 'mastercard', last4: '4444' },
    })
    expect(changed.cancel_at_period_end).toBe(true)
    await setting.server.pay(portal.url, 'resume')
    expect((await setting.stripe.subscriptions.retrieve(subscription.id)).cancel_at).toBeNull()
    expect(await setting.server.pay(portal.url, 'back')).toBe('http://localhost/#settings')
  })

  test('are forms that a browser can send', async () => {
    await using setting = await stripeSetting()
    const { session } = await bought(setting, setting.prices.pro, 'decline')
    const html = await (await fetch(session.url ?? '')).text()
    expect(html).toContain('>Pay with 3-D Secure<')
    expect(await setting.server.pay(session.url ?? '', 'cancel')).toBe(
      'http://localhost/#payment-cancelled',
    )
  })
})
