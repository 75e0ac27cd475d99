/** Administrators block a target for all web forwards, and end a block. */
import type { NewBlockedTarget } from '@homing/openapi'
import type { Services } from '../../compose.ts'
import type { Actor } from '../../feed/address-change.ts'
import { applyBlockedTarget } from '../../feed/blocked-targets.ts'
import { lockBlockedTargets } from '../../feed/lock-order.ts'
import { BlockedTarget } from '../../models/blocked-target.ts'
import { parseBlockedPlace, scopeInWords } from '../../rules/blocked-target.ts'
import { Refusal } from '../../rules/errors.ts'
import { parseReason } from '../../rules/owner-texts.ts'
import { type BlockedTargetShown, findBlockedTarget } from './blocked-target-list.ts'

type BlockServices = Pick<Services, 'knex' | 'jobs' | 'log'>

/**
 * Blocks a target. The first forwards to it stop before this returns, the others by a job.
 *
 * @throws Refusal `validation-failed`, `conflict` when it is blocked already
 */
export async function blockTarget(
  { knex, jobs, log }: BlockServices,
  { target, scope, reason: given }: NewBlockedTarget,
  actor: Actor & { readonly id: string },
): Promise<BlockedTargetShown> {
  const place = parseBlockedPlace(target, scope)
  const reason = parseReason(given, 'Enter a reason. It is shown to the owners of the forwards.')
  const id = await knex.transaction(async (trx) => {
    await lockBlockedTargets(trx)
    const former = await BlockedTarget.query(trx).findOne({ ...place })
    if (former !== undefined) {
      throw new Refusal('conflict', `${scopeInWords(place)} is blocked already.`)
    }
    const block = await BlockedTarget.query(trx)
      .insert({ ...place, reason, blocked_by: actor.id })
      .returning('id')
    await jobs.enqueue(trx, 'blocked-target', { id: block.id })
    return block.id
  })
  log.info({ administratorId: actor.id, blockedTargetId: id, ...place }, 'a target was blocked')
  await applyBlockedTarget(knex, id, '0', actor)
  return findBlockedTarget(knex, id)
}

/**
 * Ends a block. The forwards that it stopped start again, unless another block covers their target.
 *
 * @throws Refusal `not-found`
 */
export async function unblockTarget(
  { knex, jobs, log }: BlockServices,
  id: string,
  actor: Actor,
): Promise<void> {
  const { host, scope, path } = await knex.transaction(async (trx) => {
    await lockBlockedTargets(trx)
    const [block] = await BlockedTarget.query(trx).delete().where({ id }).returning('*')
    if (block === undefined) {
      throw new Refusal('not-found', 'A blocked target with this id does not exist.')
    }
    await jobs.enqueue(trx, 'blocked-target', { id })
    return block
  })
  const place = { blockedTargetId: id, host, scope, path }
  log.info({ administratorId: actor.id, ...place }, 'the block of a target was ended')
  await applyBlockedTarget(knex, id, '0', actor)
}
