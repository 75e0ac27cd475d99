/*
 * Publishing: how a change becomes visible in DNS.
 *
 * A transaction that changed names ends with `publish`. For each zone that it touched, in zone id
 * order, it takes the zone's serial and then writes one change set: each touched owner name with
 * its complete new state. The serial's row stays locked until commit, so the order of serials is
 * the order of commits. A follower that reads serial 7 knows that nothing below 7 can still appear.
 *
 * These must be two statements. In READ COMMITTED a statement sees what was committed when it
 * began. A single statement that took the serial and read the owners' states would wait for the
 * lock with an old snapshot and publish that old state under the newer serial; the other writer's
 * change would be lost. So a second statement, which begins after the serial is locked, reads the
 * states. Both are in the SQL function `publish_owners`, where each statement has its own snapshot.
 * That costs one round trip, and the coalescer's write can use it too.
 *
 * The forward feed follows in the same transaction (`publishForwards`): its serial is the last lock.
 *
 * NOTIFY is sent with the commit. It is a hint that shortens the wait of followers; they also poll
 * and never depend on it.
 */
import type { Knex } from 'knex'
import { DatabaseError } from 'pg'
import {
  ChangeSetTooLarge,
  OWNERS_PER_SET_LIMIT,
  type PublishedSet,
  type ZoneOwners,
  ZoneWithoutSerial,
} from './change-set.ts'
import { ascendingIds, enterStep } from './lock-order.ts'
import { query } from '../database/sql.ts'
import { publishForwards } from './publish-forwards.ts'

/** The changes of a zone, with distinct owners. */
interface MergedChanges {
  readonly zoneId: string
  readonly owners: ReadonlySet<string>
  /** Those of them that the limit counts. */
  readonly counted: ReadonlySet<string>
  readonly wildcards: ReadonlySet<string>
}

/** One entry for each zone, in zone id order. */
function mergedByZone(changes: readonly ZoneOwners[]): MergedChanges[] {
  return ascendingIds(changes.map((change) => change.zoneId)).map((zoneId) => {
    const ofZone = changes.filter((change) => change.zoneId === zoneId)
    const counted = new Set(ofZone.flatMap((change) => change.owners))
    const records = ofZone.flatMap((change) => change.records ?? [])
    const owners = records.length === 0 ? counted : new Set([...counted, ...records])
    const wildcards = new Set(ofZone.flatMap((change) => change.wildcards ?? []))
    return { zoneId, owners, counted, wildcards }
  })
}

/** All names whose forwards can have changed. */
const forwardNamesOf = (changes: readonly ZoneOwners[]): string[] => [
  ...new Set(changes.flatMap(({ owners, forwards = [] }) => [...owners, ...forwards])),
]

interface SerialRow {
  readonly serial: string
  readonly feed_id: string
  readonly token: string
  readonly previous_token: string
}

const PUBLISH = 'select * from publish_owners(?, ?, ?)'

// The forwards are published for the row that publish_owners returns, so after it, by statements of their own. One round
// trip less: the serial stays locked meanwhile.
const PUBLISH_WITH_FORWARDS = `
  select p.serial, p.feed_id, p.token, p.previous_token, publish_forwards(?) as forwards
  from publish_owners(?, ?, ?) as p`

/** @param forwards the names whose forwards are published, too */
async function publishZone(
  trx: Knex.Transaction,
  { zoneId, owners, wildcards }: MergedChanges,
  forwards: readonly string[],
): Promise<PublishedSet> {
  const values = [zoneId, [...owners], [...wildcards]]
  if (forwards.length > 0) enterStep(trx, 'forwards', [])
  try {
    const [taken] = await (forwards.length === 0
      ? query<SerialRow>(trx, PUBLISH, values, 'publish-owners')
      : query<SerialRow>(trx, PUBLISH_WITH_FORWARDS, [[...forwards], ...values], 'publish-all'))
    if (taken === undefined) throw new Error('a set that was written has a serial')
    const { serial, feed_id, token, previous_token } = taken
    return { zoneId, feedId: feed_id, serial: BigInt(serial), token, previousToken: previous_token }
  } catch (error) {
    const hasNone = error instanceof DatabaseError && error.constraint === 'zone_has_serial'
    throw hasNone ? new ZoneWithoutSerial(zoneId) : error
  }
}

