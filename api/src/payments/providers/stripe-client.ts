/**
 * The client of Stripe, and what its errors mean to the service.
 *
 * Messages of Stripe can quote what a payer entered, so an error of ours has only Stripe's code and parameter.
 */
import type { Stripe } from 'stripe'
import type { StripeConfig } from '../../config/payments.ts'
import { ProviderTrouble, type TroubleKind } from '../provider.ts'
import { NOT_STRIPE, stripeHttpClient } from './stripe-http.ts'
import { stripeLibrary } from './stripe-library.ts'

/** For one attempt; the client makes two. */
const ATTEMPT_LIMIT_MS = 8_000
/** For one call of ours, which can be several requests. */
const CALL_LIMIT_MS = 19_000

/** The client for the configured key. */
export function stripeClient({ secretKey, apiBase }: StripeConfig): Stripe {
  const isSecure = apiBase.protocol === 'https:'
  const Stripe = stripeLibrary()
  return new Stripe(secretKey, {
    host: apiBase.hostname,
    port: apiBase.port === '' ? (isSecure ? 443 : 80) : apiBase.port,
    protocol: isSecure ? 'https' : 'http',
    timeout: ATTEMPT_LIMIT_MS,
    httpClient: stripeHttpClient(),
    maxNetworkRetries: 1,
    telemetry: false,
  })
}

/** Errors of a connection that was never made. */
const NOT_SENT = /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : ''

/** The operator has to pay in before Stripe refunds: what was wanted is repeated until then. */
const WITHOUT_FUNDS = 'balance_insufficient'

function kindOf(error: InstanceType<typeof Stripe.errors.StripeError>): TroubleKind {
  const { errors } = stripeLibrary()
  if (error instanceof errors.StripeConnectionError) {
    return NOT_SENT.test(codeOf(error.detail)) ? 'unavailable' : 'unknown'
  }
  if (error instanceof errors.StripeRateLimitError || error.statusCode === 409) return 'unavailable'
  if (error.code === WITHOUT_FUNDS) return 'unavailable'
  // The operator has to correct the key: what was wanted is repeated until then.
  if (
    error instanceof errors.StripeAuthenticationError ||
    error instanceof errors.StripePermissionError
  ) {
    return 'unavailable'
  }
  if (error.code === NOT_STRIPE) return 'unknown'
  const status = error.statusCode ?? 500
  return status >= 500 ? 'unknown' : 'refused'
}

/** What failed, as the callers of a provider know it. */
function troubleOf(error: unknown): unknown {
  if (error instanceof ProviderTrouble || !(error instanceof stripeLibrary().errors.StripeError))
    return error
  const kind = kindOf(error)
  const code = error.code ?? error.type
  const about = error.param === undefined ? '' : ` (${error.param})`
  const said = {
    refused: 'refused the call',
    unavailable: 'is not available',
    unknown: 'gave no clear answer',
  }
  return new ProviderTrouble('stripe', kind, `Stripe ${said[kind]}: ${code}${about}`, { code })
}

/** Does the requests of one call within the limit. @throws ProviderTrouble */
export async function withStripe<T>(work: () => Promise<T>): Promise<T> {
  const { promise: timeUp, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    reject(new ProviderTrouble('stripe', 'unknown', 'Stripe gave no answer in time'))
  }, CALL_LIMIT_MS)
  try {
    return await Promise.race([work(), timeUp])
  } catch (error) {
    throw troubleOf(error)
  } finally {
    clearTimeout(timer)
  }
}

/** What a request finds; undefined: it does not exist at Stripe. */
export async function found<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request
  } catch (error) {
    if (
      error instanceof stripeLibrary().errors.StripeInvalidRequestError &&
      error.statusCode === 404
    ) {
      return undefined
    }
    throw error
  }
}

/** Refused by us: Stripe has something that the service never sells or changes. */
export const refused = (message: string, code: string | null = null) =>
  new ProviderTrouble('stripe', 'refused', message, { code })

/** Stripe's times are seconds. */
export const dateOf = (seconds: number): Date => new Date(seconds * 1_000)
export const dateOrNull = (seconds: number | null | undefined): Date | null =>
  seconds === null || seconds === undefined ? null : dateOf(seconds)

/** Rounded up: a plan that was paid for does not end early. */
export const secondsOf = (date: Date): number => Math.ceil(date.getTime() / 1_000)

/** The id of something that is expanded or not. */
export function idOf(value: string | { readonly id: string } | null | undefined): string | null {
  if (value === null || value === undefined) return null
  return typeof value === 'string' ? value : value.id
}
