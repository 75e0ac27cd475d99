/** Providers, plans, states and amounts of payments in words. */
import type { AdminSubscription } from '../../api/client.ts'

export const PROVIDERS: Readonly<Record<AdminSubscription['provider'], string>> = {
  stripe: 'Stripe',
  paypal: 'PayPal',
}

export const PLANS: Readonly<Record<AdminSubscription['plan'], string>> = {
  pro: 'Pro',
  elite: 'Elite',
}

export const CYCLES: Readonly<Record<AdminSubscription['billing'], string>> = {
  monthly: 'monthly',
  annual: 'annual',
}

export const STATES: Readonly<Record<AdminSubscription['state'], string>> = {
  incomplete: 'Incomplete',
  active: 'Active',
  past_due: 'Past due',
  canceled: 'Cancelled',
  disputed: 'Disputed',
  ended: 'Ended',
}

/** The choices of a filter. */
export const choicesOf = (words: Readonly<Record<string, string>>) =>
  Object.entries(words).map(([value, label]) => ({ value, label }))

/** `$110.00`, `-$110.00`: with cents, as in the books. */
export const amountText = (cents: number, currency: string): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(cents / 100)
