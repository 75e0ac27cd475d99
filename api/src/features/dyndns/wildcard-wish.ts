/** `wildcard=ON`: creates a wildcard below the updated domains, if the plan includes wildcards. It never removes one. */
import type { UpdateHint } from '@homing/openapi'
import type { Knex } from 'knex'
import type { Actor } from '../../feed/address-change.ts'
import { type OwnerName, ownerNameOf } from '../../rules/names.ts'
import { addWildcard } from '../../feed/wildcard.ts'
import { query } from '../../database/sql.ts'
import type { CountryOf } from '../../integrations/network-origins.ts'

interface Row {
  readonly id: string
  readonly fqdn: string
  readonly zone: string
  readonly is_own: boolean
  readonly is_in_plan: boolean
}

/** The named domains of the account that have no wildcard. */
const WITHOUT = `
  select d.id, d.fqdn, z.name as zone, z.is_own, 'wildcard' = any (p.abilities) as is_in_plan
  from domains d join zones z on z.id = d.zone_id join users u on u.id = d.user_id join plans p on p.account_type = u.account_type
  where d.user_id = ? and d.id = any (?::bigint[])
    and not exists (select from domains w where w.base_id = d.id)
  order by d.id`

export interface WildcardRules {
  readonly knex: Knex
  /** Whether anybody may register names below this one. */
  readonly isOpenName: (owner: OwnerName) => boolean
  readonly countryOf: CountryOf
}

/**
 * Creates the missing wildcards. If one cannot be created (there is no address, the zone has its
 * own wildcard, the name became protected), this is not an error of the router, which requests it
 * each time.
 */
export async function grantWildcards(
  { knex, isOpenName, countryOf }: WildcardRules,
  userId: string,
  domainIds: readonly string[],
  actor: Actor,
): Promise<readonly UpdateHint[]> {
  const missing = await query<Row>(knex, WITHOUT, [userId, domainIds], 'read-missing-wildcards')
  for (const { id, fqdn, zone, is_own, is_in_plan } of missing) {
    if (!is_in_plan) return ['wildcard-not-in-plan']
    if (!isOpenName(ownerNameOf(fqdn, zone, is_own))) continue
    const createdCc = actor.sourceIp === null ? null : await countryOf(actor.sourceIp)
    const made = await knex.transaction((trx) => addWildcard(trx, userId, id, actor, createdCc))
    // The plan lost wildcards after it was read.
    if (made.kind === 'not-in-plan') return ['wildcard-not-in-plan']
  }
  return []
}
