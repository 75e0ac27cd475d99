/** The pages of PayPal that a browser opens: approval of a subscription, and the payer's automatic payments. */
import { type Answer, type Call, buttons, page, redirect } from '../http-server.ts'
import { priceCents } from './billing.ts'
import type { Agreement } from './objects.ts'
import { approve, cancel } from './subscriptions.ts'
import { PayPalTrouble } from './trouble.ts'
import { type PayPalWorld, money } from './world.ts'

/** How long a payer can use the link of an approval. */
const APPROVAL_MS = 3 * 3_600_000

function back(url: string, agreement: Agreement): Answer {
  const target = new URL(url)
  target.searchParams.set('subscription_id', agreement.id)
  target.searchParams.set('ba_token', agreement.token)
  target.searchParams.set('token', agreement.token.slice(3))
  return redirect(target.toString())
}

function approvalForm(agreement: Agreement, path: string, notice = ''): Answer {
  const labels = {
    approve: 'Agree & Subscribe',
    decline: 'Pay with a card that declines',
    cancel: 'Cancel and return',
  }
  const text = `<p>Homing: $${money(priceCents(agreement)).value}</p>${notice && `<p role="alert">${notice}</p>`}`
  return page('PayPal', text + buttons(`${path}?ba_token=${agreement.token}`, labels))
}

function approvalPage(world: PayPalWorld, call: Call): Answer {
  const token = new URLSearchParams(call.query).get('ba_token')
  const agreement = [...world.agreements.values()].find((each) => each.token === token)
  if (agreement === undefined)
    return page('PayPal', '<p>Things do not appear to be working at the moment.</p>', 404)
  const waits =
    agreement.status === 'APPROVAL_PENDING' && world.clock.now() - agreement.createdAt < APPROVAL_MS
  if (!waits && agreement.revisesTo === null)
    return page('PayPal', '<p>This subscription cannot be approved any more.</p>', 410)
  if (call.method !== 'POST') return approvalForm(agreement, call.path)
  const action = new URLSearchParams(call.body).get('action')
  if (action === 'cancel') return back(agreement.cancelUrl, agreement)
  if (action === 'decline')
    return approvalForm(agreement, call.path, 'Your card was declined. Choose another way to pay.')
  if (approve(world, agreement)) return back(agreement.returnUrl, agreement)
  return approvalForm(agreement, call.path, 'Your card was declined. Choose another way to pay.')
}

function automaticPayments(world: PayPalWorld, call: Call, id: string | undefined): Answer {
  const living = [...world.agreements.values()].filter(
    (each) => ['ACTIVE', 'SUSPENDED'].includes(each.status) && (id === undefined || each.id === id),
  )
  const action = new URLSearchParams(call.body).get('action')
  if (call.method === 'POST')
    for (const agreement of living) {
      if (action === 'card') agreement.conduct = 'pays'
      if (action === 'bad') agreement.conduct = 'declines'
      if (action === 'cancel') cancel(world, agreement, { reason: 'Cancelled by the payer.' })
    }
  const rows = living.map(({ id: each, status }) => `<p>${each}: ${status}</p>`).join('')
  const labels = {
    card: 'Change the way you pay',
    bad: 'Change to a card that declines',
    cancel: 'Cancel automatic payments',
  }
  return page('Automatic payments', rows + buttons(call.path, labels))
}

/** Undefined: not a page. */
export function paypalPage(world: PayPalWorld, call: Call): Answer | undefined {
  try {
    if (/^\/webapps\/billing\/subscriptions(\/update)?$/.test(call.path))
      return approvalPage(world, call)
    const found = /^\/myaccount\/autopay(?:\/connect\/([\w-]+))?\/?$/.exec(call.path)
    return found === null ? undefined : automaticPayments(world, call, found[1])
  } catch (error) {
    if (error instanceof PayPalTrouble)
      return page('PayPal', `<p>${error.message}</p>`, error.status)
    throw error
  }
}
