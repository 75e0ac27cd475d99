/** Reads subscriptions at their provider, and applies what was read. */
import { type Applied, applyRead, type ApplyServices } from './apply.ts'
import {
  type PaymentProvider,
  type ProviderName,
  ProviderTrouble,
  type ReadHints,
} from './provider.ts'

/** `gone`: the provider does not know the subscription. */
export type Synced = Applied | { readonly outcome: 'gone' }

/** The provider, which has keys. @throws ProviderTrouble `unavailable` when it has none (any more) */
export function providerOf(
  { payments }: Pick<ApplyServices, 'payments'>,
  name: ProviderName,
): PaymentProvider {
  const provider = payments[name]
  if (provider === undefined) {
    throw new ProviderTrouble(name, 'unavailable', `${name} has no keys in this configuration`)
  }
  return provider
}

interface SyncHints extends ReadHints {
  /** Our id, of the checkout at the provider that made the subscription. */
  readonly checkoutId?: string | null
}

/**
 * Reads one subscription and applies it.
 *
 * @throws ProviderTrouble when the read fails
 */
export async function syncSubscription(
  services: ApplyServices,
  name: ProviderName,
  providerId: string,
  { checkoutId = null, ...hints }: SyncHints = {},
): Promise<Synced> {
  const read = await providerOf(services, name).read(providerId, hints)
  if (read === undefined) return { outcome: 'gone' }
  return applyRead(services, { ...read, checkoutId: read.checkoutId ?? checkoutId })
}
