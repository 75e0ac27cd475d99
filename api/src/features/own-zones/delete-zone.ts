/** Deletes an own zone, with its records and domains. */
import type { Knex } from 'knex'
import type { Actor } from '../../feed/address-change.ts'
import { lockOver } from '../../feed/name-locks.ts'
import { endClaim, holdOwnZone, withZoneOwner } from '../../feed/own-zone-owner.ts'
import { publish } from '../../feed/publish.ts'
import { WebForward } from '../../models/web-forward.ts'
import { LIVE_STATES, ZoneClaim, type ZoneClaimRow } from '../../models/zone-claim.ts'
import { Zone } from '../../models/zone.ts'
import { domainLocked, forwardDisabled, invalid, notFound, Refusal } from '../../rules/errors.ts'
import type { Services } from '../../compose.ts'
import { findZone, type ShownZone } from './shown-zones.ts'

const plain = (text: string) => text.trim().toLowerCase().replace(/\.$/, '')

/** @throws Refusal `validation-failed` */
function requireConfirmed({ name }: ShownZone, confirm: string): void {
  if (plain(confirm) === name) return
  throw invalid({
    field: 'confirm',
    message: `confirm is not the name of the zone. Expected ${name}, because its records and domains are deleted with it.`,
  })
}

/** Refuses to remove vanity name servers that other zones need. @throws Refusal `conflict` */
export async function requireUnusedServers(
  trx: Knex.Transaction,
  { user_id, name, is_vanity }: Pick<ZoneClaimRow, 'user_id' | 'name' | 'is_vanity'>,
): Promise<void> {
  if (!is_vanity) return
  const users = await ZoneClaim.query(trx)
    .select('name')
    .where({ user_id, uses_vanity: true })
    .modify('live')
    .orderBy('name')
  if (users.length === 0) return
  throw new Refusal(
    'conflict',
    `${users.map((zone) => zone.name).join(', ')} ${users.length === 1 ? 'uses' : 'use'} the vanity name servers in ${name}. Delete ${users.length === 1 ? 'this zone' : 'these zones'} first.`,
  )
}

/**
 * Refuses to delete what an administrator stopped: otherwise its owner could register it again without the lock.
 *
 * @throws Refusal `domain-locked`, `forward-disabled`
 */
async function requireNothingStopped(trx: Knex.Transaction, claim: ZoneClaimRow): Promise<void> {
  const zone = await Zone.query(trx).findOne({ name: claim.name, owner_id: claim.user_id })
  if (zone === undefined) return
  const lock = await lockOver(trx, claim.name)
  if (lock !== undefined) throw domainLocked(lock, 'the zone cannot be deleted')
  const [locked] = await trx('domains')
    .select('fqdn')
    .where({ zone_id: zone.id, locked: true })
    .limit(1)
  if (locked !== undefined) {
    throw domainLocked((locked as { fqdn: string }).fqdn, 'the zone cannot be deleted')
  }
  const [forward] = await WebForward.query(trx)
    .joinRelated('domain')
    .select('domain.fqdn', 'web_forwards.disabled_reason')
    .where('domain.zone_id', zone.id)
    .whereNotNull('web_forwards.disabled_at')
    .limit(1)
    .toKnexQuery<{ fqdn: string; disabled_reason: string | null }>()
  if (forward === undefined) return
  throw forwardDisabled(
    forward.fqdn,
    forward.disabled_reason ?? '',
    'The zone cannot be deleted while it is disabled.',
  )
}

/**
 * Deletes a zone or a claim of the account. What other accounts claim stays claimed.
 *
 * @throws Refusal `not-found`, `validation-failed`, `conflict`, `domain-locked`, `forward-disabled`
 */
export async function deleteZone(
  { knex, config, jobs, now }: Services,
  userId: string,
  { id, confirm }: { readonly id: string; readonly confirm: string },
  actor: Actor,
): Promise<void> {
  const shown = await findZone(knex, { userId, scope: undefined }, id)
  requireConfirmed(shown, confirm)
  await withZoneOwner(knex, async (trx) => {
    await holdOwnZone(trx, userId, shown.name)
    const [claim] = await ZoneClaim.query(trx)
      .where({ id, user_id: userId })
      .toKnexQuery<ZoneClaimRow>()
    if (claim === undefined) throw notFound('own zone')
    const isLive = (LIVE_STATES as readonly string[]).includes(claim.state)
    if (!isLive) {
      await ZoneClaim.query(trx).deleteById(id)
      return
    }
    await requireUnusedServers(trx, claim)
    await requireNothingStopped(trx, claim)
    const settings = { nameservers: config.nameservers, at: now() }
    const { owners } = await endClaim(trx, claim, { ...settings, actor })
    // Its domains leave places for withheld ones.
    await jobs.enqueue(trx, 'account-plan', { userId })
    await publish(trx, owners)
  })
}
