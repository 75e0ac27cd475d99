/** What the schemas of payments have in common. */
import { Type } from 'typebox'
import { BILLING_CYCLES, PAID_PLANS, PAYMENT_PROVIDERS } from '../vocabulary.ts'

export const plan = Type.Enum([...PAID_PLANS], { description: 'The plan.' })
export const billing = Type.Enum([...BILLING_CYCLES], { description: 'The billing cycle.' })
export const provider = Type.Enum([...PAYMENT_PROVIDERS], {
  description: '`stripe`: by card. `paypal`: by PayPal.',
})
export const cents = (description: string) =>
  Type.Integer({ description: `${description} In cents.` })
export const currency = Type.String({
  description: 'A currency code (ISO 4217).',
  examples: ['USD'],
})
