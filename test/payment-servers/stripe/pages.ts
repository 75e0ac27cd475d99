/** The pages of Stripe that a browser opens: checkout, customer portal, hosted invoice. Plain forms without scripts. */
import { type Answer, type Call, buttons, page, redirect } from '../http-server.ts'
import { paySession, successUrl } from './checkout.ts'
import { cardFor, collect } from './collect.ts'
import { CARDS } from './customers.ts'
import { subscriptionIdOf } from './invoices.ts'
import type { CheckoutSession, Invoice } from './objects.ts'
import { changeCard, livingSubscriptions, setCancel } from './portal.ts'
import { StripeTrouble } from './trouble.ts'
import type { StripeWorld } from './world.ts'

const dollars = (cents: unknown) => `$${(Number(cents) / 100).toFixed(2)}`
const actionOf = (call: Call) => new URLSearchParams(call.body).get('action') ?? ''

function checkoutForm(session: CheckoutSession, notice = ''): Answer {
  const order = `<p>Homing: ${dollars(session['amount_total'])}</p>${notice && `<p role="alert">${notice}</p>`}`
  return page(
    'Pay Homing',
    order +
      buttons(`/c/pay/${session.id}`, {
        pay: 'Pay',
        '3ds': 'Pay with 3-D Secure',
        decline: 'Decline',
        cancel: 'Cancel',
      }),
  )
}

function pay(
  world: StripeWorld,
  session: CheckoutSession,
  kind: 'pays' | 'declines' | 'authenticates',
): Answer {
  try {
    paySession(world, session, CARDS[kind](world))
    return redirect(successUrl(session))
  } catch (error) {
    if (error instanceof StripeTrouble && error.status === 402)
      return checkoutForm(session, error.message)
    throw error
  }
}

function checkoutPage(world: StripeWorld, call: Call, id: string): Answer {
  const session = world.need('checkout.session', id)
  if (session.status === 'complete') return redirect(successUrl(session))
  if (session.status !== 'open')
    return page('This page has expired', '<p>Start again at the shop.</p>', 410)
  if (call.method !== 'POST') return checkoutForm(session)
  const action = actionOf(call)
  if (action === 'pay') return pay(world, session, 'pays')
  if (action === 'decline') return pay(world, session, 'declines')
  if (action === 'cancel') return redirect(session.cancel_url ?? '/')
  if (action === '3ds')
    return page('3-D Secure', buttons(`/c/pay/${id}`, { complete: 'Complete', fail: 'Fail' }))
  if (action === 'complete') return pay(world, session, 'authenticates')
  return checkoutForm(
    session,
    'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
  )
}

function portalForm(world: StripeWorld, id: string, notice = ''): Answer {
  const session = world.need('billing_portal.session', id)
  const { customer } = session
  const rows = livingSubscriptions(world, customer).map((each) => {
    const card = world.find('payment_method', cardFor(world, each) ?? '')?.card
    return `<p>${each.status}${each.cancel_at === null ? '' : ', cancels'}: ${card?.brand ?? 'no card'} ${card?.last4 ?? ''}</p>`
  })
  const labels = {
    card: 'Change card',
    bad: 'Change to a card that declines',
    cancel: 'Cancel subscription',
    resume: "Don't cancel subscription",
    back: 'Return',
  }
  return page('Customer portal', `${rows.join('')}${notice}${buttons(`/p/session/${id}`, labels)}`)
}

function portalPage(world: StripeWorld, call: Call, id: string): Answer {
  const session = world.need('billing_portal.session', id)
  const { customer } = session
  if (call.method !== 'POST') return portalForm(world, id)
  const action = actionOf(call)
  if (action === 'card') changeCard(world, customer, 'mastercard')
  else if (action === 'bad') changeCard(world, customer, 'declines')
  else if (action === 'cancel') setCancel(world, customer, true)
  else if (action === 'resume') setCancel(world, customer, false)
  else return redirect(session.return_url ?? '/')
  return portalForm(world, id, '<p role="status">Saved.</p>')
}

function invoiceForm(invoice: Invoice, notice = ''): Answer {
  const labels =
    invoice.status === 'open'
      ? { pay: 'Pay invoice', card: 'Pay with another card', fail: 'Fail authentication' }
      : undefined
  const state = `<p>${invoice.number ?? 'Draft'}: ${dollars(invoice.amount_due)}, ${invoice.status}</p>${notice}`
  return page('Invoice', state + (labels ? buttons(`/i/${invoice.id}`, labels) : ''))
}

function invoicePage(world: StripeWorld, call: Call, id: string): Answer {
  const invoice = world.need('invoice', id)
  if (call.method !== 'POST' || invoice.status !== 'open') return invoiceForm(invoice)
  const action = actionOf(call)
  const subscription = world.need('subscription', subscriptionIdOf(invoice))
  if (action === 'card') changeCard(world, subscription.customer, 'mastercard')
  if (action === 'pay' || action === 'card') {
    const outcome = collect(world, invoice, { asksCustomer: true, authenticated: true })
    return invoiceForm(
      invoice,
      outcome === 'paid'
        ? '<p role="status">Paid.</p>'
        : '<p role="alert">Your card was declined.</p>',
    )
  }
  return invoiceForm(
    invoice,
    '<p role="alert">We are unable to authenticate your payment method.</p>',
  )
}

/** Undefined: not a page. */
export function stripePage(world: StripeWorld, call: Call): Answer | undefined {
  const found = /^\/(c\/pay|p\/session|i)\/(\w+)$/.exec(call.path)
  if (found === null) return undefined
  const [, kind, id = ''] = found
  const open = kind === 'c/pay' ? checkoutPage : kind === 'i' ? invoicePage : portalPage
  try {
    return open(world, call, id)
  } catch (error) {
    if (error instanceof StripeTrouble)
      return page('Something went wrong', `<p>${error.message}</p>`, error.status)
    throw error
  }
}
