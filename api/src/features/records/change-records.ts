/**
 * Applies operations to the records of a place: all of them in one transaction, or none. Single calls, batches, imports
 * and undo take this way.
 */
import type { Knex } from 'knex'
import { accountDisabled } from '../../credentials/account-row.ts'
import type { Actor } from '../../feed/address-change.ts'
import { type AskedOwners, type HeldRecords, holdRecords } from '../../feed/held-records.ts'
import { holdPlans, lockAccount, lockDomains } from '../../feed/lock-order.ts'
import { countRecordChanges, type RecordChangeKind } from '../../feed/record-counts.ts'
import { recordsInUse } from '../../feed/record-terms.ts'
import { type RecordWrite, writeRecords } from '../../feed/records.ts'
import { LockedName } from '../../models/locked-name.ts'
import type { FoundPlace, PlaceKey } from '../../models/record-place.ts'
import { ZoneRecord, type RecordRow } from '../../models/record.ts'
import type { Services } from '../../compose.ts'
import type { Reach } from '../../rules/key-scope.ts'
import { namesAtOrAbove } from '../../rules/names.ts'
import { isBlocked } from '../../rules/plans.ts'
import { findPlace, requireActive } from './find-place.ts'
import { judgeLines } from './judge-lines.ts'
import type { RecordLine } from './record-line.ts'

export interface RecordChangeSet {
  readonly reach: Reach
  readonly key: PlaceKey
  /** Called once the account is locked, when what the lines are can depend on what stands. */
  readonly lines:
    | readonly RecordLine[]
    | ((held: HeldRecords, place: FoundPlace) => readonly RecordLine[])
  readonly actor: Actor
  readonly isDryRun?: boolean
  /** The event that this undoes. */
  readonly undoes?: string
  readonly ownersLimit?: number
  /** Called with the account and the domains locked. @throws Refusal to give up */
  readonly confirm?: (trx: Knex.Transaction, found: FoundRecords) => Promise<void>
}

/** What was found for operations. */
export interface FoundRecords {
  readonly place: FoundPlace
  readonly lines: readonly RecordLine[]
  readonly held: HeldRecords
}

/** What was judged, and written unless a line is refused. */
export interface RecordOutcome extends FoundRecords {
  /** False: a line is refused, or it was a dry run. */
  readonly isApplied: boolean
}

/** Finds the records that changes and deletions are about. */
async function findRows(
  trx: Knex.Transaction,
  place: FoundPlace,
  lines: readonly RecordLine[],
): Promise<void> {
  const ids = lines.flatMap(({ wish }) => (wish !== undefined && 'id' in wish ? [wish.id] : []))
  if (ids.length === 0) return
  const rows = await ZoneRecord.query(trx)
    .modify('ownedBy', place.userId)
    .modify('within', place.fqdn)
    .where('zone_id', place.zoneId)
    .whereIn('id', ids)
    .toKnexQuery<RecordRow>()
  const byId = new Map(rows.map((row) => [row.id, row]))
  for (const line of lines) {
    if (line.wish !== undefined && 'id' in line.wish) line.before = byId.get(line.wish.id)
    line.id = line.before?.id ?? null
  }
}

function askedOf(lines: readonly RecordLine[]): AskedOwners {
  const known = lines.flatMap(({ owner, type }) => (owner === null ? [] : [{ owner, type }]))
  return {
    owners: known.map(({ owner }) => owner),
    covering: known.flatMap(({ owner, type }) =>
      type === 'NS' || type === 'CNAME' ? [owner] : [],
    ),
  }
}

