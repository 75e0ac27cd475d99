/*
 * Third step of an import: from what the zone holds to what the file says, in small
 * transactions.
 *
 * The difference is computed once, in SQL, and numbered into batches of whole owner
 * names. Each batch is a transaction like any other writer's: it changes at most 500
 * names, publishes them as one change set and commits, so updates of other names wait
 * for one batch at most. An owner name changes as a whole. An import that was cut off is
 * simply started again: what was done is no longer a difference.
 */
import type { Knex } from 'knex'
import { setImmediate } from 'node:timers/promises'
import { DatabaseError } from 'pg'
import { OWNERS_PER_SET_LIMIT } from '../change-set.ts'
import { lockAllPlaces } from '../lock-order.ts'
import { publish } from '../publish.ts'
import { query } from '../../sql.ts'
import { type ZoneFileProblem, ZoneFileRefused } from './problems.ts'
import type { Soa } from './soa.ts'

export interface Difference {
  readonly batches: number
  /** Owner names that change. */
  readonly names: number
  /** Records that the file states more than once. */
  readonly duplicates: number
}

/** A batch waits this often for a lock, at most 2 s each time, before the import gives up. */
const ATTEMPTS = 10
/** SQLSTATE: lock not available, deadlock detected. */
const WORTH_ANOTHER_TRY = new Set(['55P03', '40P01'])

/**
 * Makes the temporary tables `wanted` (the file's RRsets) and `difference` (what is to
 * be written, by batch; ttl null: to be deleted). Without an NS set at the top of the
 * file the zone's own name servers and their addresses stay.
 */
export async function computeDifference(
  knex: Knex,
  zone: { readonly id: string; readonly name: string },
): Promise<Difference> {
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

/** Sets the zone's parameters as the file's SOA record says; tells whether they changed. */
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

/** Somebody registered a name of this batch after the file was checked. */
async function requireNoDomains(trx: Knex.Transaction, owners: readonly string[]): Promise<void> {
  const taken = await query<{ fqdn: string }>(
    trx,
    'select fqdn from domains where fqdn = any (?::text[])',
    [owners],
  )
  if (taken.length === 0) return
  const problems: ZoneFileProblem[] = taken.map(({ fqdn }) => ({
    line: 0,
    message: `${fqdn} became a user's domain while the file was imported.`,
  }))
  throw new ZoneFileRefused(problems, problems.length)
}

async function writeBatch(trx: Knex.Transaction, zoneId: string, batch: number): Promise<string[]> {
  const rows = await query<{ owner: string; vanishes: boolean }>(
    trx,
    'select owner, bool_or(ttl is null) as vanishes from difference where batch = ? group by owner',
    [batch],
  )
  const owners = rows.map(({ owner }) => owner)
  await requireNoDomains(trx, owners)
  const vanishing = rows.filter(({ vanishes }) => vanishes).map(({ owner }) => owner)
  if (vanishing.length > 0) {
    await query(
      trx,
      `delete from records
       where zone_id = ? and owner = any (?::text[]) and domain_id is null
         and (owner, type) in (select owner, type from difference where batch = ? and ttl is null)`,
      [zoneId, vanishing, batch],
    )
  }
  await query(
    trx,
    `insert into records (zone_id, owner, type, ttl, rdata, origin)
     select ?, owner, type, ttl, rdata, 'import' from difference where batch = ? and ttl is not null
     on conflict (zone_id, owner, type) do update
       set ttl = excluded.ttl, rdata = excluded.rdata, origin = excluded.origin`,
    [zoneId, batch],
  )
  return owners
}

/** Runs a transaction again when it met a lock that others hold. */
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

/**
 * Withheld names of users below a wildcard that came or went: published anew, since the
 * wildcard decides whether they are empty names or none. In sets of their own, because a
 * zone's wildcard may lie above any number of them.
 */
async function publishWithheldBelow(knex: Knex, zoneId: string): Promise<void> {
  const rows = await query<{ fqdn: string }>(
    knex,
    `select distinct d.fqdn
     from (select distinct owner from difference where owner like '*.%') as w
     join domains d on reverse(d.fqdn) ~>=~ (reverse(substr(w.owner, 3)) || '.')
                   and reverse(d.fqdn) ~<~ (reverse(substr(w.owner, 3)) || '/')
     where d.zone_id = ? and not d.is_active and not d.is_wildcard`,
    [zoneId],
  )
  for (let n = 0; n < rows.length; n += OWNERS_PER_SET_LIMIT) {
    const owners = rows.slice(n, n + OWNERS_PER_SET_LIMIT).map(({ fqdn }) => fqdn)
    await patiently(knex, (trx) => publish(trx, [{ zoneId, owners }]))
  }
}

/**
 * Writes the difference, batch by batch, beginning with the top of the zone.
 *
 * @throws ZoneFileRefused when a name was registered meanwhile; earlier batches stay
 */
export async function applyDifference(
  knex: Knex,
  zone: { readonly id: string; readonly name: string },
  difference: Difference,
  soa: Soa | undefined,
  onBatch: (done: number) => unknown,
): Promise<void> {
  for (let batch = 0; batch < Math.max(1, difference.batches); batch += 1) {
    await patiently(knex, async (trx) => {
      await lockAllPlaces(trx, zone.id)
      const soaChanged = batch === 0 && soa !== undefined && (await writeSoa(trx, zone.id, soa))
      const owners = await writeBatch(trx, zone.id, batch)
      await publish(trx, [
        { zoneId: zone.id, owners: soaChanged ? [zone.name, ...owners] : owners },
      ])
    })
    await onBatch(batch + 1)
    await setImmediate()
  }
  await publishWithheldBelow(knex, zone.id)
}
