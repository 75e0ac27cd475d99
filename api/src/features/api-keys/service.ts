import type { NewApiKey } from '@homing/openapi'
import type { Knex } from 'knex'
import { requireLiveSession } from '../../credentials/session.ts'
import { notifyKeyEvent } from '../../credentials/notify-key-event.ts'
import { notFound, Refusal } from '../../rules/errors.ts'
import { readGivenName } from '../../rules/given-name.ts'
import { readLifetime, readScope } from '../../rules/key-limits.ts'
import { requireAbility } from '../../rules/plans.ts'
import { digestBytes, newSecret, secretPrefix } from '../../rules/secrets.ts'
import { requireAllowance } from '../../limits/require-allowance.ts'
import type { RequestSource } from '../../caller/request-source.ts'
import { lockAccount } from '../../feed/lock-order.ts'
import { ApiKey } from '../../models/api-key.ts'
import type { SessionPrincipal } from '../../caller/principal.ts'
import type { Services } from '../../compose.ts'
import type { ApiKeyRow } from './api-key-row.ts'
import { findApiKey } from './find-key.ts'

const KEYS_LIMIT = 50

/**
 * Creates a key. The account stays locked until commit, so that concurrent requests cannot exceed the limit.
 * The owner is notified by mail.
 *
 * @throws Refusal `validation-failed`, `plan-required`, `key-limit`, `rate-limited`, `unauthenticated`
 */
export async function createApiKey(
  services: Services,
  principal: SessionPrincipal,
  input: NewApiKey,
  source: RequestSource,
): Promise<ApiKeyRow & { readonly key: string }> {
  const { knex, now, randomBytes } = services
  const { account } = principal
  requireAbility(account, 'api_keys', 'API keys')
  const name = readGivenName(input.name, 'Please enter a name for the API key')
  const scope = readScope(input.scope)
  const { expiresAt, unusedDays, unusedExpiresAt } = readLifetime(input, now())
  await requireAllowance(services, 'notices-account', account.id)
  const key = newSecret('api_key', randomBytes)
  return knex.transaction(async (trx) => {
    await lockAccount(trx, account.id)
    await requireLiveSession(trx, principal)
    const owned = await ApiKey.query(trx)
      .modify('ownedBy', account.id)
      .modify('listed')
      .resultSize()
    if (owned >= KEYS_LIMIT) {
      throw new Refusal(
        'key-limit',
        `An account can have at most ${KEYS_LIMIT} API keys. Delete one first.`,
      )
    }
    const made = await ApiKey.query(trx).insert({
      user_id: account.id,
      name,
      prefix: secretPrefix(key),
      secret_digest: digestBytes(key),
      scope,
      created_at: now(),
      expires_at: expiresAt,
      unused_days: unusedDays,
      unused_expires_at: unusedExpiresAt,
    })
    const row = await findApiKey(trx, account.id, made.id)
    if (row === undefined) throw new Error('an inserted key has an id')
    const what = { event: 'key-made', name, mark: secretPrefix(key) } as const
    await notifyKeyEvent(services, trx, { userId: account.id, ...what }, source)
    return { ...row, key }
  })
}

/** @throws Refusal `not-found` for an id that does not exist or belongs to another account */
export async function deleteApiKey(knex: Knex, userId: string, id: string): Promise<void> {
  const gone = await ApiKey.query(knex)
    .delete()
    .where('id', id)
    .modify('ownedBy', userId)
    .modify('listed')
  if (gone === 0) throw notFound('API key')
}
