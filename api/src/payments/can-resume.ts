import type { SubscriptionRow } from './rows.ts'

/** PayPal never bills such a subscription again. */
const FINAL_AT_PAYPAL: ReadonlySet<string> = new Set(['CANCELLED', 'EXPIRED'])

/** Whether the owner can take a cancellation back, as far as is known without a call of the provider. */
export const canResume = ({
  state,
  stopped_by,
  provider,
  provider_status,
}: Pick<SubscriptionRow, 'state' | 'stopped_by' | 'provider' | 'provider_status'>): boolean =>
  state === 'canceled' &&
  (stopped_by === 'owner' || stopped_by === 'provider') &&
  !(provider === 'paypal' && FINAL_AT_PAYPAL.has(provider_status))
