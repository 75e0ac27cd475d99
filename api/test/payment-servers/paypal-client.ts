/** A small client of PayPal's API over undici, as the service has it. */
import { request } from 'undici'
import { TestClock } from '../../../test/payment-servers/clock.ts'
import {
  PayPalServer,
  type PayPalServerOptions,
} from '../../../test/payment-servers/paypal-server.ts'

export const DAY_MS = 86_400_000
export const START = Date.parse('2026-03-10T09:00:00Z')

export interface Result {
  readonly status: number
  // oxlint-disable-next-line typescript/no-explicit-any -- What PayPal answers is judged by the tests.
  readonly body: any
}

export interface PayPalSetting extends AsyncDisposable {
  readonly server: PayPalServer
  readonly plans: { readonly pro: string; readonly proYear: string; readonly elite: string }
  readonly call: (
    method: 'GET' | 'POST',
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<Result>
  readonly token: () => Promise<string>
}

export async function tokenOf(server: PayPalServer, secret = server.clientSecret): Promise<Result> {
  const credential = Buffer.from(`${server.clientId}:${secret}`).toString('base64')
  const { statusCode, body } = await request(`${server.origin}/v1/oauth2/token`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${credential}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
  })
  return { status: statusCode, body: await body.json() }
}

function planBody(product: string, name: string, value: string, unit: 'MONTH' | 'YEAR') {
  return {
    product_id: product,
    name,
    billing_cycles: [
      {
        tenure_type: 'REGULAR',
        sequence: 1,
        total_cycles: 0,
        frequency: { interval_unit: unit, interval_count: 1 },
        pricing_scheme: { fixed_price: { value, currency_code: 'USD' } },
      },
    ],
    payment_preferences: { auto_bill_outstanding: true, payment_failure_threshold: 1 },
  }
}

/** A server with the product and plans of the service. */
export async function paypalSetting(options: PayPalServerOptions = {}): Promise<PayPalSetting> {
  const server = await PayPalServer.start({ clock: new TestClock(() => START), ...options })
  const token = async () => (await tokenOf(server)).body.access_token as string
  const call: PayPalSetting['call'] = async (method, path, given, headers = {}) => {
    const { statusCode, body } = await request(`${server.origin}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${await token()}`,
        'content-type': 'application/json',
        ...headers,
      },
      ...(given !== undefined && { body: JSON.stringify(given) }),
    })
    const text = await body.text()
    return { status: statusCode, body: text === '' ? undefined : JSON.parse(text) }
  }
  const product = (
    await call('POST', '/v1/catalogs/products', { id: 'HOMING', name: 'Homing', type: 'SERVICE' })
  ).body.id
  const plan = async (name: string, value: string, unit: 'MONTH' | 'YEAR') =>
    (await call('POST', '/v1/billing/plans', planBody(product, name, value, unit))).body
      .id as string
  const plans = {
    pro: await plan('Pro', '10.00', 'MONTH'),
    proYear: await plan('Pro, annual', '110.00', 'YEAR'),
    elite: await plan('Elite', '25.00', 'MONTH'),
  }
  return { server, plans, call, token, [Symbol.asyncDispose]: () => server.close() }
}

export const subscriptionOf = (plan: string, more: Record<string, unknown> = {}) => ({
  plan_id: plan,
  custom_id: 'checkout-1',
  subscriber: { email_address: 'ada@example.com' },
  application_context: {
    user_action: 'SUBSCRIBE_NOW',
    return_url: 'http://localhost/payment-success',
    cancel_url: 'http://localhost/payment-cancelled',
  },
  ...more,
})

/** A subscription that the payer has approved. */
export async function approved(
  { call, server }: PayPalSetting,
  plan: string,
  more: Record<string, unknown> = {},
) {
  const { body } = await call('POST', '/v1/billing/subscriptions', subscriptionOf(plan, more))
  const url = body.links.find(({ rel }: { rel: string }) => rel === 'approve').href as string
  const location = await server.approve(url)
  return {
    id: body.id as string,
    url,
    location,
    path: `/v1/billing/subscriptions/${body.id as string}`,
  }
}
