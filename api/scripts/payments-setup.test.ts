/** `npm run payments:setup` as an operator runs it. */
import { afterEach, expect, test } from 'vitest'
import { StripeServer } from '../../test/payment-servers/stripe-server.ts'
import { setUpProvider } from '../src/payments/set-up-provider.ts'
import { stripeProvider } from '../src/payments/providers/stripe.ts'
import { useOperator } from '../test/support/operator.ts'
import { query } from '../src/database/sql.ts'

const t = useOperator()
const open: StripeServer[] = []
afterEach(async () => {
  for (const server of open.splice(0)) await server.close()
})

test('without keys, it says what is missing', () => {
  expect(t.run('payments-setup', [])).toMatchObject({
    status: 64,
    stderr: expect.stringContaining('STRIPE_SECRET_KEY'),
  })
})

test('running it again changes nothing', async () => {
  const server = await StripeServer.start()
  open.push(server)
  const provider = stripeProvider(
    {
      secretKey: server.secretKey,
      webhookSecret: server.webhookSecret,
      apiBase: new URL(server.origin),
      isTest: true,
      realm: 'setup',
    },
    () => new Date(),
  )
  const { knex } = t.world
  const lines = await setUpProvider(knex, provider)
  expect(lines.map((line) => line.replace(/ \S+$/, ''))).toEqual([
    'stripe test pro monthly 1000 USD',
    'stripe test elite monthly 2500 USD',
    'stripe test pro annual 11000 USD',
    'stripe test elite annual 27500 USD',
  ])
  expect(await setUpProvider(knex, provider)).toEqual(lines)
  const stored = await query(knex, `select 1 from provider_prices where realm = 'setup'`)
  expect(stored).toHaveLength(4)
  expect(server.calls.filter((call) => call === 'POST /v1/prices')).toHaveLength(4)
})
