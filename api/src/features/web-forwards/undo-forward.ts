/** Undoes events of web forwards: restores the settings that a forward had before, under the rules of today. */
import type { NewWebForward } from '@homing/openapi'
import type { Knex } from 'knex'
import { type Principal, reachOf } from '../../caller/principal.ts'
import type { Services } from '../../compose.ts'
import type { Actor } from '../../feed/address-change.ts'
import type { RecordedForward } from '../../feed/forward-rows.ts'
import type { ForwardUndo } from '../../feed/forwards.ts'
import { WebForward } from '../../models/web-forward.ts'
import { Refusal } from '../../rules/errors.ts'
import { requireWithin } from '../../rules/key-scope.ts'
import { deleteForward } from './delete-forward.ts'
import { createForward, updateForward } from './save-forward.ts'

/** The recorded settings as a call gives them. */
function inputOf(before: RecordedForward): Omit<NewWebForward, 'domain_id'> {
  const { disabled_reason: _, ...settings } = before
  return settings
}

/** The forward that an event changed. The deletion of a domain ends its forward without an event of its own. */
async function presentForward(db: Knex, domainId: string): Promise<string> {
  const forward = await WebForward.query(db).findOne({ domain_id: domainId }).select('id')
  if (forward !== undefined) return forward.id
  throw new Refusal(
    'undo-refused',
    'The change cannot be undone: the domain has no web forward any more. Create one.',
  )
}

/**
 * Undoes an event of the web forward of a domain that the caller owns. The target of the restored settings is examined
 * again: what was allowed then may be blocked now.
 *
 * @throws Refusal as `createForward`, `updateForward` and `deleteForward`, `undo-refused`, `key-scope` for a key that may not
 * create or delete, and those of `confirm`
 */
export async function undoForward(
  services: Services,
  principal: Principal,
  undo: ForwardUndo,
  actor: Actor,
): Promise<void> {
  const { domainId, kind, before } = undo
  const reach = reachOf(principal)
  if (kind === 'forward-ended' && before !== null) {
    requireWithin(reach, { action: 'create' })
    const input = { domain_id: domainId, ...inputOf(before) }
    await createForward(services, principal, input, actor, undo)
    return
  }
  const id = await presentForward(services.knex, domainId)
  if (before === null) {
    requireWithin(reach, { action: 'delete' })
    await deleteForward(services, reach, id, actor, undo)
  } else {
    const change = { id, input: inputOf(before), ifMatch: undefined }
    await updateForward(services, principal, change, actor, undo)
  }
}
