/** Payments that go back at PayPal while PayPal shows no record of it, or shows it only later. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openPaypalJourney, type PaypalJourney } from '../../test/support/paypal-journey.ts'
import type { ApplyServices } from './apply.ts'
import { applyPendingEvents } from './events.ts'
import { recordEvent } from './record-event.ts'
import { syncSubscription } from './sync.ts'

const RECORDS = /webhooks-events|reporting|disputes/

let j: PaypalJourney
beforeAll(async () => {
  j = await openPaypalJourney()
})
beforeEach(() => {
  j.server.absent = undefined
})
afterAll(async () => j.end())

/** A provider at which another read, without a hint, begins during each of the first reads with one, and is applied first. */
function overtaken(times: number): ApplyServices {
  let left = times
  const { provider, t } = j
  const read: typeof provider.read = async (id, hints) => {
    const found = await provider.read(id, hints)
    if (left > 0) {
      left -= 1
      t.pass(5)
      const other = await syncSubscription(t.services, 'paypal', id)
      if (other.outcome !== 'applied') throw new Error('the other read is the later one')
    }
    return found
  }
  return { ...t.services, payments: { ...t.services.payments, paypal: { ...provider, read } } }
}

describe('an event of a reversal whose read is overtaken', () => {
  test('stays pending and is read again until its hint counts', async () => {
    const { id } = await j.t.person()
    const sub = await j.buy(id)
    j.server.absent = RECORDS
    j.t.pass(1_000)
    await recordEvent(j.t.services, 'paypal', {
      id: 'WH-OVERTAKEN',
      type: 'PAYMENT.SALE.REVERSED',
      objectId: sub,
      objectKind: 'subscription',
      createdAt: j.t.now,
    })
    const services = overtaken(2)
    for (const waitMs of [2_000, 4_000]) {
      expect(await applyPendingEvents(services, ['paypal'])).toEqual({ pending: 1 })
      expect(await j.t.planOf(id)).toBe('pro')
      // Its turn has not come.
      expect(await applyPendingEvents(services, ['paypal'])).toEqual({})
      j.t.pass(waitMs)
    }
    expect(await applyPendingEvents(services, ['paypal'])).toEqual({ applied: 1 })
    expect(await j.t.row(sub)).toMatchObject({ state: 'ended', end_reason: 'disputed' })
    expect(await j.t.planOf(id)).toBe('free')
    expect(
      await j.t.sql(`select state, error from payment_events where event_id = 'WH-OVERTAKEN'`),
    ).toEqual([{ state: 'applied', error: null }])
  })

  test('is not read again if it has no hint', async () => {
    const { id } = await j.t.person()
    const sub = await j.buy(id)
    j.t.pass(1_000)
    await recordEvent(j.t.services, 'paypal', {
      id: 'WH-NO-HINT',
      type: 'BILLING.SUBSCRIPTION.UPDATED',
      objectId: sub,
      objectKind: 'subscription',
      createdAt: j.t.now,
    })
    expect(await applyPendingEvents(overtaken(1), ['paypal'])).toEqual({ applied: 1 })
    expect(await j.t.row(sub)).toMatchObject({ state: 'active' })
  })
})
