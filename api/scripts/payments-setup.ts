/**
 * `npm run payments:setup`: finds or creates the products and prices of our plans at the configured payment providers,
 * and stores what stands for them. Running it again changes nothing.
 */
import { paymentSetupLoader } from '../src/config/scripts.ts'
import { databaseUrlOf } from '../src/config/database-url.ts'
import { connect } from '../src/database/connect.ts'
import { outgoingHttpOf } from '../src/integrations/outgoing-http/configured.ts'
import { paymentProvidersOf } from '../src/payments/configured.ts'
import { setUpProvider } from '../src/payments/set-up-provider.ts'
import { runScript, UsageError } from './run-script.ts'

await runScript(async () => {
  const config = paymentSetupLoader.loadOrExit()
  const knex = connect({ url: databaseUrlOf(config), applicationName: 'homing-payments-setup' })
  try {
    const outgoing = outgoingHttpOf(config)
    const providers = Object.values(paymentProvidersOf({ config, outgoing, now: () => new Date() }))
    if (providers.length === 0) {
      throw new UsageError(
        'No payment provider has keys. Set STRIPE_SECRET_KEY or PAYPAL_CLIENT_ID.',
      )
    }
    for (const provider of providers) {
      for (const line of await setUpProvider(knex, provider)) process.stdout.write(`${line}\n`)
    }
  } finally {
    await knex.destroy()
  }
})
