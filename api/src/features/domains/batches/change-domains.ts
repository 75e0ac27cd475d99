/**
 * Applies a batch of operations to an account's domains: all of them in one transaction, or none.
 *
 * Every line is checked against the state that the transaction has locked, so that the verdicts name all refused lines
 * and a batch without refusals can be written by a few statements. A line cannot depend on another one: each domain
 * occurs once. Only the limit of the plan is counted over the whole batch. Locks are taken in the one order of all
 * writers (`feed/lock-order.ts`), and one change set per zone is published at the end.
 */
import type { DomainBatch, DomainBatchResult } from '@homing/openapi'
import type { Knex } from 'knex'
import { planDifference, settleDifference } from '../../../feed/account-plan.ts'
import type { Actor } from '../../../feed/address-change.ts'
import { OWNERS_PER_BATCH_LIMIT } from '../../../feed/change-set.ts'
import { changeHeldDomains } from '../../../feed/change-domain.ts'
import { changeHeldAddresses } from '../../../feed/held-addresses.ts'
import { lockDomains, lockPlaces } from '../../../feed/lock-order.ts'
import { ownersOfDomains, publish } from '../../../feed/publish.ts'
import { type Reach, requireWithin } from '../../../rules/key-scope.ts'
import { requireAllowance } from '../../../limits/require-allowance.ts'
import { type Principal, reachOf } from '../../../caller/principal.ts'
import type { Services } from '../../../compose.ts'
import { planInForce } from '../create-domain.ts'
import { removeDomains } from '../delete-domain.ts'
import {
  type ChangeSubject,
  type DeleteSubject,
  type JudgedChanges,
  judgeChanges,
  judgeDeletions,
} from './batch-changes.ts'
import {
  type Creation,
  insertCreations,
  readCreations,
  refuseBeyondPlan,
  refuseTaken,
} from './batch-creations.ts'
import { judgeMonitors, turnAll, type TurnedMonitors } from './batch-monitors.ts'
import { ACTIONS, BatchLine, batchRefused, refuseRepeated } from './batch-line.ts'
import { findSubjects, wildcardsOf } from './batch-subjects.ts'
import { batchPlaces } from './batch-places.ts'

interface Batch {
  readonly services: Services
  readonly reach: Reach
  readonly actor: Actor
  readonly lines: readonly BatchLine[]
  readonly creations: readonly Creation[]
  /** The country of the request, for new domains. */
  readonly createdCc: string | null
}

/** A batch whose lines are all checked, and the rows that they are about locked. */
interface Checked {
  readonly ttl: number
  readonly changes: JudgedChanges
  readonly monitors: TurnedMonitors
  readonly deletions: readonly DeleteSubject[]
  /** The ids of the deleted domains and of their wildcards. */
  readonly leaving: readonly string[]
  readonly difference: Awaited<ReturnType<typeof planDifference>>
}

const idsOf = (subjects: readonly (ChangeSubject | DeleteSubject)[]) =>
  subjects.map(({ domain }) => domain.id)

async function checkAll(trx: Knex.Transaction, batch: Batch): Promise<Checked> {
  const { reach, lines, creations } = batch
  const { userId } = reach
  const plan = await planInForce(trx, userId)
  const changing = await findSubjects(
    trx,
    reach,
    lines.filter((line) => line.isOf('change')),
  )
  const deletions = await findSubjects(
    trx,
    reach,
    lines.filter((line) => line.isOf('delete')),
  )
  refuseRepeated(lines)
  await lockPlaces(
    trx,
    creations.map(({ placed: { zoneId, owner } }) => ({
      zoneId,
      labelBelowZone: owner.labelBelowZone,
    })),
  )
  await refuseTaken(trx, userId, creations)
  const bases = deletions.filter(({ domain }) => !domain.is_wildcard)
  const leaving = [...idsOf(deletions), ...(await wildcardsOf(trx, idsOf(deletions)))]
  const followers = await wildcardsOf(trx, idsOf(changing))
  const options = { leaving, basesLimit: bases.length }
  const difference = await planDifference(trx, [userId], options)
  const rows = await lockDomains(trx, [
    ...idsOf(changing),
    ...followers,
    ...leaving,
    ...difference.rows.map(({ id }) => id),
  ])
  await judgeDeletions(trx, reach, deletions, rows)
  const changes = await judgeChanges(trx, batch, changing, rows)
  const monitors = judgeMonitors(plan, changing, rows)
  const freed = bases.filter(({ line }) => line.isAllowed).length
  refuseBeyondPlan(plan, creations, freed)
  return { ttl: plan.ttlSeconds, changes, monitors, deletions, leaving, difference }
}

