/** Heartbeat URLs: their tokens, and the calls of devices. */
import { type Principal, reachOf } from '../../caller/principal.ts'
import type { RequestSource } from '../../caller/request-source.ts'
import type { Services } from '../../compose.ts'
import { query } from '../../database/sql.ts'
import { tooMany } from '../../limits/require-allowance.ts'
import { Monitor } from '../../models/monitor.ts'
import { Refusal } from '../../rules/errors.ts'
import { UPTIME } from '../../rules/monitorable.ts'
import { requireAbility } from '../../rules/plans.ts'
import {
  digestBytes,
  digestOf,
  hasSecretForm,
  newSecret,
  secretKindOf,
} from '../../rules/secrets.ts'
import { ensureMonitor } from './change-monitor.ts'
import { heldDomain, monitorableDomain } from './held-domain.ts'

/**
 * Creates the heartbeat URL of a domain. An earlier one stops working.
 *
 * @throws Refusal `plan-required`, `not-found`, `conflict` for a wildcard, `domain-locked`
 */
export async function createHeartbeatToken(
  { knex, config, randomBytes }: Pick<Services, 'knex' | 'config' | 'randomBytes'>,
  principal: Principal,
  domainId: string,
): Promise<{ token: string; url: string }> {
  requireAbility(principal.account, 'uptime', UPTIME)
  const reach = reachOf(principal)
  await monitorableDomain(knex, reach, domainId)
  const token = newSecret('heartbeat', randomBytes)
  await knex.transaction(async (trx) => {
    const id = await ensureMonitor(trx, await heldDomain(trx, reach, domainId, 'use'))
    await Monitor.query(trx)
      .findById(id)
      .patch({ heartbeat_token_hash: digestBytes(token) })
  })
  return { token, url: new URL(`/api/uptime/heartbeat/${token}`, config.publicUrl).href }
}

/** A device can call more often; one call in this time is written. The shortest period is much longer. */
const WRITTEN_EVERY_SECONDS = 5

// By PostgreSQL's clock, as all times of monitors.
const RECORD = `
  with monitor as (select id from monitors where heartbeat_token_hash = decode(?, 'hex')), recorded as (
    update monitor_schedule s set last_heartbeat_at = clock_timestamp() from monitor m
    where s.monitor_id = m.id
      and (s.last_heartbeat_at is null or s.last_heartbeat_at < clock_timestamp() - interval '${WRITTEN_EVERY_SECONDS} s')
  )
  select id from monitor`

const unknownToken = () =>
  new Refusal(
    'not-found',
    'This heartbeat URL is unknown. Copy it again, or create another one in the Monitor tab of the domain.',
  )

type HeartbeatServices = Pick<Services, 'knex' | 'invalidSecrets'>

/**
 * Records the heartbeat of a device. A token that is not valid costs at most one look-up, and the look-ups of one network
 * are limited.
 *
 * @throws Refusal `not-found`, `rate-limited`
 */
export async function receiveHeartbeat(
  { knex, invalidSecrets }: HeartbeatServices,
  token: string,
  { ip }: Pick<RequestSource, 'ip'>,
): Promise<void> {
  if (secretKindOf(token) !== 'heartbeat' || !hasSecretForm(token)) throw unknownToken()
  const digest = digestOf(token)
  const check = invalidSecrets.check(digest, ip)
  if (check.kind === 'unknown') throw unknownToken()
  if (check.kind === 'wait') throw tooMany(check.retryAfterSeconds)
  const found = await query(knex, RECORD, [digest], 'heartbeat')
  if (found.length === 0) {
    invalidSecrets.wrong(digest, ip)
    throw unknownToken()
  }
  invalidSecrets.right(digest)
}
