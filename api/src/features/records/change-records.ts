/**
 * Applies operations to the records of a place: all of them in one transaction, or none. Single calls, batches, imports
 * and undo take this way.
 */
import type { Knex } from 'knex'
import { accountDisabled } from '../../credentials/account-row.ts'
import type { Actor } from '../../feed/address-change.ts'
import {
  type AskedOwners,
  type HeldRecords,
  holdOwners,
  lockOwners,
  type NameLocks,
  readPlace,
} from '../../feed/held-records.ts'
import { holdAccount } from '../../feed/lock-order.ts'
import { countRecordChanges, type RecordChangeKind } from '../../feed/record-counts.ts'
import type { NeededUse } from '../../feed/record-terms.ts'
import { type RecordWrite, writeRecords } from '../../feed/records.ts'
import type { FoundPlace, PlaceKey } from '../../models/record-place.ts'
import type { Services } from '../../compose.ts'
import type { Reach } from '../../rules/key-scope.ts'
import { namesAtOrAbove } from '../../rules/names.ts'
import { isBlocked } from '../../rules/plans.ts'
import { type HeldPlace, holdPlace } from './hold-place.ts'
import { judgeLines } from './judge-lines.ts'
import type { RecordLine } from './record-line.ts'
import { countSize, refuseBeyondSize, requireSizeAllowance } from './record-size.ts'

export interface RecordChangeSet {
  readonly reach: Reach
  readonly key: PlaceKey
  /** Called after the account is locked, so that the lines can depend on existing records. */
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

const idsOf = (lines: readonly RecordLine[]): string[] =>
  lines.flatMap(({ wish }) => (wish !== undefined && 'id' in wish ? [wish.id] : []))

/** Gives changes and deletions the records that they are about. */
function giveRows(lines: readonly RecordLine[], { records }: HeldPlace): void {
  for (const line of lines) {
    if (line.wish !== undefined && 'id' in line.wish) line.before = records.get(line.wish.id)
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

/** Which places of the plan the lines can take: new records take places, and values do in some plans. */
function neededUse(lines: RecordChangeSet['lines']): NeededUse {
  if (typeof lines === 'function') return 'sets'
  const ops = new Set(lines.map(({ wish }) => wish?.op))
  if (ops.has('create') || ops.has('put')) return 'sets'
  const changesValues = lines.some(({ wish }) => wish?.op === 'change' && wish.values !== undefined)
  return changesValues ? 'values' : 'none'
}

/** What stands at and around the lines, with the domains at and above them locked. */
async function heldFor(
  trx: Knex.Transaction,
  given: RecordChangeSet['lines'],
  ofPlace: HeldPlace,
): Promise<Omit<FoundRecords, 'place'> & { readonly locks: NameLocks }> {
  const { place } = ofPlace
  if (typeof given === 'function') {
    const held = await readPlace(trx, place)
    const lines = given(held, place)
    const owners = lines.flatMap(({ owner }) => owner ?? [])
    return { lines, held, locks: await lockOwners(trx, place, held, owners) }
  }
  giveRows(given, ofPlace)
  return { lines: given, ...(await holdOwners(trx, place, askedOf(given))) }
}

async function judged(
  trx: Knex.Transaction,
  { reach, key, lines: given, confirm }: RecordChangeSet,
): Promise<FoundRecords> {
  const { userId } = reach
  const holder = await holdAccount(trx, userId)
  if (holder === undefined || isBlocked(holder)) throw accountDisabled()
  const ofPlace = await holdPlace(trx, {
    reach,
    key,
    account: { id: userId, accountType: holder.account_type },
    needed: neededUse(given),
    recordIds: typeof given === 'function' ? [] : idsOf(given),
  })
  const { place, inUse } = ofPlace
  const { lines, held, locks } = await heldFor(trx, given, ofPlace)
  const lockAbove = (owner: string) =>
    locks.size === 0 ? undefined : namesAtOrAbove(owner).find((name) => locks.has(name))
  await confirm?.(trx, { place, lines, held })
  judgeLines({ reach, place, held, inUse, lockAbove }, lines)
  await refuseBeyondSize(trx, userId, lines)
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
 * @throws Refusal `not-found` for the place, `account-disabled`, `zone-not-active`, `rate-limited`, and those of `confirm`
 */
export async function changeRecords(
  services: Pick<Services, 'knex' | 'rateLimits'>,
  changes: RecordChangeSet,
): Promise<RecordOutcome> {
  const { knex } = services
  const { userId } = changes.reach
  requireSizeAllowance(services, userId)
  const outcome = await knex.transaction(async (trx) => {
    const result = await judged(trx, changes)
    const isApplied = changes.isDryRun !== true && result.lines.every((line) => line.isAllowed)
    if (isApplied) await write(trx, result, changes)
    return { ...result, isApplied }
  })
  if (!outcome.isApplied) return outcome
  countRecordChanges(knex, outcome.lines.flatMap(kindOf))
  await countSize(services, userId, outcome.lines)
  return outcome
}
