/*
 * Third step of an import: changes the zone to match the file, in small transactions.
 *
 * The difference is computed once, in SQL, and divided into batches of whole owner names. Each
 * batch is a transaction like any other writer's: it changes at most 500 names, publishes them as
 * one change set and commits, so updates of other names wait for one batch at most. An owner name
 * changes as a whole. Withheld names of users below a wildcard that is added or removed change with
 * it, in the same set, however many there are, so that nothing remains to be published later. To
 * finish an interrupted import, start it again: what was done is no longer a difference.
 */
import type { Knex } from 'knex'
import { setImmediate } from 'node:timers/promises'
import { DatabaseError } from 'pg'
import { OWNERS_PER_SET_LIMIT } from '../change-set.ts'
import { lockAllPlaces } from '../lock-order.ts'
import { publish } from '../publish.ts'
import { query } from '../../database/sql.ts'
import { NameRegisteredMeanwhile } from './problems.ts'
import type { Soa } from './soa.ts'

interface Zone {
  readonly id: string
  readonly name: string
}

export interface Difference {
  readonly batches: number
  /** Owner names that change. */
  readonly names: number
  /** Repeated records in the file. */
  readonly duplicates: number
}

/** A batch tries this often to get a lock, at most 2 s each time, before the import gives up. */
const ATTEMPTS = 10
/** SQLSTATE: lock not available, deadlock detected. */
const WORTH_ANOTHER_TRY = new Set(['55P03', '40P01'])

/**
 * Creates the temporary tables `wanted` (the file's RRsets) and `difference` (what to write, by
 * batch; ttl null: delete). Without an NS set at the apex in the file, the zone keeps its own name
 * servers and their addresses.
 */
export async function computeDifference(knex: Knex, zone: Zone): Promise<Difference> {
  await query(
    knex,
    `create temp table wanted as
     select owner, type, min(ttl) as ttl, array_agg(distinct rdata collate "C" order by rdata collate "C") as rdata, count(*) as lines
     from staged group by owner, type`,
  )
  await query(knex, 'analyze wanted')
  await query(
    knex,
    `create temp table difference as
     with present as (
       select * from records
       where zone_id = ? and domain_id is null
         and (origin = 'import' or origin = 'system' and exists (select from wanted where owner = ? and type = 'NS'))
       union all
       select r.* from records r join wanted w using (owner, type)
       where r.zone_id = ? and r.origin = 'system' and not exists (select from wanted where owner = ? and type = 'NS')
     ), changed as (
       select coalesce(w.owner, p.owner) as owner, coalesce(w.type, p.type) as type, w.ttl, w.rdata
       from wanted w full join present p on p.owner = w.owner and p.type = w.type
       where (w.ttl, w.rdata) is distinct from (p.ttl, p.rdata) or p.origin = 'system'
     )
     select (dense_rank() over (order by owner <> ?, owner collate "C") - 1) / ${OWNERS_PER_SET_LIMIT} as batch,
            owner, type, ttl, rdata
     from changed order by 1`,
    [zone.id, zone.name, zone.id, zone.name, zone.name],
  )
  await query(knex, 'create index on difference (batch)')
  await query(knex, 'analyze difference')
  const [counts] = await query<{ batches: string; names: string; duplicates: string }>(
    knex,
    `select count(distinct batch) as batches, count(distinct owner) as names,
            (select coalesce(sum(lines - cardinality(rdata)), 0) from wanted) as duplicates
     from difference`,
  )
  return {
    batches: Number(counts?.batches),
    names: Number(counts?.names),
    duplicates: Number(counts?.duplicates),
  }
}

/** Sets the zone's parameters from the file's SOA record; returns whether they changed. */
async function writeSoa(trx: Knex.Transaction, zoneId: string, soa: Soa): Promise<boolean> {
  const values = [
    soa.mname,
    soa.rname,
    soa.refresh,
    soa.retry,
    soa.expire,
    soa.minimum,
    soa.ttl,
    'import',
  ]
  const columns =
    'soa_mname, soa_rname, soa_refresh, soa_retry, soa_expire, soa_minimum, soa_ttl, soa_origin'
  const marks = values.map(() => '?').join(', ')
  const rows = await query(
    trx,
    `update zones set (${columns}) = row (${marks})
     where id = ? and (${columns}) is distinct from (${marks}) returning id`,
    [...values, zoneId, ...values],
  )
  return rows.length > 0
}

