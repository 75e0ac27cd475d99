/*
 * The records of a deleted domain (`deleted_domains.records`), which come back with it.
 *
 * The rules of today apply, as for an undo: something else can stand in the place of a record, and the plan can have become
 * smaller. What cannot come back is in the history of the domain as deleted, so that its owner finds it there and can undo
 * the deletion later.
 */
import type { Knex } from 'knex'
import { query } from '../database/sql.ts'
import type { KeptRecord } from '../models/deleted-domain.ts'
import { type FoundPlace, findRecordPlace } from '../models/record-place.ts'
import { attempt, Refusal } from '../rules/errors.ts'
import { namesAtOrAbove } from '../rules/names.ts'
import { conflictOf, type Standing } from '../rules/records-conflicts.ts'
import { placesOf, requireRecordPlaces, requireTypeInPlan } from '../rules/records-plan.ts'
import { isLong, sizeOf, sizeRefusal } from '../rules/records-size.ts'
import type { Actor } from './address-change.ts'
import { type HeldRecords, locksAround, type NameLocks, readPlace } from './held-records.ts'
import { recordsInUse, type RecordsInUse, type UsingAccount, valuesSize } from './record-terms.ts'

/** The records of a domain `d` as JSON; null when it has none. */
export const KEPT_RECORDS = `
  (select jsonb_agg(jsonb_build_object('id', r.id::text, 'owner', r.owner, 'type', r.type, 'ttl', r.ttl, 'rdata', r.rdata,
                                       'created_at', r.created_at, 'version', r.version) order by r.id)
   from records r where r.domain_id = d.id)`

const isAddress = ({ type }: KeptRecord) => type === 'A' || type === 'AAAA'

/** Removes the records that conflict with existing ones. @returns the others */
function consistent(records: readonly KeptRecord[], standing: Standing): KeptRecord[] {
  // Glue stands only below its delegation, which must stay for it.
  const inOrder = records.toSorted((a, b) => Number(isAddress(a)) - Number(isAddress(b)))
  return inOrder.filter((record) => {
    if (conflictOf(record, standing) === undefined) return true
    standing.remove(record.owner, record.type)
    return false
  })
}

/** Adds the records whose owner and type are free. @returns those without a conflict */
function standable(records: readonly KeptRecord[], standing: Standing): KeptRecord[] {
  const put = records.filter(({ owner, type, rdata: values }) => {
    if (standing.find(owner, type) !== undefined) return false
    standing.put(owner, { type, values, isUsers: true })
    return true
  })
  return consistent(put, standing)
}

/** What an account has before the records come back. */
interface Used extends RecordsInUse {
  /** The characters of its values. */
  readonly size: number
}

/** The records for which the account has room, the oldest first. */
function withRoom(records: readonly KeptRecord[], { terms, used, size }: Used): KeptRecord[] {
  let taken = { places: used, size }
  return records.filter(({ type, rdata: values }) => {
    const after = {
      places: taken.places + placesOf(terms, { type, values }),
      size: taken.size + sizeOf(values),
    }
    if (isLong(values) && sizeRefusal(after.size) !== undefined) return false
    const refusal = attempt(() => requireRecordPlaces(terms, taken.places, after.places))
    if (refusal instanceof Refusal) return false
    taken = after
    return true
  })
}

/**
 * The records that can come back under today's rules; the others are not in what stands.
 *
 * @param locks records at and below these names cannot come back
 */
function returning(
  records: readonly KeptRecord[],
  { standing }: HeldRecords,
  used: Used,
  locks: NameLocks,
): KeptRecord[] {
  const allowed = records.filter(({ owner, type }) => {
    const isLocked = locks.size > 0 && namesAtOrAbove(owner).some((name) => locks.has(name))
    const refusal = attempt(() => requireTypeInPlan(used.terms, type))
    return !isLocked && !(refusal instanceof Refusal)
  })
  const possible = standable(allowed, standing)
  const back = withRoom(possible, used)
  const kept = new Set(back)
  for (const each of possible) if (!kept.has(each)) standing.remove(each.owner, each.type)
  return consistent(back, standing)
}

const INSERT = `
  insert into records (id, zone_id, user_id, origin, domain_id, owner, type, ttl, rdata, created_at, version)
  overriding system value
  select n.id, ?, ?, 'user', n.domain_id, n.owner, n.type, greatest(n.ttl, ?),
         array(select json_array_elements_text(n.rdata)), n.created_at, n.version + 1
  from json_to_recordset(?::json) as n(id bigint, domain_id bigint, owner text, type text, ttl integer, rdata json,
                                       created_at timestamptz, version integer)`

const LEFT_OUT = `
  insert into domain_events (domain_id, user_id, fqdn, kind, actor, actor_id, source_ip, client, detail)
  select ?, ?, ?, 'record-deleted', ?, ?, ?, ?, json_build_object('old', e.value, 'new', null)
  from json_array_elements(?::json) as e`

const settingsOf = ({ owner, type, ttl, rdata }: KeptRecord) => ({
  owner,
  type,
  ttl,
  values: rdata,
})

/** The nearest domain: one can have been registered between since. */
const domainIdOf = ({ standing, domains }: HeldRecords, { owner }: KeptRecord) =>
  domains.get(standing.domainOf(owner) ?? '')?.id

async function writeKept(
  trx: Knex.Transaction,
  { userId, zoneId, fqdn, domainId }: FoundPlace,
  { back, left, actor }: Judged & { readonly actor: Actor },
): Promise<void> {
  await query(trx, INSERT, [zoneId, userId, back.ttl, JSON.stringify(back.rows)])
  const by = [actor.kind, actor.id, actor.sourceIp, actor.client]
  const settings = JSON.stringify(left.map(settingsOf))
  await query(trx, LEFT_OUT, [domainId, userId, fqdn, ...by, settings])
}

interface Judged {
  readonly back: {
    /** The shortest TTL of the plan, in seconds. */
    readonly ttl: number
    readonly rows: readonly (KeptRecord & { readonly domain_id: string | undefined })[]
  }
  readonly left: readonly KeptRecord[]
}

/**
 * Brings back the records of a restored domain, as far as today's rules allow. The caller holds the account and the plan,
 * and publishes the domains.
 *
 * @returns the ids of the domains that have the records
 */
export async function restoreRecords(
  trx: Knex.Transaction,
  account: UsingAccount,
  { domainId, records }: { readonly domainId: string; readonly records: readonly KeptRecord[] },
  actor: Actor,
): Promise<string[]> {
  if (records.length === 0) return []
  const reach = { userId: account.id, scope: undefined }
  const place = await findRecordPlace(trx, reach, { domainId })
  if (place === undefined) throw new Error('a restored domain is a place of records')
  const held = await readPlace(trx, place)
  const inUse = await recordsInUse(trx, account)
  const used = { ...inUse, size: await valuesSize(trx, account.id) }
  const back = returning(records, held, used, await locksAround(trx, place.fqdn))
  const isBack = new Set(back)
  const rows = back.map((record) => ({ ...record, domain_id: domainIdOf(held, record) }))
  const left = records.filter((record) => !isBack.has(record))
  await writeKept(trx, place, { back: { ttl: inUse.terms.ttlSeconds, rows }, left, actor })
  return [...new Set(rows.flatMap(({ domain_id }) => domain_id ?? []))]
}
