/** What the user typed into the checkout, which this tab keeps: Back to Pricing and a page of the provider lose nothing. */
import { BILLING_FIELDS } from '@homing/openapi/vocabulary'
import { DEFAULT_COUNTRY } from '../../api/address-rules.ts'
import type { Me } from '../../api/account.ts'
import type { BillingDetails, Subscription } from '../../api/payments.ts'
import { forget, recall, remember } from '../../api/storage.ts'

export type Method = 'stripe' | 'paypal'

export interface CheckoutDraft {
  readonly method: Method
  readonly details: BillingDetails
}

const KEY = 'checkout'

/** What this tab keeps for an account. Another account that signs in here does not see it. */
function storedDraft(userId: string): Partial<Record<string, unknown>> {
  try {
    const kept = (JSON.parse(recall('session', KEY) ?? '{}') ?? {}) as Record<string, unknown>
    return kept['userId'] === userId ? kept : {}
  } catch {
    return {}
  }
}

/** The texts among these values, by the names of the form. */
function textsIn(value: unknown): Partial<BillingDetails> {
  if (typeof value !== 'object' || value === null) return {}
  const entries = Object.entries(value).filter(
    ([name, text]) => BILLING_FIELDS.some((field) => field === name) && typeof text === 'string',
  )
  return Object.fromEntries(entries)
}

/** The form as it is at first: what this tab keeps, or the last checkout, or the profile. */
export function firstDraft(
  { id, given_name, surname, email }: Pick<Me, 'id' | 'given_name' | 'surname' | 'email'>,
  { billingDetails, canUse }: Pick<Subscription, 'billingDetails' | 'canUse'>,
): CheckoutDraft {
  const kept = storedDraft(id)
  const profile: BillingDetails = {
    firstName: given_name ?? '',
    lastName: surname ?? '',
    email,
    address: '',
    city: '',
    state: '',
    zipCode: '',
    country: DEFAULT_COUNTRY,
  }
  const isPaypal = kept['method'] === 'paypal' ? canUse.paypal : !canUse.card
  return {
    method: isPaypal ? 'paypal' : 'stripe',
    details: { ...profile, ...billingDetails, ...textsIn(kept['details']) },
  }
}

export const keepDraft = (userId: string, draft: CheckoutDraft): void =>
  remember('session', KEY, JSON.stringify({ userId, ...draft }))

export const forgetDraft = (): void => forget('session', KEY)

/** The details as the service stores them. */
export const trimmed = (details: BillingDetails): BillingDetails =>
  Object.fromEntries(Object.entries(details).map(([name, text]) => [name, text.trim()])) as never
