/**
 * Preview of another plan for an account. Names come from the query that the change itself uses
 * (`account-plan.ts`), sessions and keys from the same rules as the change.
 */
import type { Plan, PlanPreview, PreviewedName } from '@homing/openapi'
import type { Knex } from 'knex'
import { endsCredentials, isBlocked, type AccountStatus } from '../rules/plans.ts'
import { readPlan } from '../models/plan.ts'
import { query } from '../database/sql.ts'
import { planDifference, type PlanWish, type WantedRow } from './account-plan.ts'

interface AccountRow extends AccountStatus {
  readonly account_type: Plan['id']
  readonly api_key_count: number
  readonly trust_policy_count: number
}

const ACCOUNT = `
  select account_type, enabled,
         (select count(*)::int from api_keys k
          where k.user_id = u.id and k.replaced_by is null and k.policy_id is null) as api_key_count,
         (select count(*)::int from trust_policies t where t.user_id = u.id) as trust_policy_count
  from users u where u.id = ?`

const isServed = (row: WantedRow) => !(row.is_held || row.over_limit || row.owner_blocked)

function namesOf(rows: readonly WantedRow[]): PreviewedName[] {
  return rows.map(({ id, fqdn, is_wildcard }) => ({ id, fqdn, is_wildcard }))
}

const takesKeys = (plan: Plan, account: AccountStatus) =>
  plan.abilities.includes('api_keys') && !isBlocked(account)

/** What happens to keys, by whether they were accepted before and will be after. */
export function keysUnder(before: boolean, after: boolean): PlanPreview['api_keys'] {
  if (before === after) return 'unchanged'
  return after ? 'accepted' : 'refused'
}

/** Elements of the first list that are not in the second. */
export const without = (some: readonly string[], others: readonly string[]) =>
  some.filter((each) => !others.includes(each))

/**
 * Preview of a change for the account as it is now; changes and locks nothing.
 *
 * @returns undefined when the account does not exist
 */
export async function previewPlan(
  knex: Knex,
  userId: string,
  wish: PlanWish,
): Promise<PlanPreview | undefined> {
  const [account] = await query<AccountRow>(knex, ACCOUNT, [userId])
  if (account === undefined) return undefined
  const wished: AccountStatus & Pick<AccountRow, 'account_type'> = {
    account_type: wish.accountType ?? account.account_type,
    enabled: wish.enabled ?? account.enabled,
  }
  const before = await readPlan(knex, account.account_type)
  const after = await readPlan(knex, wished.account_type)
  const { rows } = await planDifference(knex, [userId], { wish, basesLimit: null })
  return {
    from: before.id,
    to: after.id,
    domain_limit: { before: before.domain_limit, after: after.domain_limit },
    ttl: { before: before.ttl, after: after.ttl },
    abilities_gained: without(after.abilities, before.abilities),
    abilities_lost: without(before.abilities, after.abilities),
    withheld: namesOf(rows.filter((row) => row.is_active && !isServed(row))),
    restored: namesOf(rows.filter((row) => !row.is_active && isServed(row))),
    ttl_change_count: rows.filter((row) => row.ttl !== row.ttl_before).length,
    api_keys: keysUnder(takesKeys(before, account), takesKeys(after, wished)),
    api_key_count: account.api_key_count,
    trust_policy_count: account.trust_policy_count,
    ends_sessions: endsCredentials(account, wished),
    blocks_account: isBlocked(wished),
  }
}
