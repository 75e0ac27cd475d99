/**
 * Preview of a change of a plan for all accounts on it. Names are counted with the query that the change itself
 * uses (`account-plan.ts`), in batches of accounts, so that no statement takes long. Names that cannot
 * differ are not counted: with half a million accounts, that takes many seconds.
 */
import type { AdminPlanPreview, Plan } from '@homing/openapi'
import type { Knex } from 'knex'
import { query } from '../database/sql.ts'
import { countDifference, type DifferenceCounts, type PlanTerms } from './account-plan.ts'
import { accountsAfter, FIRST } from './plan-accounts.ts'
import { keysUnder, without } from './plan-preview.ts'

interface AccountCounts {
  readonly account_count: number
  readonly api_key_count: number
  readonly trust_policy_count: number
}

const ACCOUNTS = `
  select (select count(*)::int from users where account_type = ?) as account_count,
         (select count(*)::int from api_keys k join users u on u.id = k.user_id
          where u.account_type = ? and k.replaced_by is null and k.policy_id is null) as api_key_count,
         (select count(*)::int from trust_policies t join users u on u.id = t.user_id
          where u.account_type = ?) as trust_policy_count`

const NONE: DifferenceCounts = {
  changed_account_count: 0,
  withheld_count: 0,
  restored_count: 0,
  ttl_change_count: 0,
}

function sumOf(one: DifferenceCounts, other: DifferenceCounts): DifferenceCounts {
  return {
    changed_account_count: one.changed_account_count + other.changed_account_count,
    withheld_count: one.withheld_count + other.withheld_count,
    restored_count: one.restored_count + other.restored_count,
    ttl_change_count: one.ttl_change_count + other.ttl_change_count,
  }
}

/** Counts the names that would differ under other terms of a plan, in all accounts on it. */
async function countAll(
  knex: Knex,
  accountType: string,
  terms: PlanTerms,
): Promise<DifferenceCounts> {
  let counts = NONE
  for (let last = FIRST; ;) {
    const userIds = await accountsAfter(knex, accountType, last)
    if (userIds.length === 0) return counts
    counts = sumOf(counts, await countDifference(knex, userIds, { terms }))
    last = userIds.at(-1) ?? last
  }
}

type Terms = Pick<
  Plan,
  | 'id'
  | 'domain_limit'
  | 'ttl'
  | 'stealth_flag_limit'
  | 'monitor_interval'
  | 'record_limit'
  | 'abilities'
>

/** Other terms of a plan. */
export interface TermsChange {
  readonly before: Terms
  readonly after: Terms
  /** False: every name matches the plan and none follows the change, so no account is examined. */
  readonly countsNames: boolean
}

/** Preview of other terms of a plan for its present accounts; changes and locks nothing. */
export async function previewPlanTerms(
  knex: Knex,
  { before, after, countsNames }: TermsChange,
): Promise<AdminPlanPreview> {
  const { id } = before
  const [accounts] = await query<AccountCounts>(knex, ACCOUNTS, [id, id, id])
  if (accounts === undefined) throw new Error('a count has a row')
  const hasKeys = ({ abilities }: Terms) => abilities.includes('api_keys')
  return {
    id,
    domain_limit: { before: before.domain_limit, after: after.domain_limit },
    ttl: { before: before.ttl, after: after.ttl },
    stealth_flag_limit: { before: before.stealth_flag_limit, after: after.stealth_flag_limit },
    monitor_interval: { before: before.monitor_interval, after: after.monitor_interval },
    record_limit: { before: before.record_limit, after: after.record_limit },
    abilities_gained: without(after.abilities, before.abilities),
    abilities_lost: without(before.abilities, after.abilities),
    ...accounts,
    ...(countsNames ? await countAll(knex, id, after) : NONE),
    api_keys: keysUnder(hasKeys(before), hasKeys(after)),
  }
}
