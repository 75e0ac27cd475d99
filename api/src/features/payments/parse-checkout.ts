/** Reads a checkout of a client. What it says about the account, the price and the plan is compared, and never trusted. */
import { addressFaults } from '@homing/openapi/address-rules'
import { BILLING_FIELDS, type BillingCycle, type PaidPlan } from '@homing/openapi/vocabulary'
import type { BillingDetails, NewCheckout } from '@homing/openapi'
import type { CheckoutPayer } from '../../payments/provider.ts'
import { type FieldFault, invalid } from '../../rules/errors.ts'

export interface CheckoutWish {
  readonly plan: PaidPlan
  readonly billing: BillingCycle
  readonly provider: 'stripe' | 'paypal'
  readonly payer: CheckoutPayer | null
}

interface Account {
  readonly id: string
  readonly email: string
}

/** Trimmed, with the country in capital letters. */
function tidied(details: BillingDetails): CheckoutPayer {
  const texts = BILLING_FIELDS.map((field) => [field, details[field].trim()] as const)
  const tidy = Object.fromEntries(texts) as Record<(typeof BILLING_FIELDS)[number], string>
  return { ...tidy, country: tidy.country.toUpperCase() }
}

const sameText = (one: string, other: string) => one.toLowerCase() === other.trim().toLowerCase()

/** The fields that clients repeat, where they differ from what the service knows. */
function mismatches(
  { plan, billing, userId, customerEmail, priceId, planId }: NewCheckout,
  { id, email }: Account,
  payer: CheckoutPayer | null,
): FieldFault[] {
  const faults: FieldFault[] = []
  const compare = (field: string, given: string | number | undefined, expected: string) => {
    if (given === undefined || String(given) === expected) return
    faults.push({
      field,
      message: `${field} does not match. Expected ${expected}, or no ${field}.`,
    })
  }
  compare('userId', userId, id)
  compare('priceId', priceId, `price_${plan}_${billing}`)
  compare('planId', planId, `${plan}_${billing}`)
  const emails = [email, ...(payer === null ? [] : [payer.email])]
  if (customerEmail !== undefined && !emails.some((each) => sameText(each, customerEmail))) {
    faults.push({
      field: 'customerEmail',
      message:
        'customerEmail does not match. Expected the email address of your account or of the billing details.',
    })
  }
  return faults
}

/** @throws Refusal `validation-failed` that names each field */
export function parseCheckout(body: NewCheckout, account: Account): CheckoutWish {
  const payer = body.billingDetails === undefined ? null : tidied(body.billingDetails)
  const missing = payer === null ? [] : addressFaults({ ...payer })
  const faults = [
    ...missing.map(({ field, text }) => ({ field: `billingDetails.${field}`, message: text })),
    ...mismatches(body, account, payer),
  ]
  if (faults.length > 0) throw invalid(...faults)
  const { plan, billing, provider = 'stripe' } = body
  return { plan, billing, provider, payer }
}
