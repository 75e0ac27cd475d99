/**
 * What the service knows of a subscription, and what can become known: the input and the output of the state machine.
 */
import type { SubscriptionState } from '@homing/openapi/vocabulary'
import type { ReadSubscription } from '../provider.ts'

/** Who stopped the renewal. */
export type StoppedBy = 'owner' | 'provider' | 'deletion' | 'ban'

/** Why a subscription ended. */
export type EndReason =
  /** Cancelled, and the paid period is over. */
  | 'canceled'
  /** No payment within the time of grace. */
  | 'unpaid'
  /** Its first payment was never made. */
  | 'never-paid'
  /** A payment was refunded in full. */
  | 'refunded'
  /** The payer won a dispute, or PayPal took a payment back. */
  | 'disputed'
  /** Another subscription of the account took its place. */
  | 'replaced'
  /** The account already had a subscription. */
  | 'surplus'
  /** It was ended at the provider. */
  | 'provider'
  /** An administrator ended it. */
  | 'administrator'
  /** The account was deleted. */
  | 'account-deleted'

export interface Stop {
  readonly by: StoppedBy
  /** When the provider had done it; null: a job still does it. */
  readonly confirmedAt: Date | null
}

/** A subscription as the service keeps it. Times of the provider are as they were read last. */
export interface Kept {
  readonly state: SubscriptionState
  /** When the read began from which this follows; null: nothing was read. */
  readonly readAt: Date | null
  readonly stop: Stop | null
  readonly startedAt: Date | null
  readonly paidUntil: Date | null
  /** When the plan ends; null: it renews. */
  readonly endsAt: Date | null
  readonly firstFailedAt: Date | null
  readonly endedAt: Date | null
  readonly endReason: EndReason | null
  /** It begins when another one ends; null: at once. */
  readonly waitsUntil: Date | null
}

/** What a job still has to do at the provider. */
export type Duty =
  /** Stops the renewal. */
  | { readonly kind: 'cancel' }
  | { readonly kind: 'resume' }
  /** Ends it at once, and voids what is open. */
  | { readonly kind: 'end' }
  | {
      readonly kind: 'refund'
      readonly paymentId: string
      readonly amountCents: number
      readonly currency: string
      /** False: the plan goes on although its payment is refunded. Default: true. */
      readonly endsPlan?: boolean
      /** Why, in the words of an administrator. Kept in the ledger, and not sent to the provider. */
      readonly note?: string
    }

/** Something that became known. */
export type Fact =
  /** What was read at the provider. */
  | {
      readonly kind: 'read'
      readonly read: ReadSubscription
      /** It was bought to begin then. */
      readonly waitsUntil?: Date | null
      /** Payments that were refunded for goodwill: that ends no plan. */
      readonly goodwill?: ReadonlySet<string>
      /** A job still has to resume it: that the provider shows a stop means nothing. */
      readonly isResuming?: boolean
    }
  /** Somebody wants the renewal to stop. */
  | { readonly kind: 'stop'; readonly by: Exclude<StoppedBy, 'provider'> }
  | { readonly kind: 'resume' }
  /** The provider has done what was wanted. */
  | { readonly kind: 'stopped' | 'resumed'; readonly at: Date }
  /** It has to end now. */
  | { readonly kind: 'end'; readonly reason: EndReason }
  /** Its price at the provider is unknown, so what is paid for it counts for nothing. */
  | { readonly kind: 'unpriced' }
  /** Time has passed. */
  | { readonly kind: 'time' }

export interface Step {
  readonly after: Kept
  readonly duties: readonly Duty[]
}

/** Before anything is known. */
export const UNKNOWN: Kept = {
  state: 'incomplete',
  readAt: null,
  stop: null,
  startedAt: null,
  paidUntil: null,
  endsAt: null,
  firstFailedAt: null,
  endedAt: null,
  endReason: null,
  waitsUntil: null,
}

/** The states in which the plan is granted. */
export const GRANTING: ReadonlySet<SubscriptionState> = new Set([
  'active',
  'past_due',
  'canceled',
  'disputed',
])
