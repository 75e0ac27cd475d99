/** Another secret for the same key. */
import type { RotatedApiKey } from '@homing/openapi'
import type { Knex } from 'knex'
import { tellOfKey } from '../../credentials/tell-of-key.ts'
import { notFound, Refusal } from '../../domain/errors.ts'
import { requireAbility } from '../../domain/plans.ts'
import { digestOf, newSecret, secretPrefix } from '../../domain/secrets.ts'
import { lockAccount } from '../../feed/lock-order.ts'
import { requireAllowance } from '../../integrations/allowance.ts'
import type { Origin } from '../../plugins/contract.ts'
import type { CallerAccount } from '../../principal.ts'
import type { Services } from '../../services.ts'
import { query } from '../../sql.ts'
import { apiKeyBody } from './api-key-row.ts'
import { findApiKey } from './find-key.ts'

const HOUR_MS = 3_600_000
/** Long enough for a secret to be put into every pipeline by hand. */
const OVERLAP_HOURS = 24

const FORMER = 'prefix, secret_digest, scope, created_at, last_used_at, last_used_ip, last_client'

// The digest is unique, so the key lets go of it before the row of the former secret takes it.
const RENEW = `
  update api_keys as k set prefix = ?, secret_digest = decode(?, 'hex'), rotated_at = ?::timestamptz,
    unused_expires_at = ?::timestamptz + make_interval(days => k.unused_days),
    last_used_at = null, last_used_ip = null, last_client = null
  where id = ?`

/** A secret as it was before it was replaced: a row to be inserted under another id. */
interface FormerRow {
  readonly digest: string
  readonly prefix: string
  readonly last_used_at: Date | null
  readonly last_used_ip: string | null
  readonly last_client: string | null
}

async function keepFormer(trx: Knex.Transaction, id: string, former: FormerRow, until: Date) {
  await query(
    trx,
    `insert into api_keys (user_id, name, ${FORMER}, expires_at, replaced_by)
     select k.user_id, k.name, ?, decode(?, 'hex'), k.scope, k.created_at,
       ?::timestamptz, ?::inet, ?::text, least(k.expires_at, ?::timestamptz), k.id
     from api_keys k where k.id = ?`,
    [
      former.prefix,
      former.digest,
      former.last_used_at,
      former.last_used_ip,
      former.last_client,
      until,
      id,
    ],
  )
}

/**
 * Replaces the secret of a key; what the key is for stays. The former secret is good for the overlap, and one that was
 * replaced before it ends now: two secrets of a key at a time can be told apart, more cannot. Its owner is told by mail.
 *
 * @param asked `overlap_hours` 0: the former secret ends at once
 * @throws Refusal `not-found`, `plan-required`, `conflict` for a key that has ended, `rate-limited`
 */
export async function rotateApiKey(
  services: Services,
  account: CallerAccount,
  asked: { readonly id: string; readonly overlap_hours?: number },
  origin: Origin,
): Promise<RotatedApiKey> {
  const { knex, now, randomBytes } = services
  const { id, overlap_hours: overlapHours = OVERLAP_HOURS } = asked
  requireAbility(account, 'api_keys', 'API keys')
  await requireAllowance(services, 'notices-account', account.id)
  const key = newSecret('api_key', randomBytes)
  const at = now()
  return knex.transaction(async (trx) => {
    await lockAccount(trx, account.id)
    const row = await findApiKey(trx, account.id, id)
    if (row === undefined) throw notFound('API key')
    if (apiKeyBody(row, at).is_expired) {
      throw new Refusal('conflict', 'This API key has ended. Make another one.')
    }
    const [former] = await query<FormerRow>(
      trx,
      `select encode(secret_digest, 'hex') as digest, prefix, last_used_at, host(last_used_ip) as last_used_ip, last_client
       from api_keys where id = ? for no key update`,
      [id],
    )
    if (former === undefined) throw notFound('API key')
    await query(trx, 'delete from api_keys where replaced_by = ?', [id])
    await query(trx, RENEW, [secretPrefix(key), digestOf(key), at, at, id])
    if (overlapHours > 0) {
      await keepFormer(trx, id, former, new Date(at.getTime() + overlapHours * HOUR_MS))
    }
    const renewed = await findApiKey(trx, account.id, id)
    if (renewed === undefined) throw new Error('a key that is locked stays')
    const what = { event: 'key-rotated', name: renewed.name, mark: secretPrefix(key) } as const
    await tellOfKey(services, trx, { userId: account.id, ...what }, origin)
    return { ...apiKeyBody(renewed, at), key }
  })
}
