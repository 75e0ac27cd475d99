/** Trouble at a provider as refusals for people. */
import { Refusal } from '../rules/errors.ts'
import {
  type PaymentProvider,
  type PaymentProviders,
  type ProviderName,
  ProviderTrouble,
} from './provider.ts'
import type { WishOutcome } from './wishes.ts'

/** For all calls of providers that one call of the API makes, in milliseconds; clients wait for 30 s. */
export const CALL_LIMIT_MS = 25_000

const NAMES = { stripe: 'Stripe', paypal: 'PayPal' } as const
const RETRY_AFTER_SECONDS = 30

/** Providers that are not configured, in the words of the specification. */
const WITHOUT_KEYS = {
  stripe: 'Payments are not available on this service.',
  paypal: 'PayPal is not configured. Please contact support.',
} as const

/** @throws Refusal `payments-unavailable` when the provider has no keys */
export function configuredProvider(
  payments: PaymentProviders,
  name: ProviderName,
): PaymentProvider {
  const provider = payments[name]
  if (provider === undefined) throw new Refusal('payments-unavailable', WITHOUT_KEYS[name])
  return provider
}

/** The provider did not answer, or not clearly. @param then what that means for the caller, as a sentence */
export const noAnswer = (name: ProviderName, then: string) =>
  new Refusal('provider-unavailable', `${NAMES[name]} does not respond at the moment. ${then}`, {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })

const refusedByProvider = (name: ProviderName, code: string | null) =>
  new Refusal(
    'provider-unavailable',
    `${NAMES[name]} refused the call${code === null ? '' : ` (${code})`}. Please contact support.`,
  )

/** The plan has ended already. */
export const refusedRefund = (name: ProviderName) =>
  new Refusal(
    'provider-unavailable',
    `Your plan has ended, but ${NAMES[name]} refused the refund. Please contact support.`,
  )

/** What the owner reads about a request that a job repeats. */
export const DONE_LATER =
  'Your request is saved. The service retries until the provider confirms it.'

/** The provider refused what a job repeats nevertheless: what we decided holds here. */
export const refusedForNow = (name: ProviderName) =>
  new Refusal('provider-unavailable', `${NAMES[name]} refused the call. ${DONE_LATER}`, {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })

export const NOTHING_DONE = 'Nothing was changed or charged. Please try again in a minute.'

/** Ends the wait for a provider. @throws ProviderTrouble `unknown` */
export async function withinLimit<T>(
  name: ProviderName,
  work: Promise<T>,
  limitMs = CALL_LIMIT_MS,
): Promise<T> {
  const { promise: timeUp, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    reject(new ProviderTrouble(name, 'unknown', `${name} took too long`))
  }, limitMs)
  try {
    return await Promise.race([work, timeUp])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Calls a provider for a call of the API.
 *
 * @param then what no answer means for the caller by then
 * @throws Refusal `provider-unavailable` for trouble at the provider
 */
export async function askProvider<T>(
  name: ProviderName,
  work: () => Promise<T>,
  then: () => string = () => NOTHING_DONE,
): Promise<T> {
  try {
    return await withinLimit(name, work())
  } catch (error) {
    if (!(error instanceof ProviderTrouble)) throw error
    throw error.kind === 'refused' ? refusedByProvider(name, error.code) : noAnswer(name, then())
  }
}

/**
 * Waits for a wish that was stored before the provider was called.
 *
 * @param options.whenRefused what to answer if the provider does not do it
 * @param options.limitMs what is left of the limit of the call
 * @throws Refusal `provider-unavailable` if the provider has not confirmed it; a job repeats it
 */
export async function requireConfirmed(
  name: ProviderName,
  work: Promise<WishOutcome | undefined>,
  options: { readonly whenRefused?: Refusal; readonly limitMs?: number } = {},
): Promise<void> {
  const { whenRefused = refusedByProvider(name, null), limitMs } = options
  let outcome: WishOutcome | undefined
  try {
    outcome = await withinLimit(name, work, limitMs)
  } catch (error) {
    if (!(error instanceof ProviderTrouble)) throw error
    outcome = 'stored'
  }
  if (outcome === 'stored') throw noAnswer(name, DONE_LATER)
  if (outcome === 'refused') throw whenRefused
}
