/** The life of a plan that is paid at PayPal, from the events to the account. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DAY_MS } from '../../test/support/payment-world.ts'
import { openPaypalJourney, type PaypalJourney } from '../../test/support/paypal-journey.ts'
import { resumeRenewal, stopRenewal } from './wishes.ts'

let j: PaypalJourney
beforeAll(async () => {
  j = await openPaypalJourney()
})
afterAll(async () => j.end())

const statusAt = async (id: string) => (await j.provider.read(id))?.providerStatus

describe('a plan that is paid at PayPal', () => {
  test('is active once approved, renews, stops, resumes, and ends by our clock', async () => {
    const { id } = await j.t.person()
    const sub = await j.buy(id)
    expect(await j.t.planOf(id)).toBe('pro')
    await j.after(31 * DAY_MS)
    expect(j.server.books.sumCents()).toBe(2_000)
    expect(await stopRenewal(j.t.services, id)).toBe('done')
    await j.settle()
    const stopped = await j.t.row(sub)
    expect(stopped).toMatchObject({ state: 'canceled', provider_status: 'SUSPENDED' })
    expect(stopped.ends_at).toEqual(stopped.paid_until)
    expect(await resumeRenewal(j.t.services, id)).toBe('done')
    await j.settle()
    expect(await j.t.row(sub)).toMatchObject({ state: 'active', ends_at: null })
    await stopRenewal(j.t.services, id)
    await j.after((stopped.ends_at?.getTime() ?? 0) - j.t.now.getTime() - DAY_MS)
    expect(await j.t.planOf(id)).toBe('pro')
    await j.after(2 * DAY_MS)
    expect(await j.t.planOf(id)).toBe('free')
    expect(await j.t.row(sub)).toMatchObject({ state: 'ended', end_reason: 'canceled' })
    expect(await statusAt(sub)).toBe('CANCELLED')
    expect(await j.t.ledgerSum('paypal')).toBe(j.server.books.sumCents())
  })

  test('that the payer cancels at PayPal is kept until it is used up', async () => {
    const { id } = await j.t.person()
    const sub = await j.buy(id)
    j.server.payerCancels(sub)
    await j.settle()
    expect(await j.t.row(sub)).toMatchObject({ state: 'canceled', stopped_by: 'provider' })
    expect(await j.t.planOf(id)).toBe('pro')
    await j.after(32 * DAY_MS)
    expect(await j.t.planOf(id)).toBe('free')
  })

  test('is upgraded by a new subscription that begins to charge later; the old one is cancelled', async () => {
    const { id } = await j.t.person()
    const old = await j.buy(id)
    const { id: replaces } = await j.t.row(old)
    const startsAt = new Date(j.t.now.getTime() + 12 * DAY_MS)
    const before = j.server.books.sumCents()
    const next = await j.buy(id, { price: 'elite_monthly', purpose: 'change', replaces, startsAt })
    expect(await j.t.planOf(id)).toBe('elite')
    expect(await statusAt(old)).toBe('CANCELLED')
    expect(await j.t.row(old)).toMatchObject({ state: 'ended', end_reason: 'replaced' })
    expect(j.server.books.sumCents()).toBe(before)
    await j.after(13 * DAY_MS)
    expect(j.server.books.sumCents()).toBe(before + 2_500)
    expect(await j.t.row(next)).toMatchObject({ state: 'active' })
  })

  test('follows one at Stripe when that ends', async () => {
    const { id } = await j.t.person()
    const card = await j.t.buy(id)
    await stopRenewal(j.t.services, id)
    await j.settle()
    const { id: replaces, ends_at: startsAt } = await j.t.row(card)
    if (startsAt === null) throw new Error('it ends')
    const sub = await j.buy(id, { price: 'elite_monthly', purpose: 'switch', replaces, startsAt })
    expect(await j.t.planOf(id)).toBe('pro')
    expect(await j.t.row(sub)).toMatchObject({ state: 'incomplete' })
    await j.after(startsAt.getTime() - j.t.now.getTime() + DAY_MS)
    expect(await j.t.row(sub)).toMatchObject({ state: 'active' })
    expect(await j.t.row(card)).toMatchObject({ state: 'ended' })
    expect(await j.t.planOf(id)).toBe('elite')
  })

  test('ends when PayPal takes the payment back', async () => {
    const { id } = await j.t.person()
    const sub = await j.buy(id)
    j.server.reverse(j.server.lastSale(sub).id)
    await j.settle()
    expect(await j.t.row(sub)).toMatchObject({ state: 'ended', end_reason: 'disputed' })
    expect(await j.t.planOf(id)).toBe('free')
    expect(await statusAt(sub)).toBe('CANCELLED')
  })

  test('is kept while a payment is disputed, and continues when the dispute is won', async () => {
    const { id } = await j.t.person()
    const sub = await j.buy(id)
    const dispute = j.server.dispute(j.server.lastSale(sub).id)
    await j.settle()
    expect(await j.t.row(sub)).toMatchObject({ state: 'disputed' })
    expect(await j.t.planOf(id)).toBe('pro')
    j.server.decideDispute(dispute, true)
    await j.settle()
    expect(await j.t.row(sub)).toMatchObject({ state: 'active' })
    expect(await j.t.planOf(id)).toBe('pro')
  })

  test('is cancelled and paid back when the account already pays at Stripe', async () => {
    const { id } = await j.t.person()
    const card = await j.t.buy(id)
    const before = j.server.books.sumCents()
    j.server.faults.actThenDrop(1, /refund$/)
    const sub = await j.buy(id)
    expect(await j.t.row(sub)).toMatchObject({ is_surplus: true, end_reason: 'surplus' })
    expect(await j.t.row(card)).toMatchObject({ state: 'active' })
    expect(await statusAt(sub)).toBe('CANCELLED')
    expect(j.server.books.sumCents()).toBe(before)
  })

  test('with a missing payment has 14 days of grace, then it is cancelled', async () => {
    const { id } = await j.t.person()
    const sub = await j.buy(id)
    j.server.payerOf(sub, 'declines')
    await j.after(31 * DAY_MS)
    expect(await j.t.row(sub)).toMatchObject({ state: 'past_due' })
    await j.after(11 * DAY_MS)
    expect(await j.t.planOf(id)).toBe('pro')
    await j.after(4 * DAY_MS)
    expect(await j.t.row(sub)).toMatchObject({ state: 'ended', end_reason: 'unpaid' })
    expect(await statusAt(sub)).toBe('CANCELLED')
  })

  test('leaves the books and the ledger equal', async () => {
    await j.settle()
    expect(await j.t.ledgerSum('paypal')).toBe(j.server.books.sumCents())
    const rows = await j.t.sql<{ line: string }>(
      `select kind || ' ' || provider_id || ' ' || amount_cents as line from ledger_entries where provider = 'paypal'`,
    )
    expect(rows.map(({ line }) => line).toSorted()).toEqual(j.server.books.lines())
  })
})
