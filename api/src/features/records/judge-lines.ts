/** Judges operations on records against what stands, and puts them into it: every line is checked, so that all refusals are known. */
import { domainLocked, notFound, Refusal } from '../../rules/errors.ts'
import { type Reach, requireWithin } from '../../rules/key-scope.ts'
import type { HeldRecords } from '../../feed/held-records.ts'
import type { RecordsInUse } from '../../feed/record-terms.ts'
import type { FoundPlace } from '../../models/record-place.ts'
import { conflictOf, orphansOf } from '../../rules/records-conflicts.ts'
import { placesOf, requireRecordPlaces, requireTypeInPlan } from '../../rules/records-plan.ts'
import { recordNotAllowed, type RecordSet, recordTtl } from '../../rules/records.ts'
import { holdsOwner } from './find-place.ts'
import type { RecordLine, RecordWish } from './record-line.ts'

export interface Judging {
  readonly reach: Reach
  readonly place: FoundPlace
  readonly held: HeldRecords
  readonly inUse: RecordsInUse
  /** The nearest locked name at or above an owner name. */
  readonly lockAbove: (owner: string) => string | undefined
}

type WishOf<Op extends RecordWish['op']> = Extract<RecordWish, { op: Op }>

/** @throws Refusal `domain-locked`, `key-scope` for a type */
function requireChangeable({ reach, lockAbove }: Judging, owner: string, type: string): void {
  const locked = lockAbove(owner)
  if (locked !== undefined) throw domainLocked(locked, 'its records cannot be changed')
  requireWithin(reach, { recordTypes: [type] })
}

const exists = ({ owner, type }: Pick<RecordSet, 'owner' | 'type'>) =>
  new Refusal(
    'record-exists',
    `${owner} already has ${type} records. Change them: a record has all values of one type.`,
    {
      faults: [{ field: 'owner', message: `${owner} already has ${type} records.` }],
    },
  )

/** A new record, or one that takes the place of another. */
function judgeSet(judging: Judging, line: RecordLine, { set }: WishOf<'create' | 'put'>): void {
  const { reach, place, held, inUse } = judging
  const { owner, type, values } = set
  if (!holdsOwner(reach, place, owner, held.standing.domainOf(owner))) {
    requireWithin(reach, { fqdn: owner })
  }
  requireChangeable(judging, owner, type)
  requireTypeInPlan(inUse.terms, type)
  line.before = held.find(owner, type)
  if (line.before !== undefined && line.wish?.op === 'create') throw exists(set)
  const ttl = set.ttl ?? line.before?.ttl
  const isKept = line.before !== undefined && ttl === line.before.ttl
  line.after = {
    owner,
    type,
    ttl: isKept && ttl !== undefined ? ttl : recordTtl(ttl, inUse.terms.ttlSeconds),
    values,
  }
}

/** @throws Refusal `version-mismatch` */
function requireVersion(
  line: RecordLine,
  { expects }: WishOf<'change' | 'delete'>,
  version: number,
): void {
  const expected = expects(version)
  if (expected === undefined || expected === version) return
  throw new Refusal(
    'version-mismatch',
    `The ${line.type ?? ''} record of ${line.owner ?? ''} was changed in the meantime and has version ${version}. Read it again, then repeat your change.`,
  )
}

/** A change or a deletion of the record that the line found. */
function judgeRow(judging: Judging, line: RecordLine, wish: WishOf<'change' | 'delete'>): void {
  const { reach, place, held, inUse } = judging
  const { before } = line
  if (before === undefined) throw notFound('record')
  const { owner, type, rdata } = before
  if (!holdsOwner(reach, place, owner, held.standing.domainOf(owner))) throw notFound('record')
  const values = wish.op === 'change' ? wish.values?.(before) : undefined
  requireChangeable(judging, owner, type)
  requireVersion(line, wish, before.version)
  if (wish.op === 'delete') return
  const { ttl = before.ttl } = wish
  const changed = ttl === before.ttl ? ttl : recordTtl(ttl, inUse.terms.ttlSeconds)
  line.after = { owner, type, ttl: changed, values: values ?? rdata }
  if (line.isDue) requireTypeInPlan(inUse.terms, type)
}