async function writeAll(trx: Knex.Transaction, batch: Batch, checked: Checked): Promise<void> {
  const { services, reach, actor, creations, createdCc } = batch
  const { userId } = reach
  const { ttl, changes, monitors, deletions, leaving, difference } = checked
  const domains = deletions.map(({ domain }) => domain)
  const gone = await removeDomains(trx, { userId, domains, leaving }, actor)
  const changed = await changeHeldAddresses(trx, changes.due)
  const turned = (await changeHeldDomains(trx, changes.settings, actor)) ?? []
  await turnAll(trx, monitors)
  const created = await insertCreations(trx, { userId, ttl, createdCc }, creations, actor)
  const restored = leaving.length > 0 ? await settleDifference(trx, difference) : []
  const owners = await ownersOfDomains(trx, [...changed, ...turned, ...created])
  if (leaving.length > 0 && !difference.isWhole) {
    await services.jobs.enqueue(trx, 'account-plan', { userId })
  }
  await publish(trx, [...gone, ...restored, ...owners], OWNERS_PER_BATCH_LIMIT)
}

/** @returns the names of domains that already had the addresses */
async function run(batch: Batch, isDryRun: boolean): Promise<readonly string[]> {
  return batch.services.knex.transaction(async (trx) => {
    const checked = await checkAll(trx, batch)
    if (batch.lines.some((line) => !line.isAllowed)) throw batchRefused(batch.lines)
    if (isDryRun) return []
    await writeAll(trx, batch, checked)
    return checked.changes.unchanged
  })
}

/** Counts the new names as single registrations do, and no name when nothing is registered. */
async function counted<T>(
  services: Services,
  { userId, count }: { readonly userId: string; readonly count: number },
  work: () => Promise<T>,
): Promise<T> {
  if (count === 0) return work()
  try {
    await requireAllowance(services, 'new-names-account', userId, count)
    return await work()
  } catch (error) {
    await services.rateLimits.giveBack('new-names-account', userId, count)
    throw error
  }
}

/**
 * Applies a batch, or with `dry_run` only checks it.
 *
 * @throws Refusal `batch-refused` with a verdict for each line, `account-disabled`, `rate-limited`, `unavailable`
 */
export async function changeDomains(
  services: Services,
  principal: Principal,
  { operations, dry_run: isDryRun = false }: DomainBatch,
  actor: Actor,
): Promise<DomainBatchResult> {
  const reach = reachOf(principal)
  const { userId } = reach
  await requireAllowance(services, 'batches-account', userId)
  using _place = batchPlaces.take(services.knex, userId)
  const lines = operations.map((operation, index) => new BatchLine(operation, index))
  for (const line of lines) {
    line.check(() => requireWithin(reach, { action: ACTIONS[line.operation.op] }))
  }
  const creating = lines.filter((line) => line.isOf('create'))
  if (creating.length > 0) {
    await requireAllowance(services, 'batch-names-account', userId, creating.length)
  }
  const creations = await readCreations(services, principal, creating)
  const { sourceIp } = actor
  const createdCc =
    creations.length === 0 || sourceIp === null ? null : await services.countryOf(sourceIp)
  const batch = { services, reach, actor, lines, creations, createdCc }
  const count = isDryRun ? 0 : creations.length
  const unchanged = await counted(services, { userId, count }, async () => run(batch, isDryRun))
  // Nothing was written, but the domains got an update.
  for (const fqdn of unchanged) services.callLog.noteUpdate(fqdn, services.now())
  return { applied: !isDryRun, verdicts: lines.map((line) => line.verdict()) }
}
