/** The notices about the subscription of an account. */
import { day } from './notice-words.ts'

/** How long before the end of a cancelled subscription its owner is told, in days. */
export const ENDING_DAYS = 14
/** How long before a card expires its owner is told, in days. */
export const CARD_DAYS = 30

/** Times are as PostgreSQL writes them in JSON. */
export interface SubscriptionFacts {
  readonly state: string
  readonly plan: string
  readonly endsAt: string | null
  readonly failedAt: string | null
  readonly cardExpiresAt: string | null
  /** Since when the end is near; null: it is not. */
  readonly endingSince: string | null
  readonly cardExpiringSince: string | null
}

const PLAN_NAMES: Readonly<Record<string, string>> = { pro: 'Pro', elite: 'Elite' }
const nameOf = ({ plan }: SubscriptionFacts) => PLAN_NAMES[plan] ?? plan

const action = (label: string) => ({ label, url: '/#settings/subscription' })

/** A renewal failed. The notice stays until it is settled. */
export function paymentFailed(facts: SubscriptionFacts | null) {
  if (facts?.state !== 'past_due' || facts.failedAt === null) return undefined
  const until = facts.endsAt === null ? 'for now' : `until ${day(facts.endsAt)}`
  return {
    severity: 'error',
    title: 'Your last payment failed',
    text: `You keep the ${nameOf(facts)} plan ${until}. Update your payment method to keep it longer.`,
    action: action('Resolve'),
    at: facts.failedAt,
    isFirm: true,
  } as const
}

/** A cancelled subscription ends soon. */
export function subscriptionEnding(facts: SubscriptionFacts | null) {
  if (facts === null || facts.endsAt === null || facts.endingSince === null) return undefined
  return {
    severity: 'warning',
    title: `Your ${nameOf(facts)} plan ends on ${day(facts.endsAt)}`,
    text: 'The subscription is cancelled. Until then, you can resume it. Nothing is deleted afterwards, but DNS does not answer for domains over the limit of the Free plan.',
    action: action('View Plan'),
    at: facts.endingSince,
  } as const
}

/** The card of a subscription that renews expires soon, or has expired. */
export function cardExpiring(facts: SubscriptionFacts | null) {
  if (facts === null || facts.cardExpiresAt === null || facts.cardExpiringSince === null) {
    return undefined
  }
  return {
    severity: 'warning',
    title: 'The card of your subscription expires soon',
    text: `It is valid until ${day(facts.cardExpiresAt)}. Update your payment method, so that the next payment does not fail.`,
    action: action('Update Payment Method'),
    at: facts.cardExpiringSince,
  } as const
}
