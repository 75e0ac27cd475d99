import type { Actor } from '../../feed/address-change.ts'
import { endForward, type ForwardUndo } from '../../feed/forwards.ts'
import type { Services } from '../../compose.ts'
import type { Reach } from '../../rules/key-scope.ts'
import { findForward } from './find-forward.ts'
import { heldForward } from './held-forward.ts'

/**
 * Deletes a web forward.
 *
 * @param undo the event that this undoes
 * @throws Refusal `not-found`, `domain-locked`, `forward-disabled`, `key-scope`, `account-disabled`
 */
export async function deleteForward(
  { knex }: Services,
  reach: Reach,
  id: string,
  actor: Actor,
  undo?: ForwardUndo,
): Promise<void> {
  const found = await findForward(knex, reach, id)
  await knex.transaction(async (trx) => {
    const { base, forward } = await heldForward(trx, reach, found, 'delete')
    await undo?.confirm(trx, base)
    await endForward(trx, base, forward, actor, undo?.eventId)
  })
}
