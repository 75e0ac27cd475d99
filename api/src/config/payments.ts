/**
 * Keys of the payment providers. All are optional: without them, nothing is sold. A half configuration would take money
 * and never hear of it, so it stops the start.
 */
import { createHash } from 'node:crypto'
import { ConfigError, hidden } from './config-error.ts'
import { configGroup } from './config-loader.ts'
import * as parse from './parsers.ts'
import { isProduction } from './process-settings.ts'
import type { Variables } from './variables.ts'
import { supportContact } from './operator.ts'

const STRIPE = ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET', 'STRIPE_API_BASE'] as const
const PAYPAL = [
  'PAYPAL_CLIENT_ID',
  'PAYPAL_CLIENT_SECRET',
  'PAYPAL_WEBHOOK_ID',
  'PAYPAL_API_BASE',
] as const
const VARIABLES = [
  'NODE_ENV',
  'ZONES',
  'SUPPORT_EMAIL',
  'ALLOW_TEST_PAYMENTS',
  ...STRIPE,
  ...PAYPAL,
] as const
type PaymentVariables = Variables<(typeof VARIABLES)[number]>

const STRIPE_LIVE = 'https://api.stripe.com'
const PAYPAL_LIVE = 'https://api-m.paypal.com'
/** The former host answers too. Every other host is the sandbox, or a server for tests. */
const PAYPAL_LIVE_ORIGINS: readonly string[] = [PAYPAL_LIVE, 'https://api.paypal.com']
/** `sk_live_51` and the account. */
const STRIPE_ACCOUNT_CHARACTERS = 24
const ORIGIN = 'an origin such as https://api.example.net, without a path'

export interface StripeConfig {
  readonly secretKey: string
  readonly webhookSecret: string
  readonly apiBase: URL
  readonly isTest: boolean
  /** Tells accounts and modes apart without showing the key. */
  readonly realm: string
}

export interface PaypalConfig {
  readonly clientId: string
  readonly clientSecret: string
  readonly webhookId: string
  readonly apiBase: URL
  readonly isTest: boolean
  readonly realm: string
}

export interface PaymentsConfig {
  /** Undefined: cards are not taken. */
  readonly stripe: StripeConfig | undefined
  /** Undefined: PayPal is not offered. */
  readonly paypal: PaypalConfig | undefined
  /** For questions about payments. */
  readonly supportEmail: string
}

/** @throws ConfigError for a key without its others, and for a test key in production */
export const payments = configGroup(VARIABLES, (variables) => {
  const allowsTest = variables.value(
    'ALLOW_TEST_PAYMENTS',
    '1, or nothing',
    (text) => (text === '1' ? true : undefined),
    false,
  )
  const refusesTest = isProduction(variables) && !allowsTest
  return {
    payments: {
      stripe: stripeOf(variables, refusesTest),
      paypal: paypalOf(variables, refusesTest),
      ...supportContact.read(variables),
    } satisfies PaymentsConfig,
  }
})

const realmOf = (...parts: string[]) =>
  createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 16)

function stripeOf(variables: PaymentVariables, refusesTest: boolean): StripeConfig | undefined {
  const key = variables.secret(
    'STRIPE_SECRET_KEY',
    'a secret or restricted key of Stripe (sk_…, rk_…)',
    (text) => (/^(?:sk|rk)_(?:test|live)_[\w-]+$/.test(text) ? text : undefined),
  )
  if (key === undefined) return refuseOrphans(variables, STRIPE, 'STRIPE_SECRET_KEY')
  const webhookSecret = variables.secret(
    'STRIPE_WEBHOOK_SECRET',
    'the signing secret of the webhook (whsec_…)',
    (text) => (/^whsec_[!-~]+$/.test(text) ? text : undefined),
  )
  if (webhookSecret === undefined) {
    throw new ConfigError(
      'STRIPE_WEBHOOK_SECRET',
      undefined,
      'the signing secret of the webhook (whsec_…) with STRIPE_SECRET_KEY',
    )
  }
  const isTest = key.includes('_test_')
  if (isTest && refusesTest) {
    throw new ConfigError(
      'STRIPE_SECRET_KEY',
      hidden(key),
      'a live key (sk_live_…) with NODE_ENV=production, or ALLOW_TEST_PAYMENTS=1',
    )
  }
  const apiBase = variables.value('STRIPE_API_BASE', ORIGIN, parse.origin, new URL(STRIPE_LIVE))
  if (refusesTest && apiBase.protocol !== 'https:') {
    const takes = 'an https origin with NODE_ENV=production'
    throw new ConfigError('STRIPE_API_BASE', apiBase.origin, takes)
  }
  // A key that was rolled keeps the account in its first characters.
  const account = key.slice(0, STRIPE_ACCOUNT_CHARACTERS)
  return { secretKey: key, webhookSecret, apiBase, isTest, realm: realmOf(account, apiBase.origin) }
}

function paypalOf(variables: PaymentVariables, refusesTest: boolean): PaypalConfig | undefined {
  const clientId = variables.optional(
    'PAYPAL_CLIENT_ID',
    'the client id of the app at PayPal',
    (text) => (/^[!-~]+$/.test(text) ? text : undefined),
  )
  if (clientId === undefined) return refuseOrphans(variables, PAYPAL, 'PAYPAL_CLIENT_ID')
  const required = (name: 'PAYPAL_CLIENT_SECRET' | 'PAYPAL_WEBHOOK_ID', what: string) => {
    const text = variables.secret(name, what, parse.textFrom(1))
    if (text === undefined) throw new ConfigError(name, undefined, `${what} with PAYPAL_CLIENT_ID`)
    return text
  }
  const clientSecret = required('PAYPAL_CLIENT_SECRET', 'the secret of the app at PayPal')
  const webhookId = required('PAYPAL_WEBHOOK_ID', 'the id of the webhook at PayPal')
  const apiBase = variables.value('PAYPAL_API_BASE', ORIGIN, parse.origin, new URL(PAYPAL_LIVE))
  const isTest = !PAYPAL_LIVE_ORIGINS.includes(apiBase.origin)
  if (isTest && refusesTest) {
    const takes = `${PAYPAL_LIVE} with NODE_ENV=production, or ALLOW_TEST_PAYMENTS=1`
    throw new ConfigError('PAYPAL_API_BASE', apiBase.origin, takes)
  }
  return {
    clientId,
    clientSecret,
    webhookId,
    apiBase,
    isTest,
    realm: realmOf(clientId, apiBase.origin),
  }
}

/** A secret of a provider whose key is missing is a mistake of the operator; an address alone does no harm. */
function refuseOrphans(
  variables: PaymentVariables,
  names: readonly (typeof VARIABLES)[number][],
  key: 'STRIPE_SECRET_KEY' | 'PAYPAL_CLIENT_ID',
): undefined {
  for (const name of names) {
    const text = variables.text(name)
    const isAddress = name.endsWith('_API_BASE')
    if (text !== undefined && !isAddress)
      throw new ConfigError(name, hidden(text), `no value without ${key}`)
  }
  return undefined
}