// '.' and '/' are neighbours in ASCII (see check-records.ts).
const TAKEN = `
  select d.fqdn
  from (select distinct owner from difference where batch = ?) as n join domains d on d.fqdn = n.owner
  union
  select d.fqdn
  from difference n
  join domains d on reverse(d.fqdn) ~>=~ (reverse(n.owner) || '.') and reverse(d.fqdn) ~<~ (reverse(n.owner) || '/')
  where n.batch = ? and n.ttl is not null and d.zone_id = ?
    and (n.type = 'DNAME' or (n.type = 'NS' and n.owner <> ?))
  order by fqdn limit 1`

/** A name may have been registered since the file was checked. The caller holds the zone's places. */
async function requireNoDomains(trx: Knex.Transaction, zone: Zone, batch: number): Promise<void> {
  const [taken] = await query<{ fqdn: string }>(trx, TAKEN, [batch, batch, zone.id, zone.name])
  if (taken !== undefined) throw new NameRegisteredMeanwhile(taken.fqdn)
}

const SERVED_WILDCARDS = `
  select distinct owner from records
  where zone_id = ? and owner = any (array(select owner from difference where batch = ? and owner like '*.%'))`

/**
 * Changes the records of a batch to match the file; returns the names that changed and the wildcards that were added or
 * removed.
 */
async function writeBatch(trx: Knex.Transaction, zoneId: string, batch: number) {
  const servedWildcards = async () => {
    const rows = await query<{ owner: string }>(trx, SERVED_WILDCARDS, [zoneId, batch])
    return rows.map(({ owner }) => owner)
  }
  const before = await servedWildcards()
  await query(
    trx,
    `delete from records
     where zone_id = ? and domain_id is null
       and owner = any (array(select owner from difference where batch = ? and ttl is null))
       and (owner, type) in (select owner, type from difference where batch = ? and ttl is null)`,
    [zoneId, batch, batch],
  )
  await query(
    trx,
    `insert into records (zone_id, owner, type, ttl, rdata, origin)
     select ?, owner, type, ttl, rdata, 'import' from difference where batch = ? and ttl is not null
     on conflict (zone_id, owner, type) do update
       set ttl = excluded.ttl, rdata = excluded.rdata, origin = excluded.origin`,
    [zoneId, batch],
  )
  const owners = await query<{ owner: string }>(
    trx,
    'select distinct owner from difference where batch = ?',
    [batch],
  )
  const after = await servedWildcards()
  const gone = before.filter((owner) => !after.includes(owner))
  const made = after.filter((owner) => !before.includes(owner))
  return { owners: owners.map(({ owner }) => owner), wildcards: [...gone, ...made] }
}

/** Retries a transaction when another one held a lock. */
async function patiently<T>(knex: Knex, step: (trx: Knex.Transaction) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await knex.transaction(step)
    } catch (error) {
      const isBusy = error instanceof DatabaseError && WORTH_ANOTHER_TRY.has(error.code ?? '')
      if (!isBusy || attempt === ATTEMPTS) throw error
    }
  }
}

async function applySoa(trx: Knex.Transaction, zone: Zone, soa: Soa): Promise<void> {
  if (await writeSoa(trx, zone.id, soa)) {
    await publish(trx, [{ zoneId: zone.id, owners: [zone.name] }])
  }
}

async function applyBatch(trx: Knex.Transaction, zone: Zone, batch: number): Promise<void> {
  await lockAllPlaces(trx, zone.id)
  await requireNoDomains(trx, zone, batch)
  const { owners, wildcards } = await writeBatch(trx, zone.id, batch)
  await publish(trx, [{ zoneId: zone.id, owners, wildcards }])
}

/**
 * Writes the zone's parameters, then the difference, batch by batch, beginning with the apex.
 *
 * @throws NameRegisteredMeanwhile when a name was registered since the file was checked; earlier batches stay
 */
export async function applyDifference(
  knex: Knex,
  zone: Zone,
  difference: Difference,
  soa: Soa | undefined,
  onBatch: (done: number) => unknown,
): Promise<void> {
  if (soa !== undefined) await patiently(knex, (trx) => applySoa(trx, zone, soa))
  for (let batch = 0; batch < difference.batches; batch += 1) {
    await patiently(knex, (trx) => applyBatch(trx, zone, batch))
    await onBatch(batch + 1)
    await setImmediate()
  }
}
