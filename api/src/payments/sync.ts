/** Reads subscriptions at their provider, and applies what was read. */
import { type Applied, applyRead, type ApplyServices } from './apply.ts'
import {
  type PaymentProvider,
  type ProviderName,
  ProviderTrouble,
  type ReadHint,
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

/**
 * Reads one subscription and applies it.
 *
 * @throws ProviderTrouble when the read fails
 */
export async function syncSubscription(
  services: ApplyServices,
  name: ProviderName,
  providerId: string,
  hint: ReadHint = {},
): Promise<Synced> {
  const read = await providerOf(services, name).read(providerId, hint)
  return read === undefined ? { outcome: 'gone' } : applyRead(services, read)
}
