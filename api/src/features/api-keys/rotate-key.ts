/** Replaces the secret of a key. */
import type { RotatedApiKey } from '@homing/openapi'
import type { Knex } from 'knex'
import { raw } from 'objection'
import { notifyKeyEvent } from '../../credentials/notify-key-event.ts'
import { requireLiveSession } from '../../credentials/session.ts'
import { notFound, Refusal } from '../../rules/errors.ts'
import { requireAbility } from '../../rules/plans.ts'
import { digestBytes, newSecret, secretPrefix } from '../../rules/secrets.ts'
import { lockAccount } from '../../feed/lock-order.ts'
import { requireAllowance } from '../../limits/require-allowance.ts'
import type { RequestSource } from '../../caller/request-source.ts'
import type { SessionPrincipal } from '../../caller/principal.ts'
import { ApiKey } from '../../models/api-key.ts'
import type { Services } from '../../compose.ts'
import { apiKeyBody } from './api-key-row.ts'
import { findApiKey } from './find-key.ts'

const HOUR_MS = 3_600_000
/** Long enough to put a secret into every pipeline by hand. */
const OVERLAP_HOURS = 24

/** Keeps the former secret of a key in a separate row, until the overlap or the key ends. */
async function keepFormer(trx: Knex.Transaction, former: ApiKey, until: Date): Promise<void> {
  const { user_id, name, prefix, secret_digest, scope, created_at } = former
  const { id, expires_at: end, last_used_at, last_used_ip, last_client } = former
  await ApiKey.query(trx).insert({
    user_id,
    name,
    prefix,
    secret_digest,
    scope,
    created_at,
    last_used_at,
    last_used_ip,
    last_client,
    expires_at: end !== null && end < until ? end : until,
    replaced_by: id,
  })
}

/**
 * Replaces the secret of a key; its scope is unchanged. The former secret works during the overlap. An even older
 * secret ends now, because users can distinguish two secrets of a key, but not more. The owner is notified by mail.
 *
 * @param asked `overlap_hours` 0: the former secret ends at once
 * @throws Refusal `not-found`, `plan-required`, `conflict` for a key that has ended, `rate-limited`,
 * `unauthenticated`
 */
export async function rotateApiKey(
  services: Services,
  principal: SessionPrincipal,
  asked: { readonly id: string; readonly overlap_hours?: number },
  source: RequestSource,
): Promise<RotatedApiKey> {
  const { knex, now, randomBytes } = services
  const { account } = principal
  const { id, overlap_hours: overlapHours = OVERLAP_HOURS } = asked
  requireAbility(account, 'api_keys', 'API keys')
  await requireAllowance(services, 'notices-account', account.id)
  const key = newSecret('api_key', randomBytes)
  const at = now()
  return knex.transaction(async (trx) => {
    await lockAccount(trx, account.id)
    await requireLiveSession(trx, principal)
    const row = await findApiKey(trx, account.id, id)
    if (row === undefined) throw notFound('API key')
    if (apiKeyBody(row, at).is_expired) {
      throw new Refusal('conflict', 'This API key has expired. Create another one.')
    }
    const former = await ApiKey.query(trx).findById(id).forNoKeyUpdate()
    if (former === undefined) throw notFound('API key')
    await ApiKey.query(trx).delete().where('replaced_by', id)
    // The digest is unique, so the key must release it before the row of the former secret takes it.
    await ApiKey.query(trx)
      .findById(id)
      .patch({
        prefix: secretPrefix(key),
        secret_digest: digestBytes(key),
        rotated_at: at,
        unused_expires_at: raw('?::timestamptz + make_interval(days => unused_days)', at),
        last_used_at: null,
        last_used_ip: null,
        last_client: null,
      })
    if (overlapHours > 0) {
      await keepFormer(trx, former, new Date(at.getTime() + overlapHours * HOUR_MS))
    }
    const renewed = await findApiKey(trx, account.id, id)
    if (renewed === undefined) throw new Error('a key that is locked stays')
    const what = { event: 'key-rotated', name: renewed.name, mark: secretPrefix(key) } as const
    await notifyKeyEvent(services, trx, { userId: account.id, ...what }, source)
    return { ...apiKeyBody(renewed, at), key }
  })
}
