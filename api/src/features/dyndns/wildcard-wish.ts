/** `wildcard=ON`: a wildcard below the updated names, where the plan has them. It never takes one away. */
import type { UpdateHint } from '@homing/openapi'
import type { Knex } from 'knex'
import type { Actor } from '../../feed/address-change.ts'
import { addWildcard } from '../../feed/wildcard.ts'
import { query } from '../../sql.ts'

interface Row {
  readonly id: string
  readonly is_in_plan: boolean
}

/** Of the domains named, those of the account that have no wildcard. */
const WITHOUT = `
  select d.id, 'wildcard' = any (p.abilities) as is_in_plan
  from domains d join users u on u.id = d.user_id join plans p on p.account_type = u.account_type
  where d.user_id = ? and d.id = any (?::bigint[])
    and not exists (select from domains w where w.base_id = d.id)
  order by d.id`

/**
 * Makes the wildcards that are missing. What stands in the way of one (no address, one of
 * the zone's own) is no fault of a router that asks for it each time.
 */
export async function grantWildcards(
  knex: Knex,
  userId: string,
  domainIds: readonly string[],
  actor: Actor,
): Promise<readonly UpdateHint[]> {
  const missing = await query<Row>(knex, WITHOUT, [userId, domainIds], 'read-missing-wildcards')
  for (const { id, is_in_plan } of missing) {
    if (!is_in_plan) return ['wildcard-not-in-plan']
    const made = await knex.transaction(async (trx) => addWildcard(trx, userId, id, actor))
    // The plan lost them since it was read.
    if (made.kind === 'not-in-plan') return ['wildcard-not-in-plan']
  }
  return []
}
