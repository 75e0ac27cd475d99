/** Mails about a subscription, as the data of their jobs. Amounts and times are read when the mail is written. */

export type PaymentMailEvent =
  | 'receipt'
  | 'payment-failed'
  | 'grace-half'
  | 'grace-last-day'
  | 'card-expiring'
  | 'renewal'
  | 'cancelled'
  | 'ended'
  | 'refunded'
  | 'surplus-refunded'

export interface PaymentMail {
  readonly userId: string
  readonly event: PaymentMailEvent
  readonly subscriptionId: string
  /** The invoice or the credit note that it is about. */
  readonly invoiceId: string | null
  /** When, ISO 8601. */
  readonly at: string
}
