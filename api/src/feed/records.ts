/*
 * Records of users: RRsets at and below a domain, and in users' own zones.
 *
 * A writer holds the account and its plan, then the domains at and above the owner names, and calls `writeRecords` last:
 * it publishes, and nothing may be locked after it. Records change only under the lock of their account, so what
 * was read after it is what stands. DNS serves a record while its domain and its zone are served; the view `dns_record`
 * decides that, so a write is the same for a withheld domain.
 */
import type { Knex } from 'knex'
import { query } from '../database/sql.ts'
import type { PlaceKey } from '../models/record-place.ts'
import type { RecordRow } from '../models/record.ts'
import type { RecordSet } from '../rules/records.ts'
import type { Actor } from './address-change.ts'
import { publishZones } from './publish.ts'

/** The domain at or above the owner of a record. */
export interface RecordDomain {
  readonly id: string
  readonly fqdn: string
}

/** A record that is created, changed or deleted. One of `before` and `after` is there. */
export interface RecordWrite {
  readonly before: RecordRow | undefined
  readonly after: RecordSet | undefined
  /** Undefined: the record belongs to the zone itself. */
  readonly domain: RecordDomain | undefined
}

/** An event of a record that is to be undone. */
export interface RecordUndo {
  readonly key: PlaceKey
  readonly eventId: string
  /** The record before the event; null: there was none. */
  readonly before: RecordSet | null
  readonly after: RecordSet | null
  /**
   * Called in the transaction that restores it, with the domain locked.
   *
   * @throws Refusal when the record has changed since, so that the event cannot be undone any more
   */
  readonly confirm: (trx: Knex.Transaction) => Promise<void>
}

/** The zone in which records are written, and whose they are. */
export interface WrittenZone {
  readonly zoneId: string
  readonly userId: string
  /** The claim whose history has the events of records without a domain. */
  readonly claimId: string | null
}

interface Options {
  /** The event that this undoes. */
  readonly undoes?: string | undefined
  readonly ownersLimit?: number
}

// The parts of one statement have one snapshot and no order. They need neither: each owner and type occurs once, so no
// row is written twice, and events refer to no record. Rows are numbered in no certain order, so callers find them by
// their key.
const WRITE = `
  with written as (
    select ?::bigint as zone_id, ?::bigint as user_id, ?::bigint as claim_id
  ), actor as (
    select ?::text as kind, ?::bigint as id, ?::inet as source_ip, ?::text as client, ?::bigint as undoes
  ), event as materialized (
    select * from json_to_recordset(?::json) as w(domain_id bigint, fqdn text, kind text, detail jsonb)
  ), deleted as (
    delete from records where id = any (?::bigint[])
  ), changed as (
    update records r set ttl = w.ttl, rdata = array(select json_array_elements_text(w.rdata)), version = r.version + 1
    from json_to_recordset(?::json) as w(id bigint, ttl integer, rdata json) where r.id = w.id
  ), of_domains as (
    insert into domain_events (domain_id, user_id, fqdn, kind, actor, actor_id, source_ip, client, undoes, detail)
    select e.domain_id, w.user_id, e.fqdn, e.kind, a.kind, a.id, a.source_ip, a.client, a.undoes, e.detail
    from event e cross join written w cross join actor a where e.domain_id is not null
  ), of_zone as (
    insert into zone_events (claim_id, user_id, kind, actor, actor_id, source_ip, client, undoes, detail)
    select w.claim_id, w.user_id, e.kind, a.kind, a.id, a.source_ip, a.client, a.undoes, e.detail
    from event e cross join written w cross join actor a where e.domain_id is null
  )
  insert into records (zone_id, user_id, origin, domain_id, owner, type, ttl, rdata)
  select w.zone_id, w.user_id, 'user', n.domain_id, n.owner, n.type, n.ttl,
         array(select json_array_elements_text(n.rdata))
  from written w
  cross join json_to_recordset(?::json) as n(domain_id bigint, owner text, type text, ttl integer, rdata json)
  returning id, owner, type, created_at`

const kindOf = ({ before, after }: RecordWrite) => {
  if (before === undefined) return 'record-created'
  return after === undefined ? 'record-deleted' : 'record-changed'
}

const settingsOf = ({ owner, type, ttl, rdata }: RecordRow) => ({ owner, type, ttl, values: rdata })

const detailOf = ({ before, after }: RecordWrite) => ({
  old: before === undefined ? null : settingsOf(before),
  new: after ?? null,
})

const eventOf = (write: RecordWrite) => ({
  kind: kindOf(write),
  detail: detailOf(write),
  domain_id: write.domain?.id,
  fqdn: write.domain?.fqdn,
})

const deletedOf = ({ before, after }: RecordWrite) =>
  before !== undefined && after === undefined ? [before.id] : []

const changedOf = ({ before, after }: RecordWrite) =>
  before !== undefined && after !== undefined
    ? [{ id: before.id, ttl: after.ttl, rdata: after.values }]
    : []

function newOf({ before, after, domain }: RecordWrite) {
  if (before !== undefined || after === undefined) return []
  const { owner, type, ttl, values } = after
  return [{ domain_id: domain?.id ?? null, owner, type, ttl, rdata: values }]
}

/** A new row, as the database numbered it. */
export type InsertedRecord = Pick<RecordRow, 'id' | 'owner' | 'type' | 'created_at'>

const ownerOf = ({ before, after }: RecordWrite) => (after ?? before)?.owner ?? ''

/**
 * Writes records with their events, and publishes them as one change set. Each owner and type occurs at most once.
 *
 * @returns the new rows
 * @throws ChangeSetTooLarge, DatabaseError (unique violation) for a record that exists
 */
export async function writeRecords(
  trx: Knex.Transaction,
  zone: WrittenZone,
  writes: readonly RecordWrite[],
  actor: Actor,
  { undoes, ownersLimit }: Options = {},
): Promise<InsertedRecord[]> {
  if (writes.length === 0) return []
  const { zoneId, userId, claimId } = zone
  const by = [actor.kind, actor.id, actor.sourceIp, actor.client, undoes ?? null]
  const inserted = await query<InsertedRecord>(
    trx,
    WRITE,
    [
      zoneId,
      userId,
      claimId,
      ...by,
      JSON.stringify(writes.map(eventOf)),
      writes.flatMap(deletedOf),
      JSON.stringify(writes.flatMap(changedOf)),
      JSON.stringify(writes.flatMap(newOf)),
    ],
    'write-records',
  )
  const owners = [...new Set(writes.map(ownerOf))]
  const wildcards = owners.filter((owner) => owner.startsWith('*.'))
  await publishZones(trx, [{ zoneId, owners, wildcards }], ownersLimit)
  return inserted
}
