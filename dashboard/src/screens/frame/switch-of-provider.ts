/**
 * A subscription that does not renew can be followed by one at the other provider, which takes its first payment when the
 * present one ends.
 */
import type { Subscription } from '../../api/payments.ts'

export interface ProviderSwitch {
  readonly method: 'stripe' | 'paypal'
  /** When the present subscription ends. */
  readonly beginsAt: string
  /** Whether the present subscription can be resumed instead. */
  readonly canResume: boolean
}

/** Undefined if the subscription cannot be followed by another one now. */
export function switchOf({
  status,
  provider,
  endsAt,
  canUse,
  followedBy,
  canResume,
}: Subscription): ProviderSwitch | undefined {
  if (status !== 'canceled' || endsAt === null || followedBy !== null) return undefined
  if (provider === 'stripe' && canUse.paypal)
    return { method: 'paypal', beginsAt: endsAt, canResume }
  if (provider === 'paypal' && canUse.card) return { method: 'stripe', beginsAt: endsAt, canResume }
  return undefined
}
