import type { ReadInvoice } from './provider.ts'

/** The refunded part of a payment, in cents. A refund that failed does not count. */
export const refundedCents = ({ refunds }: Pick<ReadInvoice, 'refunds'>): number =>
  refunds
    .filter(({ hasSucceeded }) => hasSucceeded)
    .reduce((sum, { amountCents }) => sum + amountCents, 0)
