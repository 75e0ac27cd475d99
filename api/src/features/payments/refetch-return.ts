/** The return from the page of a provider: the state is read there, so that the plan does not wait for an event. */
import type { Services } from '../../compose.ts'
import { query } from '../../database/sql.ts'
import { withinLimit } from '../../payments/answer-trouble.ts'
import { syncCheckout } from '../../payments/checkouts.ts'
import { ProviderTrouble } from '../../payments/provider.ts'
import type { CheckoutRow } from '../../payments/rows.ts'

interface Returned {
  readonly session_id?: string
  readonly subscription_id?: string
}

/**
 * Reads the checkout that the browser comes back from. Only a checkout of the account is read: what the query string
 * says binds nothing. Trouble at the provider is not an error: its event comes later.
 */
export async function refetchReturn(
  services: Services,
  userId: string,
  { session_id, subscription_id }: Returned,
): Promise<void> {
  const ids = [session_id, subscription_id].filter((id) => id !== undefined)
  if (ids.length === 0) return
  const [checkout] = await query<Pick<CheckoutRow, 'provider' | 'provider_id'>>(
    services.knex,
    `select provider, provider_id from checkouts
     where user_id = ? and state = 'open' and provider_id = any (?::text[]) limit 1`,
    [userId, ids],
  )
  if (checkout === undefined || checkout.provider_id === null) return
  const { provider, provider_id } = checkout
  // A page that asks too often learns the state from the events, as without a return.
  if ((await services.rateLimits.take('provider-calls-account', userId)) !== undefined) return
  try {
    await withinLimit(provider, syncCheckout(services, provider, provider_id))
  } catch (error) {
    if (!(error instanceof ProviderTrouble)) throw error
    services.log.info({ provider, code: error.code }, 'a checkout was not read on return')
  }
}
