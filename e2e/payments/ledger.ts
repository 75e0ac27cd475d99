/**
 * The books: after events that came shuffled, three times, late and mixed with forgeries, the ledger of the service has the same
 * entries as the books of the payment servers, and no forgery was accepted.
 */
import { Client } from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { byForm } from '../../test/test-form.ts'
import { registerAccount } from '../support/accounts.ts'
import type { PaymentWorld, Shop } from '../support/payments.ts'
import { eventually, type Stack } from '../support/stack.ts'
import { embeddedUrl } from '../support/tables.ts'

const PAYERS = byForm({ short: 6, long: 60 })
const MONTHS = byForm({ short: 2, long: 6 })
const COPIES = 3
const DELAY_MS = 200
const FORGED_PERCENT = 5
const MONTH_DAYS = 32

/** What no log may quote. */
const billingDetails = {
  firstName: 'Hypatia',
  lastName: 'Unwritten',
  email: 'hypatia@billing.example',
  address: '77 Untold Lane',
  city: 'Quietville',
  state: 'OR',
  zipCode: '97999-1234',
  country: 'US',
}
const CARD = '4242424242424242'

/** Kinds and amounts: the providers' ids of a payment are those of the charge or of the intent. */
const withoutIds = (lines: readonly string[]) =>
  lines.map((line) => line.replace(/ \S+ /, ' ')).sort()

export function testLedger(shop: () => Shop): void {
  describe('the books', () => {
    let stack: Stack
    let payments: PaymentWorld

    beforeAll(() => {
      ;({ stack, payments } = shop())
      for (const { deliveries } of [payments.stripe, payments.paypal]) {
        deliveries.shuffle()
        deliveries.duplicate(COPIES)
        deliveries.delay(DELAY_MS)
        deliveries.forge(FORGED_PERCENT)
      }
    })

    /** Buys a plan as a new account. */
    async function buy(at: number): Promise<void> {
      const { api } = await registerAccount(stack, `payer${at}`)
      const provider = at % 2 === 0 ? 'stripe' : 'paypal'
      const plan = at % 3 === 0 ? 'elite' : 'pro'
      const body = { plan, billing: 'monthly', provider, billingDetails } as const
      const { data } = await api.POST('/api/payments/create-checkout-session', { body })
      if (provider === 'stripe') await payments.stripe.pay(data?.checkoutUrl ?? '')
      else await payments.paypal.approve(data?.approvalUrl ?? '')
    }

    /** Kind, source and amount of each entry of the ledger, as the books write them. */
    async function ledgerLines(provider: 'stripe' | 'paypal'): Promise<string[]> {
      const client = new Client({ connectionString: embeddedUrl(stack.dataDir) })
      await client.connect()
      try {
        const { rows } = await client.query<{ kind: string; id: string; cents: number }>(
          'select kind, provider_id as id, amount_cents as cents from ledger_entries where provider = $1',
          [provider],
        )
        return rows.map(({ kind, id, cents }) => `${kind} ${id} ${cents}`).sort()
      } finally {
        await client.end()
      }
    }

    test('the ledger equals the books of the providers, and no forgery was accepted', async () => {
      for (let at = 0; at < PAYERS; at += 1) await buy(at)
      const { stripe, paypal } = payments
      for (let month = 0; month < MONTHS; month += 1) {
        // What is signed in one month cannot be delivered in the next.
        await payments.idle()
        await payments.passDays(MONTH_DAYS)
      }
      // What failed is logged.
      stripe.faults.fail5xx(4)
      paypal.faults.fail5xx(4)
      const charged = stripe.world.all('charge').find(({ paid, refunded }) => paid && !refunded)
      stripe.refund(charged?.id ?? '')
      paypal.refund(paypal.lastSale([...paypal.world.agreements.keys()].at(-1) ?? '').id, 100)
      await payments.idle()

      for (const [name, server] of [
        ['stripe', stripe],
        ['paypal', paypal],
      ] as const) {
        const books = withoutIds(server.books.lines())
        expect(books.length).toBeGreaterThan(PAYERS / 2)
        await eventually(
          async () => withoutIds(await ledgerLines(name)),
          (lines) => lines.join('\n') === books.join('\n'),
          90_000,
        )
        const forged = server.deliveries.forgedAnswers
        expect(forged.filter((status) => status < 400)).toEqual([])
        expect(server.deliveries.lost).toEqual([])
      }
      const forgeries = [stripe, paypal].flatMap(({ deliveries }) => deliveries.forgedAnswers)
      expect(forgeries.length).toBeGreaterThan(0)
    }, 400_000)

    test('the log has no card, no secret and no billing address', () => {
      const { stripe, paypal } = payments
      const log = stack.log()
      expect(log).toContain('an event was refused')
      const { firstName, lastName, email, address, city, zipCode } = billingDetails
      const payers = [...paypal.world.agreements.values()].map(({ payer }) => payer.email)
      const secrets = [stripe.secretKey, stripe.webhookSecret, paypal.clientSecret, 'Bearer ']
      const details = [firstName, lastName, email, address, city, zipCode, CARD, ...payers]
      expect([...secrets, ...details].filter((text) => log.includes(text))).toEqual([])
    })
  })
}
