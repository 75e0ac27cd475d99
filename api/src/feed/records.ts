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
import { publish } from './publish.ts'

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

const DELETE = 'delete from records where id = any (?::bigint[])'

const UPDATE = `
  update records r set ttl = w.ttl, rdata = array(select json_array_elements_text(w.rdata)), version = r.version + 1
  from json_to_recordset(?::json) as w(id bigint, ttl integer, rdata json) where r.id = w.id`

// Rows of one statement are numbered in no certain order, so callers find them by their key.
const INSERT = `
  insert into records (zone_id, user_id, origin, domain_id, owner, type, ttl, rdata)
  select ?, ?, 'user', w.domain_id, w.owner, w.type, w.ttl, array(select json_array_elements_text(w.rdata))
  from json_to_recordset(?::json) as w(domain_id bigint, owner text, type text, ttl integer, rdata json)
  returning id, owner, type, created_at`

const DOMAIN_EVENTS = `
  insert into domain_events (domain_id, user_id, fqdn, kind, actor, actor_id, source_ip, client, undoes, detail)
  select w.domain_id, ?, w.fqdn, w.kind, ?, ?, ?, ?, ?, w.detail
  from json_to_recordset(?::json) as w(domain_id bigint, fqdn text, kind text, detail jsonb)`

const ZONE_EVENTS = `
  insert into zone_events (claim_id, user_id, kind, actor, actor_id, source_ip, client, undoes, detail)
  select ?, ?, w.kind, ?, ?, ?, ?, ?, w.detail from json_to_recordset(?::json) as w(kind text, detail jsonb)`

const kindOf = ({ before, after }: RecordWrite) => {
  if (before === undefined) return 'record-created'
  return after === undefined ? 'record-deleted' : 'record-changed'
}

const settingsOf = ({ owner, type, ttl, rdata }: RecordRow) => ({ owner, type, ttl, values: rdata })

const detailOf = ({ before, after }: RecordWrite) => ({
  old: before === undefined ? null : settingsOf(before),
  new: after ?? null,
})

async function recordEvents(
  trx: Knex.Transaction,
  { userId, claimId }: WrittenZone,
  writes: readonly RecordWrite[],
  actor: Actor,
  undoes: string | undefined,
): Promise<void> {
  const by = [actor.kind, actor.id, actor.sourceIp, actor.client, undoes ?? null]
  const event = (write: RecordWrite) => ({
    kind: kindOf(write),
    detail: detailOf(write),
    domain_id: write.domain?.id,
    fqdn: write.domain?.fqdn,
  })
  const ofDomains = writes.filter(({ domain }) => domain !== undefined).map(event)
  const ofZone = writes.filter(({ domain }) => domain === undefined).map(event)
  if (ofDomains.length > 0) {
    const values = [userId, ...by, JSON.stringify(ofDomains)]
    await query(trx, DOMAIN_EVENTS, values, 'record-events')
  }
  if (ofZone.length > 0) {
    const values = [claimId, userId, ...by, JSON.stringify(ofZone)]
    await query(trx, ZONE_EVENTS, values, 'zone-record-events')
  }
}

async function deleteRows(trx: Knex.Transaction, writes: readonly RecordWrite[]): Promise<void> {
  const ids = writes.flatMap(({ before, after }) =>
    before !== undefined && after === undefined ? [before.id] : [],
  )
  if (ids.length > 0) await query(trx, DELETE, [ids], 'delete-records')
}

async function updateRows(trx: Knex.Transaction, writes: readonly RecordWrite[]): Promise<void> {
  const rows = writes.flatMap(({ before, after }) =>
    before !== undefined && after !== undefined
      ? [{ id: before.id, ttl: after.ttl, rdata: after.values }]
      : [],
  )
  if (rows.length > 0) await query(trx, UPDATE, [JSON.stringify(rows)], 'update-records')
}

/** A new row, as the database numbered it. */
export type InsertedRecord = Pick<RecordRow, 'id' | 'owner' | 'type' | 'created_at'>

async function insertRows(
  trx: Knex.Transaction,
  { zoneId, userId }: WrittenZone,
  writes: readonly RecordWrite[],
): Promise<InsertedRecord[]> {
  const rows = writes.flatMap(({ before, after, domain }) => {
    if (before !== undefined || after === undefined) return []
    const { owner, type, ttl, values } = after
    return [{ domain_id: domain?.id ?? null, owner, type, ttl, rdata: values }]
  })
  if (rows.length === 0) return []
  return query(trx, INSERT, [zoneId, userId, JSON.stringify(rows)], 'insert-records')
}

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
  await deleteRows(trx, writes)
  await updateRows(trx, writes)
  const inserted = await insertRows(trx, zone, writes)
  await recordEvents(trx, zone, writes, actor, undoes)
  const owners = [...new Set(writes.map(ownerOf))]
  const wildcards = owners.filter((owner) => owner.startsWith('*.'))
  await publish(trx, [{ zoneId: zone.zoneId, owners, wildcards }], ownersLimit)
  return inserted
}
