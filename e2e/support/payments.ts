/** A service that sells plans at the payment servers of this process, with a clock that a test moves. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll } from 'vitest'
import { TestClock } from '../../test/payment-servers/clock.ts'
import { PayPalServer } from '../../test/payment-servers/paypal-server.ts'
import { StripeServer } from '../../test/payment-servers/stripe-server.ts'
import { endSharedPagesOf } from './browser.ts'
import { ROOT, type Stack, type StackOptions, startStack, temporaryDataDir } from './stack.ts'

const DAY_MS = 86_400_000

/** Both providers, and the time of providers and service. */
export class PaymentWorld {
  readonly stripe: StripeServer
  readonly paypal: PayPalServer
  readonly #clock: TestClock
  readonly #file: string
  #offsetMs = 0

  private constructor(clock: TestClock, file: string, servers: [StripeServer, PayPalServer]) {
    this.#clock = clock
    this.#file = file
    ;[this.stripe, this.paypal] = servers
  }

  /** @param folder for the file with the time */
  static async start(folder: string): Promise<PaymentWorld> {
    const clock = new TestClock()
    const file = join(folder, 'clock-offset')
    writeFileSync(file, '0\n')
    const options = { clock, signingTime: () => clock.now() }
    const [stripe, paypal] = await Promise.all([
      StripeServer.start(options),
      PayPalServer.start(options),
    ])
    return new PaymentWorld(clock, file, [stripe, paypal])
  }

  /** The variables of the service. */
  get env(): Readonly<Record<string, string>> {
    const { stripe, paypal } = this
    const clock = pathToFileURL(join(ROOT, 'e2e/support/moved-clock.ts'))
    clock.searchParams.set('file', this.#file)
    return {
      STRIPE_SECRET_KEY: stripe.secretKey,
      STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
      STRIPE_API_BASE: stripe.origin,
      PAYPAL_CLIENT_ID: paypal.clientId,
      PAYPAL_CLIENT_SECRET: paypal.clientSecret,
      PAYPAL_WEBHOOK_ID: paypal.webhookId,
      PAYPAL_API_BASE: paypal.origin,
      NODE_OPTIONS: `--import=${clock.href}`,
    }
  }

  /** Sends events to a service. */
  deliverTo(origin: string): void {
    this.stripe.deliveries.url = `${origin}/api/payments/webhooks/stripe`
    this.paypal.deliveries.url = `${origin}/api/payments/webhooks/paypal`
  }

  /**
   * Lets days pass, for the service and for both providers, which do what is due meanwhile. Events are delivered on the day
   * on which they occur: the service refuses one of PayPal that is more than four days old.
   */
  async passDays(days: number): Promise<void> {
    for (let day = 0; day < days; day += 1) {
      this.#offsetMs += DAY_MS
      writeFileSync(this.#file, `${this.#offsetMs}\n`)
      this.#clock.advance(DAY_MS)
      await this.idle()
    }
  }

  /** Waits until all events are delivered. */
  async idle(): Promise<void> {
    await Promise.all([this.stripe.deliveries.idle(), this.paypal.deliveries.idle()])
  }

  async close(): Promise<void> {
    await Promise.all([this.stripe.close(), this.paypal.close()])
  }
}

/** A service and the payment servers at which it sells plans. */
export interface Shop {
  readonly stack: Stack
  readonly payments: PaymentWorld
}

/** Starts a service that sells plans before the tests of a file or `describe`, and stops it after them. @param env of the service */
export function useShop(env: StackOptions['env'] = {}): () => Shop {
  const folder = temporaryDataDir()
  let shop: Shop | undefined
  let payments: PaymentWorld | undefined
  beforeAll(async () => {
    payments = await PaymentWorld.start(folder.path)
    const stack = await startStack({
      dataDir: folder.path,
      env: { RATE_LIMITS: 'off', ALLOW_PRIVATE_TARGETS: '1', ...env, ...payments.env },
    })
    payments.deliverTo(stack.url)
    shop = { stack, payments }
  })
  afterAll(async () => {
    if (shop !== undefined) await endSharedPagesOf(shop.stack.url)
    await shop?.stack.stop()
    await payments?.close()
    folder.remove()
  })
  return () => {
    if (shop === undefined) throw new Error('the service has not started')
    return shop
  }
}
