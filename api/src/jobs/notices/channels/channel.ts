import type { Knex } from 'knex'

/** Notifications for one account that are sent together. */
export interface Delivery {
  readonly userId: string
  readonly notificationIds: readonly string[]
}

/** A way to send notifications about monitors. */
export interface Channel {
  /**
   * Takes a delivery when the transaction commits. The channel sends it at least once, each time with the same identity, and then
   * stores the outcome of each notification.
   */
  take(trx: Knex.Transaction, delivery: Delivery): Promise<void>
}
