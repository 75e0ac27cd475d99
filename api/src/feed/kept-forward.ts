/*
 * The web forward of a deleted domain (`deleted_domains.forward`, `zone_claims.kept`), which comes back with it.
 *
 * It comes back as if nobody had ended it, whatever the plan is now. Where no forward may lead today, it does not: the
 * history of the domain has it as ended, so that its owner finds its settings there.
 */
import type { Knex } from 'knex'
import type { KeptForward } from '../models/deleted-domain.ts'
import type { Actor } from './address-change.ts'
import { isBlocked } from './blocked-targets.ts'
import type { ZoneOwners } from './change-set.ts'
import { circleFrom } from './forward-circle.ts'
import { type ForwardDisabling, type ForwardSettings, recordForwardEvent } from './forward-rows.ts'
import { returnForward } from './forwards.ts'
import { holdBlockedTargets } from './lock-order.ts'
import type { DomainRow } from './rows.ts'

/** The web forward of a domain `d` as JSON; null when it has none. */
export const KEPT_FORWARD = '(select to_jsonb(f) from web_forwards f where f.domain_id = d.id)'

const settingsOf = ({ checked_at, ...forward }: KeptForward): ForwardSettings => ({
  ...forward,
  checked_at: checked_at === null ? null : new Date(checked_at),
})

/** How an administrator disabled the forward itself; undefined if not. A block of its target is examined again. */
function disablingOf({
  disabled_reason: reason,
  blocked_target_id: block,
}: KeptForward): ForwardDisabling | undefined {
  if (reason === null || block !== null) return undefined
  // Without the administrator, whose account can have been deleted. The history of the domain has who it was.
  return { reason, by: null, blockedTargetId: null }
}

/**
 * Brings back the web forward of a restored domain, if its target is allowed. The caller holds the account, its plan and the
 * domain, which is not forwarded.
 *
 * @returns what the caller publishes
 */
export async function restoreForward(
  trx: Knex.Transaction,
  base: DomainRow,
  kept: KeptForward,
  actor: Actor,
): Promise<readonly ZoneOwners[]> {
  const target = new URL(kept.target_url)
  const settings = settingsOf(kept)
  await holdBlockedTargets(trx)
  const isAllowed =
    !(await isBlocked(trx, [target])) &&
    (await circleFrom(trx, { target, fqdn: base.fqdn })) === undefined
  if (isAllowed) return returnForward(trx, base, settings, actor, disablingOf(kept))
  const before = { ...settings, disabled_reason: null }
  const event = { kind: 'forward-ended', base, before, after: undefined, actor } as const
  await recordForwardEvent(trx, { ...event, undoes: undefined })
  return []
}