/** Locks the domains at and above the owner names; their administrators' locks are read afterwards. */
async function lockNames(
  trx: Knex.Transaction,
  place: FoundPlace,
  owners: readonly string[],
  { domains }: HeldRecords,
): Promise<(owner: string) => string | undefined> {
  const names = new Set(owners.flatMap(namesAtOrAbove))
  const ids = [...names].flatMap((name) => domains.get(name)?.id ?? [])
  await lockDomains(trx, place.domainId === null ? ids : [...ids, place.domainId])
  const locks = await LockedName.query(trx)
    .select('fqdn')
    .whereRaw('fqdn = any (?::text[])', [[...names]])
  const locked = new Set(locks.map(({ fqdn }) => fqdn))
  if (locked.size === 0) return () => undefined
  return (owner) => namesAtOrAbove(owner).find((name) => locked.has(name))
}

/** Whether a line can take more places of the plan: values count in some plans. */
const canGrow = ({ wish }: RecordLine) =>
  wish !== undefined && wish.op !== 'delete' && (wish.op !== 'change' || wish.values !== undefined)

async function judged(
  trx: Knex.Transaction,
  { reach, key, lines: given, confirm }: RecordChangeSet,
): Promise<FoundRecords> {
  const { userId } = reach
  const account = await lockAccount(trx, userId)
  if (account === undefined || isBlocked(account)) throw accountDisabled()
  await holdPlans(trx, [account.account_type])
  const owner = { id: userId, accountType: account.account_type }
  const inUse = await recordsInUse(trx, owner, typeof given === 'function' || given.some(canGrow))
  const place = await findPlace(trx, reach, key)
  requireActive(place)
  let lines: readonly RecordLine[]
  let held: HeldRecords
  if (typeof given === 'function') {
    held = await holdRecords(trx, place, undefined)
    lines = given(held, place)
  } else {
    lines = given
    await findRows(trx, place, lines)
    held = await holdRecords(trx, place, askedOf(lines))
  }
  const owners = lines.flatMap(({ owner }) => owner ?? [])
  const lockAbove = await lockNames(trx, place, owners, held)
  await confirm?.(trx, { place, lines, held })
  judgeLines({ reach, place, held, inUse, lockAbove }, lines)
  return { place, lines, held }
}

/** The domain that a record belongs to. */
export function domainFor({ standing, domains }: HeldRecords, owner: string) {
  const fqdn = standing.domainOf(owner)
  return fqdn === undefined ? undefined : domains.get(fqdn)
}

async function write(
  trx: Knex.Transaction,
  { place, lines, held }: FoundRecords,
  { actor, undoes, ownersLimit }: RecordChangeSet,
): Promise<void> {
  const due = lines.filter((line) => line.isDue)
  const writes = due.map(({ before, after, owner }): RecordWrite => {
    return { before, after, domain: domainFor(held, owner ?? '') }
  })
  const options = ownersLimit === undefined ? { undoes } : { undoes, ownersLimit }
  const inserted = await writeRecords(trx, place, writes, actor, options)
  const made = new Map(inserted.map((row) => [`${row.owner} ${row.type}`, row]))
  for (const line of due) {
    const row = line.before ?? made.get(`${line.owner} ${line.type}`)
    line.id = row?.id ?? null
    line.createdAt = row?.created_at
  }
}

function kindOf({ before, after, isDue }: RecordLine): RecordChangeKind[] {
  if (!isDue) return []
  if (before === undefined) return ['created']
  return [after === undefined ? 'deleted' : 'changed']
}

/**
 * Judges operations, and applies them unless one is refused. The lines say why.
 *
 * @throws Refusal `not-found` for the place, `account-disabled`, `zone-not-active`, and those of `confirm`
 */
export async function changeRecords(
  { knex }: Pick<Services, 'knex'>,
  changes: RecordChangeSet,
): Promise<RecordOutcome> {
  const outcome = await knex.transaction(async (trx) => {
    const result = await judged(trx, changes)
    const isApplied = changes.isDryRun !== true && result.lines.every((line) => line.isAllowed)
    if (isApplied) await write(trx, result, changes)
    return { ...result, isApplied }
  })
  if (outcome.isApplied) countRecordChanges(knex, outcome.lines.flatMap(kindOf))
  return outcome
}
