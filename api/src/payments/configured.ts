/** The payment providers of the configuration. */
import type { PaymentMethods } from '@homing/openapi'
import type { PaymentsConfig } from '../config/payments.ts'
import type { OutgoingHttp } from '../integrations/outgoing-http/outgoing-http.ts'
import type { PaymentProviders } from './provider.ts'
import { paypalProvider } from './providers/paypal.ts'
import { stripeProvider } from './providers/stripe.ts'

export interface ProviderOptions {
  readonly config: { readonly payments: PaymentsConfig }
  /** PayPal is called through it. Stripe's SDK has its own client. */
  readonly outgoing: OutgoingHttp
  /** The present time. */
  readonly now: () => Date
}

/** What makes a provider of its configuration; undefined: it has no keys. */
type Configured = (options: ProviderOptions) => PaymentProviders

/** One for each provider. */
const CONFIGURED: readonly Configured[] = [
  ({ config, now }) => {
    const { stripe } = config.payments
    return stripe === undefined ? {} : { stripe: stripeProvider(stripe, now) }
  },
  ({ config, outgoing, now }) => {
    const { paypal } = config.payments
    return paypal === undefined ? {} : { paypal: paypalProvider(paypal, { outgoing, now }) }
  },
]

/** The providers that have keys. */
export function paymentProvidersOf(options: ProviderOptions): PaymentProviders {
  return Object.assign({}, ...CONFIGURED.map((each) => each(options)))
}

/** How plans can be paid for. A provider without keys is undefined. */
export const paymentMethodsOf = ({
  stripe,
  paypal,
}: {
  readonly stripe?: unknown
  readonly paypal?: unknown
}): PaymentMethods => ({ card: stripe !== undefined, paypal: paypal !== undefined })
