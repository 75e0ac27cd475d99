/** Payments that go back at PayPal while PayPal shows no record of it, or shows it only later. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { DAY_MS } from '../../test/support/payment-world.ts'
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

describe('money that goes back before PayPal shows how', () => {
  const HOUR_MS = 3_600_000

  interface Entry {
    readonly kind: string
    readonly provider_id: string
    readonly amount_cents: number
  }

  const entriesOf = async (userId: string) =>
    j.t.sql<Entry>(
      `select l.kind, l.provider_id, l.amount_cents from ledger_entries l join invoice_accounts a using (invoice_id)
       where a.user_id = ? and l.kind <> 'payment' order by l.id`,
      userId,
    )
  const creditNotesOf = async (userId: string) =>
    j.t.sql<{ provider_id: string; status: string }>(
      `select i.provider_id, i.status from invoices i join invoice_accounts a on a.invoice_id = i.id
       where a.user_id = ? and i.kind = 'credit_note' order by i.id`,
      userId,
    )
  /** The ids of what moved money of a payment back at PayPal. */
  const movedOf = (saleId: string) =>
    [...j.server.world.movements].filter(([, sale]) => sale === saleId).map(([id]) => id)

  /** What is in the ledger beyond PayPal's books. */
  const surplusCents = async () => (await j.t.ledgerSum('paypal')) - j.server.books.sumCents()

  /** An account that has paid once, and what the ledger had too much before anything goes back. */
  const bought = async () => {
    const { id } = await j.t.person()
    const sub = await j.buy(id)
    return { id, sub, payment: j.server.lastSale(sub), before: await surplusCents() }
  }

  const readLater = async (sub: string) => {
    j.t.pass(4 * HOUR_MS)
    return syncSubscription(j.t.services, 'paypal', sub)
  }

  test('a reversal that only its event told gives way to the one that PayPal shows', async () => {
    const { id, sub, payment, before } = await bought()
    j.server.reverse(payment.id)
    payment.status = 'COMPLETED'
    j.server.absent = /webhooks-events/
    await j.settle()
    const assumed = { kind: 'dispute', provider_id: `${payment.id}-reversal`, amount_cents: -1_000 }
    expect(await entriesOf(id)).toEqual([assumed])
    payment.status = 'REFUNDED'
    await readLater(sub)
    const [reversal = ''] = movedOf(payment.id)
    expect(await entriesOf(id)).toEqual([{ ...assumed, provider_id: reversal }])
    expect(await surplusCents()).toBe(before)
  })

  test('a refund that only the status told gives way to those that PayPal shows, with their credit notes', async () => {
    const { id, sub, payment, before } = await bought()
    await j.t.subjects()
    j.server.absent = RECORDS
    j.server.refund(payment.id, 300)
    j.t.pass(HOUR_MS)
    j.server.refund(payment.id, 700)
    await j.settle()
    const assumed = `${payment.id}-refund`
    expect(await entriesOf(id)).toMatchObject([{ provider_id: assumed, amount_cents: -1_000 }])
    expect(await j.t.subjects()).toContain('Your payment is refunded')
    j.server.absent = undefined
    await readLater(sub)
    const refunds = movedOf(payment.id)
    const entries = await entriesOf(id)
    expect(entries.map(({ provider_id }) => provider_id)).toEqual(refunds)
    expect(entries.map(({ amount_cents }) => amount_cents)).toEqual([-300, -700])
    expect(await creditNotesOf(id)).toEqual([
      { provider_id: assumed, status: 'void' },
      ...refunds.map((each) => ({ provider_id: each, status: 'paid' })),
    ])
    expect(await surplusCents()).toBe(before)
    // The owner has been told already.
    expect(await j.t.subjects()).toEqual([])
  })

  test.each([
    ['as a refund', 'REFUNDED'],
    ['not at first, and then as a refund', 'COMPLETED'],
  ] as const)('a reversal that the status shows %s counts once', async (_how, status) => {
    const { id, sub, payment, before } = await bought()
    j.server.absent = RECORDS
    j.server.reverse(payment.id)
    payment.status = status
    await j.settle()
    expect(await j.t.row(sub)).toMatchObject({ state: 'ended', end_reason: 'disputed' })
    expect(await surplusCents()).toBe(before)
    payment.status = 'REFUNDED'
    await readLater(sub)
    expect(await surplusCents()).toBe(before)
    j.server.absent = undefined
    await readLater(sub)
    const [reversal = ''] = movedOf(payment.id)
    expect(await entriesOf(id)).toEqual([
      { kind: 'dispute', provider_id: reversal, amount_cents: -1_000 },
    ])
    expect(await surplusCents()).toBe(before)
  })

  test('a refund that PayPal showed counts once when its record is no longer kept', async () => {
    const { id, sub, payment, before } = await bought()
    // The app may not read the reports, and PayPal keeps its events for 30 days.
    j.server.absent = /reporting/
    j.server.refund(payment.id, 300)
    await j.settle()
    j.server.refund(payment.id, 700)
    await j.settle()
    const [entries, notes] = [await entriesOf(id), await creditNotesOf(id)]
    expect(entries.map(({ amount_cents }) => amount_cents)).toEqual([-300, -700])
    j.t.pass(40 * DAY_MS)
    const read = await j.provider.read(sub)
    expect(read?.invoices).toMatchObject([{ refunds: [{ id: `${payment.id}-refund` }] }])
    await readLater(sub)
    expect(await entriesOf(id)).toEqual(entries)
    expect(await creditNotesOf(id)).toEqual(notes)
    expect(await surplusCents()).toBe(before)
  })
})
