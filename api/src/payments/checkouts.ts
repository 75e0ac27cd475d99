/** The life of a checkout after it was created: what the provider says about it, and its end. */
import { query } from '../database/sql.ts'
import type { ApplyServices } from './apply.ts'
import { type ProviderName, ProviderTrouble } from './provider.ts'
import { providerOf, type Synced, syncSubscription } from './sync.ts'

/**
 * Reads a checkout at the provider and applies its subscription, if there is one.
 *
 * @param providerId the session at Stripe, the subscription at PayPal
 * @returns undefined: there is no subscription (yet)
 * @throws ProviderTrouble when a read fails
 */
export async function syncCheckout(
  services: ApplyServices,
  name: ProviderName,
  providerId: string,
): Promise<Synced | undefined> {
  const read = await providerOf(services, name).readCheckout(providerId)
  if (read?.state === 'expired') {
    await query(
      services.knex,
      `update checkouts set state = 'expired' where provider = ? and provider_id = ? and state = 'open'`,
      [name, providerId],
    )
  }
  if (read === undefined || read.subscriptionId === null) return undefined
  const { subscriptionId, checkoutId } = read
  return syncSubscription(services, name, subscriptionId, { checkoutId })
}

interface OpenCheckout {
  readonly id: string
  readonly provider: ProviderName
  readonly provider_id: string | null
}

/** Checkouts per run. */
const LIMIT = 50

/** A checkout that could not be read is tried again after the others. */
const AGAIN_MS = 60_000

/**
 * Closes checkouts whose time is over. One that was paid meanwhile, and whose event was lost, is found here. After trouble
 * at a provider, its other checkouts wait for the next run.
 *
 * @returns how many were closed
 */
export async function expireCheckouts(services: ApplyServices): Promise<number> {
  const { knex, now, log } = services
  const due = await query<OpenCheckout>(
    knex,
    `select id, provider, provider_id from checkouts where state = 'open' and expires_at <= ? order by expires_at limit ?`,
    [now(), LIMIT],
  )
  const away = new Set<ProviderName>()
  let closed = 0
  for (const checkout of due) {
    const { id, provider } = checkout
    if (away.has(provider)) continue
    try {
      closed += await close(services, checkout)
    } catch (error) {
      if (error instanceof ProviderTrouble) {
        away.add(provider)
        log.warn({ provider, code: error.code }, `a checkout was not read: ${error.message}`)
      } else log.error({ err: error, provider }, 'a checkout was not closed')
      const again = new Date(now().getTime() + AGAIN_MS)
      await query(knex, 'update checkouts set expires_at = ? where id = ?', [again, id])
    }
  }
  return closed
}

async function close(
  services: ApplyServices,
  { id, provider, provider_id }: OpenCheckout,
): Promise<number> {
  if (provider_id !== null && services.payments[provider] !== undefined) {
    await syncCheckout(services, provider, provider_id)
    await providerOf(services, provider).expireCheckout(provider_id, `expire-${id}`)
  }
  const rows = await query(
    services.knex,
    `update checkouts set state = 'expired' where id = ? and state = 'open' returning 1`,
    [id],
  )
  return rows.length
}
