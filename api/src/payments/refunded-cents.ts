import type { ReadInvoice } from './provider.ts'

/** What went back of a payment, in cents. A refund that failed did not. */
export const refundedCents = ({ refunds }: Pick<ReadInvoice, 'refunds'>): number =>
  refunds
    .filter(({ hasSucceeded }) => hasSucceeded)
    .reduce((sum, { amountCents }) => sum + amountCents, 0)
