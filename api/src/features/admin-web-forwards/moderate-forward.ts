/** An administrator disables a web forward, or enables it again. */
import type { WebForwardModeration } from '@homing/openapi'
import type { Knex } from 'knex'
import type { Actor } from '../../feed/address-change.ts'
import { disableForward } from '../../feed/forwards.ts'
import { holdOwnedDomain } from '../../feed/lock-order.ts'
import { WebForward, type WebForwardRow } from '../../models/web-forward.ts'
import { invalid, notFound } from '../../rules/errors.ts'
import { type AdminForwardRow, findAnyForward } from './forward-list.ts'

/** The reason for the owner, on one line; undefined to enable. @throws Refusal `validation-failed` */
function reasonOf({ is_disabled, reason }: WebForwardModeration): string | undefined {
  if (!is_disabled) return undefined
  const text = (reason ?? '').trim()
  if (text !== '' && !/\p{Cc}/u.test(text)) return text
  const message =
    text === ''
      ? 'reason is missing. Write why the forward is disabled: its owner reads it.'
      : 'reason contains a line break or another control character. Write it on one line.'
  throw invalid({ field: 'reason', message })
}

/**
 * Disables or enables a forward. Enabling an enabled one changes nothing.
 *
 * @throws Refusal `not-found`, `validation-failed`
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
      const disabling = reason === undefined ? undefined : { reason, by: actor.id }
      await disableForward(trx, base, held, disabling, actor)
    }
    return findAnyForward(trx, id)
  })
}
