/** The accounts of a plan in batches: a change of a plan affects all of them, and there can be very many. */
import type { Knex } from 'knex'
import { query } from '../database/sql.ts'
import { accountsWithOtherFlags } from './forward-flags.ts'
import { applyPlans, planDifference } from './account-plan.ts'

/** Maximum number of accounts in a batch. */
const ACCOUNTS_PER_LOOK = 500
/** A batch ends at this number of names: one statement then takes some 20 ms. */
const NAMES_PER_LOOK = 5_000

// An account is included when the accounts before it have few enough names, so the first always is.
const ACCOUNTS = `
  select id from (
    select id, sum(name_count) over (order by id) - name_count as before
    from (
      select u.id, (select count(*) from domains d where d.user_id = u.id) as name_count
      from users u where u.account_type = ? and u.id > ?::bigint order by u.id limit ${ACCOUNTS_PER_LOOK}
    ) counted
  ) summed
  where before < ${NAMES_PER_LOOK} order by id`

/** Less than the first account's id. */
export const FIRST = '0'

/** Ids of the next accounts on a plan, ascending; empty when there are no more. */
export async function accountsAfter(
  db: Knex,
  accountType: string,
  after: string,
): Promise<readonly string[]> {
  const rows = await query<{ id: string }>(db, ACCOUNTS, [accountType, after])
  return rows.map(({ id }) => id)
}

/**
 * Changes the names and forwards of some accounts to match their plans, at most 500 in a transaction. The search for
 * differences takes no lock; accounts with differences are then locked and checked again.
 *
 * @returns the number of transactions
 */
export async function settleAccounts(knex: Knex, userIds: readonly string[]): Promise<number> {
  for (let steps = 0; ;) {
    const seen = await planDifference(knex, userIds)
    const differing = new Set(seen.rows.map(({ user_id }) => user_id))
    for (const userId of await accountsWithOtherFlags(knex, userIds)) differing.add(userId)
    if (differing.size === 0) return steps
    const applied = await knex.transaction((trx) => applyPlans(trx, [...differing]))
    steps += 1
    if (seen.isWhole && applied.isWhole) return steps
  }
}
