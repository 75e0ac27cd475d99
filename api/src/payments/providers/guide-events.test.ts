/** Every event that the guide lists is one that causes a read. */
import { expect, test } from 'vitest'
import { StripeServer } from '../../../../test/payment-servers/stripe-server.ts'
import { eventsOfGuide } from '../../../test/support/guide-events.ts'
import { eventOf } from './paypal-event.ts'
import { verifyEvent } from './stripe-event.ts'

/** The objects of Stripe's events by the beginning of their type, the longest first. */
const OBJECTS = [
  ['checkout.session.', 'checkout.session'],
  ['customer.subscription.', 'subscription'],
  ['subscription_schedule.', 'subscription_schedule'],
  ['charge.dispute.', 'dispute'],
  ['charge.', 'charge'],
  ['invoice.', 'invoice'],
  ['refund.', 'refund'],
] as const

test('of Stripe', async () => {
  const server = await StripeServer.start()
  const kindOf = (type: string) => {
    const object = OBJECTS.find(([start]) => type.startsWith(start))?.[1]
    const data = { object: { id: 'x_1', object, subscription: 'sub_1' } }
    const event = { id: 'evt_1', object: 'event', type, created: 1, data }
    const { body, headers } = server.sign(event)
    const options = { webhookSecret: server.webhookSecret, now: new Date() }
    return verifyEvent(Buffer.from(body), headers, options).objectKind
  }
  const unread = [...eventsOfGuide('stripe')].filter((type) => kindOf(type) === null)
  await server.close()
  expect(unread).toEqual([])
})

test('of PayPal', () => {
  const resource = {
    id: 'I-1',
    dispute_id: 'PP-D-1',
    links: [{ href: 'https://api.paypal.com/v2/payments/captures/C-1', rel: 'up' }],
  }
  const kindOf = (type: string) =>
    eventOf(Buffer.from(JSON.stringify({ id: 'WH-1', event_type: type, resource }))).objectKind
  const unread = [...eventsOfGuide('paypal')].filter((type) => kindOf(type) === null)
  expect(unread).toEqual([])
})
