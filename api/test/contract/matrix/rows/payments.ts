/** Rows of payments. No account of the matrix has a subscription, and most refusals follow from that. */
import { type Inherits, NO_NAME } from '../inherited-rules.ts'
import type { Rows } from '../row.ts'
import { filtered, nothing } from '../usual-calls.ts'

/** Leads to the page of a provider, or asks it for something. It gives no access to the account. */
const PAYS = {
  ...NO_NAME,
  stepUp: 'exempt: the payer confirms at the provider, and it gives no access',
  notice:
    'exempt: the receipt and the mails about the subscription follow from what the provider says',
  passwordReset: 'exempt: it gives no access',
} as const satisfies Inherits

/** About all invoices to come. Each later invoice shows its rate. */
const TAXES = {
  ...NO_NAME,
  stepUp: 'always',
  notice: 'exempt: the invoices of an account show their rate',
  passwordReset: 'exempt: it gives no access',
} as const satisfies Inherits

/** The provider authenticates itself with its signature. */
const RECEIVES = {
  ...NO_NAME,
  stepUp: 'exempt: the caller is a payment provider',
  notice: 'exempt: mails follow from what is read at the provider',
  passwordReset: 'exempt: it gives no access',
} as const satisfies Inherits

const OFFER = { plan: 'pro', billing: 'annual' } as const
const SOLD = { refuses: { administrator: 'conflict' } } as const
const UNSUBSCRIBED = { call: nothing, answers: 409, inherits: PAYS } as const

export const PAYMENT_ROWS = {
  createCheckoutSession: {
    call: () => ({
      body: {
        ...OFFER,
        billingDetails: {
          firstName: 'Ada',
          lastName: 'Lovelace',
          email: 'ada@example.net',
          address: '12 Example Street',
          city: 'Springfield',
          state: 'IL',
          zipCode: '62701',
          country: 'US',
        },
      },
    }),
    ...SOLD,
    inherits: PAYS,
  },
  createSimpleCheckoutSession: { call: () => ({ body: OFFER }), ...SOLD, inherits: PAYS },
  getSubscriptionStatus: { call: nothing },
  getCurrentSubscription: { call: nothing },
  cancelSubscription: UNSUBSCRIBED,
  cancelCurrentSubscription: UNSUBSCRIBED,
  resumeSubscription: UNSUBSCRIBED,
  updatePaymentMethod: UNSUBSCRIBED,
  createPortalSession: UNSUBSCRIBED,
  previewSubscriptionChange: { call: () => ({ query: OFFER }), answers: 409 },
  changeSubscription: { call: () => ({ body: OFFER }), answers: 409, inherits: PAYS },
  listInvoices: { call: nothing },
  requestRefund: {
    call: nothing,
    answers: 409,
    inherits: { ...PAYS, stepUp: 'always' },
  },
  receiveStripeEvent: { call: nothing, answers: 400, inherits: RECEIVES },
  receivePaypalEvent: { call: nothing, answers: 400, inherits: RECEIVES },
  listSubscriptions: { call: filtered((its) => ({ user_id: its.userId })) },
  refetchSubscription: {
    call: () => ({ params: { id: '699999999901' } }),
    answers: 404,
    inherits: { ...PAYS, notice: 'exempt: it only reads at the provider' },
  },
  refundSubscription: {
    call: () => ({
      params: { id: '699999999901' },
      body: { reason: 'The service was down for two days.' },
    }),
    answers: 404,
    inherits: { ...PAYS, stepUp: 'always' },
  },
  listPaymentEvents: { call: filtered(() => ({ state: 'failed' })) },
  listLedger: { call: filtered(() => ({ kind: 'payment' })) },
  sumLedger: { call: filtered(() => ({ kind: 'payment' })) },
  exportLedger: { call: filtered(() => ({ kind: 'payment' })) },
  listTaxRates: { call: filtered(() => ({ q: 'VAT' })) },
  setTaxRate: {
    call: () => ({ params: { country: 'AT' }, body: { rate_basis_points: 2_000, name: 'VAT' } }),
    inherits: TAXES,
  },
  deleteTaxRate: { call: () => ({ params: { country: 'FR' } }), answers: 404, inherits: TAXES },
} as const satisfies Partial<Rows>