/**
 * Publishes the present state of owner names, at the end of the transaction that changed them.
 * Deleted names are published as deleted. Zones without an owner name in `changes` are not touched. It leaves the forward
 * feed out: for changes of records, on which no forward depends.
 *
 * The limit counts the names that are passed. Withheld names below a wildcard are added to the same
 * set, because they must change with it. Below a user's wildcard all of them belong to that user,
 * so the plan limits them; an imported wildcard can have many.
 *
 * @param ownersLimit maximum number of owner names of a zone: the zone's serial stays locked while they are read
 * @throws ChangeSetTooLarge above the limit, ZoneWithoutSerial for an unknown zone
 */
export async function publishZones(
  trx: Knex.Transaction,
  changes: readonly ZoneOwners[],
  ownersLimit?: number,
): Promise<PublishedSet[]> {
  return publishSets(trx, changes, [], ownersLimit)
}

/** @param forwards the names whose forwards are published after the last zone */
async function publishSets(
  trx: Knex.Transaction,
  changes: readonly ZoneOwners[],
  forwards: readonly string[],
  ownersLimit = OWNERS_PER_SET_LIMIT,
): Promise<PublishedSet[]> {
  const merged = mergedByZone(changes).filter(({ owners }) => owners.size > 0)
  for (const { zoneId, counted } of merged) {
    if (counted.size > ownersLimit) throw new ChangeSetTooLarge(zoneId, counted.size, ownersLimit)
  }
  if (merged.length > 0) {
    enterStep(
      trx,
      'serials',
      merged.map(({ zoneId }) => zoneId),
    )
  }
  const sets: PublishedSet[] = []
  for (const zone of merged) {
    sets.push(await publishZone(trx, zone, zone === merged.at(-1) ? forwards : []))
  }
  return sets
}

/** As `publishZones`, and then the forwards of these names are published. */
export async function publish(
  trx: Knex.Transaction,
  changes: readonly ZoneOwners[],
  ownersLimit?: number,
): Promise<PublishedSet[]> {
  const forwards = forwardNamesOf(changes)
  const sets = await publishSets(trx, changes, forwards, ownersLimit)
  if (sets.length === 0) await publishForwards(trx, forwards)
  return sets
}

interface OwnerRow {
  readonly zone_id: string
  readonly owner: string
  readonly is_wildcard: boolean
  readonly is_record: boolean
}

/**
 * All owner names whose state depends on these domains: their own, those of their records, and for
 * wildcards the withheld names below. The caller holds the domains' locks. Call this before
 * deleting domains, and pass the result to `publish` afterwards.
 */
export async function ownersOfDomains(
  trx: Knex.Transaction,
  domainIds: readonly string[],
): Promise<ZoneOwners[]> {
  const rows = await query<OwnerRow>(
    trx,
    `select zone_id, fqdn as owner, is_wildcard, false as is_record from domains where id = any (?::bigint[])
     union all
     select zone_id, owner, owner like '*.%', true from records where domain_id = any (?::bigint[])`,
    [domainIds, domainIds],
  )
  return rows.map(({ zone_id, owner, is_wildcard, is_record }) => ({
    zoneId: zone_id,
    owners: is_record ? [] : [owner],
    records: is_record ? [owner] : [],
    wildcards: is_wildcard ? [owner] : [],
  }))
}

/**
 * Publishes domains that were created, withheld, restored or changed in this transaction, with
 * everything that depends on them (see `ownersOfDomains`).
 *
 * @throws ChangeSetTooLarge, ZoneWithoutSerial
 */
export async function publishDomains(
  trx: Knex.Transaction,
  domainIds: readonly string[],
): Promise<PublishedSet[]> {
  return publish(trx, await ownersOfDomains(trx, domainIds))
}
