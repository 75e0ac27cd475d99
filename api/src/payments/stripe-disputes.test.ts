/** What becomes of a plan and of the ledger when a payer disputes a payment at Stripe. */
import type { AdminLedgerEntry } from '@homing/openapi'
import { expect, test } from 'vitest'
import type { Caller } from '../../test/support/api-world.ts'
import { DAY_MS, useStripeWorld } from '../../test/support/stripe-world.ts'
import { query } from '../database/sql.ts'

const use = useStripeWorld()

/** Somebody whose only payment is disputed, or asked about. */
async function disputed(how: 'dispute' | 'inquiry' = 'dispute') {
  const { t } = use
  const payer = await t.person()
  await t.buy(payer)
  const [row] = await query<{ provider_id: string }>(
    t.world.knex,
    'select provider_id from subscriptions where user_id = ?',
    [payer.id],
  )
  const subscription = row?.provider_id ?? ''
  const charge = t.server.lastCharge(subscription).id
  const id = t.server.dispute(charge, how)
  await t.settle()
  return { payer, subscription, charge, id }
}

/** Kinds and amounts of the entries of some objects at Stripe, the oldest first. */
async function entriesOf(...ids: string[]): Promise<string[]> {
  const rows = await query<Pick<AdminLedgerEntry, 'kind' | 'amount_cents'>>(
    use.t.world.knex,
    'select kind, amount_cents from ledger_entries where provider_id = any (?::text[]) order by happened_at, id',
    [ids],
  )
  return rows.map(({ kind, amount_cents }) => `${kind} ${amount_cents}`)
}

async function standing(payer: Caller) {
  const { status, endsAt } = await use.t.status(payer)
  return { status, endsAt, plan: await use.t.planOf(payer) }
}

test('an open dispute is shown as it is and keeps the plan; a lost one ends plan and subscription', async () => {
  const { t } = use
  const { payer, subscription, charge, id } = await disputed()
  expect(await standing(payer)).toEqual({ status: 'disputed', endsAt: null, plan: 'pro' })
  expect(await entriesOf(charge, id)).toEqual(['payment 1000', 'dispute -1000'])
  const refund = await t.call(payer, 'POST', '/api/payments/refund')
  expect(refund.json()).toMatchObject({ status: 409, code: 'conflict' })

  t.server.decideDispute(id, false)
  await t.settle()
  expect(await t.status(payer)).toMatchObject({ hasSubscription: false, status: null })
  expect(await t.planOf(payer)).toBe('free')
  expect(t.server.world.need('subscription', subscription).status).toBe('canceled')
  // The fee of the dispute is the provider's: like every fee, it is not in the ledger.
  expect(await entriesOf(charge, id)).toEqual(['payment 1000', 'dispute -1000'])
  expect(await t.ledger()).toEqual(t.server.books.lines())
})

test('a dispute that is won continues the plan, and the money is in the ledger when it is back', async () => {
  const { t } = use
  const { payer, charge, id } = await disputed()
  t.server.decideDispute(id, true)
  await t.settle()
  expect(await standing(payer)).toEqual({ status: 'active', endsAt: null, plan: 'pro' })
  expect(await entriesOf(charge, id)).toEqual(['payment 1000', 'dispute -1000'])
  await t.after(2 * 3_600_000)
  expect(await entriesOf(charge, id)).toEqual(['payment 1000', 'dispute -1000', 'dispute_won 1000'])
  expect(await t.ledger()).toEqual(t.server.books.lines())
  await t.after(31 * DAY_MS)
  expect(await standing(payer)).toMatchObject({ status: 'active', plan: 'pro' })
})

test('an inquiry moves no money, and its end continues the plan', async () => {
  const { t } = use
  const { payer, charge, id } = await disputed('inquiry')
  expect(await standing(payer)).toMatchObject({ status: 'disputed', plan: 'pro' })
  t.server.decideDispute(id, true)
  await t.settle()
  expect(await standing(payer)).toMatchObject({ status: 'active', plan: 'pro' })
  expect(await entriesOf(charge, id)).toEqual(['payment 1000'])
})

test('an inquiry that becomes a dispute takes the money, and ends the plan when it is lost', async () => {
  const { t } = use
  const { payer, charge, id } = await disputed('inquiry')
  t.server.escalate(id)
  await t.settle()
  expect(await standing(payer)).toMatchObject({ status: 'disputed', plan: 'pro' })
  expect(await entriesOf(charge, id)).toEqual(['payment 1000', 'dispute -1000'])
  t.server.decideDispute(id, false)
  await t.settle()
  expect(await t.planOf(payer)).toBe('free')
})

test('a dispute of what is left after a refund takes only that', async () => {
  const { t } = use
  const payer = await t.person()
  await t.buy(payer)
  const charge = t.server.world.of('charge', await t.customerOf(payer))[0]?.id ?? ''
  t.server.refund(charge, 400)
  await t.settle()
  const id = t.server.dispute(charge)
  await t.settle()
  expect(await entriesOf(id)).toEqual(['dispute -600'])
  expect(await t.ledger()).toEqual(t.server.books.lines())
})
