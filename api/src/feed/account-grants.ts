/**
 * The one writer of `users.account_type`.
 *
 * Flags and grants change under the account's lock; the plan is derived from them and applied to the account's domains in
 * the same transaction. An account that became blocked, or that gained or lost the administrator role, loses its sessions.
 */
import type { Knex } from 'knex'
import { endAllCredentials } from '../credentials/session.ts'
import { query } from '../database/sql.ts'
import { NoticeDismissal } from '../models/notice-dismissal.ts'
import { PlanGrant } from '../models/plan-grant.ts'
import { User } from '../models/user.ts'
import type { JobQueue } from '../queue/job-queue.ts'
import {
  type AccountType,
  accountTypeOf,
  changedStanding,
  type Standing,
  type StandingChange,
} from '../rules/account-grants.ts'
import { PLAN_NOTICES } from '../rules/account-notices.ts'
import { endsCredentials } from '../rules/plans.ts'
import { applyAccountPlan } from './account-plan.ts'
import { type Actor, SYSTEM } from './address-change.ts'

interface Flags {
  readonly is_administrator: boolean
  readonly is_disabled: boolean
  readonly account_type: AccountType
  readonly enabled: boolean
}

/** An account's flags and grants. The caller has locked the account. */
export async function standingOf(
  trx: Knex,
  userId: string,
): Promise<(Standing & Pick<Flags, 'account_type' | 'enabled'>) | undefined> {
  const [flags] = await query<Flags>(
    trx,
    'select is_administrator, is_disabled, account_type, enabled from users where id = ?',
    [userId],
  )
  if (flags === undefined) return undefined
  const grants = await PlanGrant.query(trx)
    .modify('ownedBy', userId)
    .select('source', 'plan', 'until')
    .toKnexQuery<Pick<PlanGrant, 'source' | 'plan' | 'until'>>()
  const { is_administrator: isAdministrator, is_disabled: isDisabled, ...account } = flags
  return { ...account, isAdministrator, isDisabled, grants }
}

/** The account type that an account would have after a change; undefined: it does not exist. */
export async function accountTypeAfter(
  db: Knex,
  userId: string,
  change: StandingChange,
  now: Date,
): Promise<AccountType | undefined> {
  const before = await standingOf(db, userId)
  return before && accountTypeOf(changedStanding(before, change, now))
}

const WRITE_GRANTS = `
  with wanted as (
    select * from json_to_recordset(?::json) as w(source text, plan text, until timestamptz)
  ), gone as (
    delete from plan_grants where user_id = ? and source not in (select source from wanted)
  )
  insert into plan_grants as g (user_id, source, plan, until, granted_at, granted_by)
  select ?, source, plan, until, ?, ? from wanted
  on conflict (user_id, source) do update
  set plan = excluded.plan, until = excluded.until, granted_at = excluded.granted_at, granted_by = excluded.granted_by
  where (g.plan, g.until) is distinct from (excluded.plan, excluded.until)`

export interface GrantChange {
  readonly userId: string
  readonly change: StandingChange
  readonly now: Date
  /** Who does it; the service when omitted. */
  readonly actor?: Actor
  /** Whether the account may sign in, when that changes too. */
  readonly enabled?: boolean | undefined
}

/**
 * Changes flags and grants of an account, writes its account type, and applies the plan. Grants whose time is over are
 * removed. The caller has locked the account, and does nothing with names after this.
 *
 * @returns the account type before and after; undefined: the account does not exist
 */
export async function changeGrants(
  trx: Knex.Transaction,
  { jobs }: { readonly jobs: JobQueue },
  { userId, change, now, actor = SYSTEM, enabled }: GrantChange,
): Promise<{ readonly before: AccountType; readonly after: AccountType } | undefined> {
  const before = await standingOf(trx, userId)
  if (before === undefined) return undefined
  const standing = changedStanding(before, change, now)
  const after = { account_type: accountTypeOf(standing), enabled: enabled ?? before.enabled }
  await query(trx, WRITE_GRANTS, [
    JSON.stringify(standing.grants),
    userId,
    userId,
    now,
    actor.kind === 'administrator' ? actor.id : null,
  ])
  await query(
    trx,
    `update users set is_administrator = ?, is_disabled = ?, account_type = ?, enabled = ? where id = ?`,
    [standing.isAdministrator, standing.isDisabled, after.account_type, after.enabled, userId],
  )
  // A scheduled deletion ends when the account becomes an administrator's.
  if (after.account_type === 'admin') {
    await User.query(trx).findById(userId).patch({ deletion_due_at: null })
  }
  await settle(trx, jobs, { userId, before, after, actor })
  return { before: before.account_type, after: after.account_type }
}

interface Settled {
  readonly userId: string
  readonly before: Pick<Flags, 'account_type' | 'enabled'>
  readonly after: Pick<Flags, 'account_type' | 'enabled'>
  readonly actor: Actor
}

/** What follows from another account type: notices, sessions, domains. */
async function settle(
  trx: Knex.Transaction,
  jobs: JobQueue,
  { userId, before, after, actor }: Settled,
): Promise<void> {
  const isOther = before.account_type !== after.account_type
  if (isOther) {
    await NoticeDismissal.query(trx)
      .delete()
      .modify('ownedBy', userId)
      .whereIn('kind', PLAN_NOTICES)
  }
  if (endsCredentials(before, after)) await endAllCredentials(trx, userId)
  if (!isOther && before.enabled === after.enabled) return
  const { isWhole } = await applyAccountPlan(trx, userId, actor)
  if (!isWhole) await jobs.enqueue(trx, 'account-plan', { userId })
}
