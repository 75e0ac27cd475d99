/** Locks what a change of a web forward needs: the account, its plan and the domain. Their locks protect the forward. */
import type { Knex } from 'knex'
import { accountDisabled } from '../../credentials/account-row.ts'
import { query } from '../../database/sql.ts'
import { holdOwnedDomain } from '../../feed/lock-order.ts'
import type { DomainRow } from '../../feed/rows.ts'
import { everyColumnOf } from '../../models/table.ts'
import { WebForward, type WebForwardRow } from '../../models/web-forward.ts'
import { forwardDisabled, notFound } from '../../rules/errors.ts'
import type { Reach } from '../../rules/key-scope.ts'
import { isBlocked, requireAbility } from '../../rules/plans.ts'
import { requireForwardable, WEB_FORWARDS } from './find-forward.ts'

/** What happens to a forward. Every plan can delete one: what a smaller plan no longer includes must not be stuck. */
type Purpose = 'save' | 'delete'

// A statement after that of the locks, so it sees what was committed before them.
const HELD = `
  select p.abilities, ${everyColumnOf(WebForward, 'f')}
  from plans p left join web_forwards f on f.domain_id = ? where p.account_type = ?`

type HeldRow = { readonly abilities: readonly string[] } & (
  | WebForwardRow
  | Readonly<Record<keyof WebForwardRow, null>>
)

/**
 * The domain, locked after its account, and its forward.
 *
 * @throws Refusal `not-found`, `account-disabled`, `domain-locked`, `plan-required`
 */
export async function heldDomain(
  trx: Knex.Transaction,
  reach: Reach,
  domainId: string,
  purpose: Purpose,
): Promise<{ readonly base: DomainRow; readonly forward: WebForwardRow | undefined }> {
  const held = await holdOwnedDomain(trx, reach.userId, domainId)
  if (held === undefined || isBlocked(held.account)) throw accountDisabled()
  const { account, domain: base } = held
  const values = [domainId, account.account_type]
  const [row] = await query<HeldRow>(trx, HELD, values, 'held-forward')
  if (purpose === 'save') {
    requireAbility({ abilities: new Set(row?.abilities) }, 'web_forward', WEB_FORWARDS)
  }
  if (base === undefined) throw notFound('domain')
  requireForwardable(reach, base)
  return { base, forward: row === undefined || row.id === null ? undefined : row }
}

/**
 * The domain and its forward, as they are now.
 *
 * @throws Refusal as `heldDomain`, `forward-disabled`
 */
export async function heldForward(
  trx: Knex.Transaction,
  reach: Reach,
  { id, domain_id }: Pick<WebForwardRow, 'id' | 'domain_id'>,
  purpose: Purpose,
): Promise<{ readonly base: DomainRow; readonly forward: WebForwardRow }> {
  const { base, forward } = await heldDomain(trx, reach, domain_id, purpose)
  if (forward?.id !== id) throw notFound('web forward')
  if (forward.disabled_reason !== null) throw forwardDisabled(base.fqdn, forward.disabled_reason)
  return { base, forward }
}
