/** Changes the terms of a plan, and previews the effect. */
import {
  type AdminPlanChange,
  type AdminPlanPreview,
  PLAN_ABILITIES,
  type Plan,
} from '@homing/openapi'
import type { Knex } from 'knex'
import { query } from '../../database/sql.ts'
import { JOB_SCHEMA } from '../../queue/job-queue.ts'
import { Refusal } from '../../rules/errors.ts'
import { lockPlan } from '../../feed/lock-order.ts'
import { FIRST } from '../../feed/plan-accounts.ts'
import { previewPlanTerms } from '../../feed/plan-change-preview.ts'
import { readVersionedPlan, type VersionedPlan, writePlan } from '../../models/plan.ts'
import { expectedVersion } from '../../plugins/if-match.ts'
import type { CallerAccount } from '../../caller/principal.ts'
import type { Services } from '../../compose.ts'

/**
 * The plan `disabled` cannot be changed: its accounts serve nothing and cannot sign in, so it has nothing to allow.
 *
 * @throws Refusal `conflict`
 */
function requireChangeable(planId: Plan['id']): void {
  if (planId !== 'disabled') return
  throw new Refusal(
    'conflict',
    'The plan disabled cannot be changed: its accounts cannot sign in, and DNS does not serve their domains.',
  )
}

/** @throws Refusal `version-mismatch` */
function requireVersion({ id, version }: VersionedPlan, ifMatch: string | undefined): void {
  const expected = expectedVersion(ifMatch, version)
  if (expected === undefined || expected === version) return
  throw new Refusal(
    'version-mismatch',
    `The plan ${id} was changed in the meantime and has version ${version}. Read it again, then repeat your change.`,
  )
}

/** The plan with the given fields replaced. Abilities keep a fixed order, whatever the order of the input. */
function changed<P extends Plan>(plan: P, change: AdminPlanChange): P {
  const abilities: readonly string[] = change.abilities ?? plan.abilities
  return {
    ...plan,
    ...change,
    abilities: PLAN_ABILITIES.filter((each) => abilities.includes(each)),
  }
}

const hasSame = (one: Plan, other: Plan, ability: string) =>
  one.abilities.includes(ability) === other.abilities.includes(ability)

/** Whether the difference affects domains or their web forwards. Monitors follow the plan by themselves, and records stay. */
function reachesNames(before: Plan, after: Plan): boolean {
  return (
    before.domain_limit !== after.domain_limit ||
    before.ttl !== after.ttl ||
    before.stealth_flag_limit !== after.stealth_flag_limit ||
    !hasSame(before, after, 'wildcard')
  )
}

function isSame(before: Plan, after: Plan): boolean {
  return (
    !reachesNames(before, after) &&
    before.monitor_interval === after.monitor_interval &&
    before.record_limit === after.record_limit &&
    PLAN_ABILITIES.every((ability) => hasSame(before, after, ability))
  )
}

const termsOf = (plan: Plan) => ({
  domain_limit: plan.domain_limit,
  ttl: plan.ttl,
  stealth_flag_limit: plan.stealth_flag_limit,
  monitor_interval: plan.monitor_interval,
  record_limit: plan.record_limit,
  abilities: plan.abilities,
})

/** The change that an administrator requests. */
interface WantedChange {
  readonly planId: Plan['id']
  readonly change: AdminPlanChange
  /** The header If-Match. */
  readonly ifMatch: string | undefined
}

/**
 * Changes a plan. Permissions change at once, because each request reads them; the domains of its accounts follow by
 * the job `plan`, which is created in the same transaction. A change without effect writes nothing.
 *
 * @throws Refusal `conflict` for `disabled`, `version-mismatch`
 */
export async function changePlan(
  { knex, jobs, log }: Pick<Services, 'knex' | 'jobs' | 'log'>,
  administrator: Pick<CallerAccount, 'id'>,
  { planId, change, ifMatch }: WantedChange,
): Promise<VersionedPlan> {
  requireChangeable(planId)
  const { before, after } = await knex.transaction(async (trx) => {
    await lockPlan(trx, planId)
    const plan = await readVersionedPlan(trx, planId)
    requireVersion(plan, ifMatch)
    const wanted = changed(plan, change)
    if (isSame(plan, wanted)) return { before: plan, after: plan }
    const written = await writePlan(trx, wanted)
    if (reachesNames(plan, written)) {
      await jobs.enqueue(trx, 'plan', { plan: planId, after: FIRST })
    }
    return { before: plan, after: written }
  })
  if (before !== after) {
    const what = { plan: planId, before: termsOf(before), after: termsOf(after) }
    log.warn({ administratorId: administrator.id, ...what }, 'an administrator changed a plan')
  }
  return after
}

// `failed`: a job that was given up has left names as they were.
const UNFINISHED_JOBS = `
  select from ${JOB_SCHEMA}.job
  where name = 'plan' and data ->> 'plan' = ? and state in ('created', 'retry', 'active', 'failed') limit 1`

/** Whether domains may not match the plan yet, because the job of an earlier change has not finished. */
async function isBehind(knex: Knex, planId: Plan['id']): Promise<boolean> {
  return (await query(knex, UNFINISHED_JOBS, [planId])).length > 0
}

/**
 * The effect of a change on the accounts that have the plan now.
 *
 * @throws Refusal `conflict` for `disabled`
 */
export async function previewPlanChange(
  { knex }: Pick<Services, 'knex'>,
  planId: Plan['id'],
  change: AdminPlanChange,
): Promise<AdminPlanPreview> {
  requireChangeable(planId)
  const plan = await readVersionedPlan(knex, planId)
  const after = changed(plan, change)
  const countsNames = reachesNames(plan, after) || (await isBehind(knex, planId))
  return previewPlanTerms(knex, { before: plan, after, countsNames })
}
