/** An administrator disables a web forward, or enables it again. */
import type { WebForwardModeration } from '@homing/openapi'
import type { Knex } from 'knex'
import type { Actor } from '../../feed/address-change.ts'
import { blocksCovering } from '../../feed/blocked-targets.ts'
import { disableForwards } from '../../feed/forwards.ts'
import { holdBlockedTargets, holdOwnedDomain } from '../../feed/lock-order.ts'
import { WebForward, type WebForwardRow } from '../../models/web-forward.ts'
import { scopeInWords } from '../../rules/blocked-target.ts'
import { notFound, Refusal } from '../../rules/errors.ts'
import { parseReason } from '../../rules/owner-texts.ts'
import { type AdminForwardRow, findAnyForward } from './forward-list.ts'

/** The reason for the owner; undefined to enable. @throws Refusal `validation-failed` */
const reasonOf = ({ is_disabled, reason }: WebForwardModeration): string | undefined =>
  is_disabled
    ? parseReason(reason, 'Enter a reason. It is shown to the owner of the forward.')
    : undefined

/**
 * Refuses to enable a forward to a blocked target: the block is about the target, not about the forward.
 *
 * @throws Refusal `conflict`
 */
async function requireUnblocked(trx: Knex.Transaction, { target_url }: WebForwardRow) {
  await holdBlockedTargets(trx)
  const [block] = await blocksCovering(trx, [new URL(target_url)])
  if (block === undefined) return
  throw new Refusal(
    'conflict',
    `The target is blocked for all web forwards: ${scopeInWords(block)}. Delete the blocked target ${block.id} first.`,
  )
}

/**
 * Disables or enables a forward. Enabling an enabled one changes nothing.
 *
 * @throws Refusal `not-found`, `validation-failed`, and `conflict` when the target is blocked for all forwards
 */
export async function moderateForward(
  knex: Knex,
  id: string,
  moderation: WebForwardModeration,
  actor: Actor & { readonly id: string },
): Promise<AdminForwardRow> {
  const reason = reasonOf(moderation)
  const { user_id, domain_id } = await findAnyForward(knex, id)
  return knex.transaction(async (trx) => {
    const base = (await holdOwnedDomain(trx, user_id, domain_id))?.domain
    const [held] = await WebForward.query(trx).where({ id }).toKnexQuery<WebForwardRow>()
    if (base === undefined || held === undefined) throw notFound('web forward')
    if (reason !== undefined || held.disabled_at !== null) {
      if (reason === undefined) await requireUnblocked(trx, held)
      const disabling =
        reason === undefined ? undefined : { reason, by: actor.id, blockedTargetId: null }
      await disableForwards(trx, [{ base, before: held, disabling }], actor)
    }
    return findAnyForward(trx, id)
  })
}