/** Refuses lines about a record that an earlier line is about: their order would decide the result. */
function refuseRepeated(lines: readonly RecordLine[]): void {
  const first = new Map<string, number>()
  for (const line of lines) {
    const { owner, type, index } = line
    if (owner === null || type === null) continue
    const key = `${owner} ${type}`
    const earlier = first.get(key)
    if (earlier === undefined) {
      first.set(key, index)
      continue
    }
    const message = `The ${type} record of ${owner} is also in operation ${earlier}. It can occur once in a batch.`
    line.refuse(new Refusal('conflict', message, { faults: [{ field: 'owner', message }] }))
  }
}

function putAll({ held: { standing } }: Judging, lines: readonly RecordLine[]): void {
  for (const { before, after, isAllowed } of lines) {
    if (!isAllowed) continue
    if (after !== undefined) {
      standing.put(after.owner, { type: after.type, values: after.values, isUsers: true })
    } else if (before !== undefined) {
      standing.remove(before.owner, before.type)
    }
  }
}

/** Refuses what cannot stand beside the rest, once all lines are put into it. */
function refuseConflicts({ held: { standing } }: Judging, lines: readonly RecordLine[]): void {
  for (const line of lines) {
    const { before, isAllowed, isDue } = line
    const set = line.after ?? before
    if (!isAllowed || !isDue || set === undefined) continue
    // A record that stands stays allowed, but a change of NS records can leave their glue alone.
    const conflict =
      before === undefined
        ? conflictOf(set, standing)
        : set.type === 'NS'
          ? orphansOf(set.owner, standing)
          : undefined
    if (conflict !== undefined) line.refuse(recordNotAllowed(conflict.field, conflict.message))
  }
}

/** How many more places of the plan a line takes; negative: it frees some. */
function growthOf({ terms }: RecordsInUse, { before, after }: RecordLine): number {
  const had =
    before === undefined ? 0 : placesOf(terms, { type: before.type, values: before.rdata })
  return (after === undefined ? 0 : placesOf(terms, after)) - had
}

/** Refuses the lines with which the account would exceed its plan. What others free counts first. */
function refuseBeyondPlan({ inUse }: Judging, lines: readonly RecordLine[]): void {
  const { terms, used } = inUse
  const allowed = lines.filter((line) => line.isAllowed)
  let after = used
  for (const line of allowed) after += Math.min(0, growthOf(inUse, line))
  for (const line of allowed) {
    const growth = growthOf(inUse, line)
    if (growth <= 0) continue
    after += growth
    line.check(() => requireRecordPlaces(terms, used, after))
  }
}

/** Judges all lines. Refused ones say why; the others have what to write. */
export function judgeLines(judging: Judging, lines: readonly RecordLine[]): void {
  for (const line of lines) {
    const { wish } = line
    if (wish === undefined) continue
    if (wish.op === 'create' || wish.op === 'put') line.check(() => judgeSet(judging, line, wish))
    else line.check(() => judgeRow(judging, line, wish))
  }
  refuseRepeated(lines)
  // The system's own records keep their place even if a line wants it.
  refuseOfTheService(judging, lines)
  putAll(judging, lines)
  refuseConflicts(judging, lines)
  refuseBeyondPlan(judging, lines)
}

function refuseOfTheService({ held: { standing } }: Judging, lines: readonly RecordLine[]): void {
  for (const line of lines) {
    const { after, before, isAllowed } = line
    if (!isAllowed || after === undefined || before !== undefined) continue
    if (standing.find(after.owner, after.type)?.isUsers !== false) continue
    const message = `The service makes the ${after.type} records of ${after.owner}. They cannot be changed.`
    line.refuse(recordNotAllowed('type', message))
  }
}
