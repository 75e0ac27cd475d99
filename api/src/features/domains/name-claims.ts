/**
 * Checks whether names are free. Runs while the name's position below its zone is locked, so that two
 * concurrent registrations of the same name, or of one below the other, see each other.
 *
 * The response never says who owns a taken name. It is the same for a domain, for a name of the zone
 * itself, and for a name that another account's domain blocks.
 *
 * A name at or below a locked one is refused in the words of a reserved name: a caller who tries names
 * learns neither that an administrator locked it nor who owned it. Owners of a locked domain know about
 * the lock, and are told that it is the reason. `feed/name-locks.ts` describes the locks.
 */
import type { Knex } from 'knex'
import { domainLocked, Refusal } from '../../rules/errors.ts'
import { RESERVATION_DAYS } from '../../rules/name-reservations.ts'
import { nameKept, namesBetween, type OwnerName } from '../../rules/names.ts'
import { NameReservation } from '../../models/name-reservation.ts'
import { query } from '../../database/sql.ts'

/** An account may have as many reserved names as its plan allows domains, but at least this number. */
const RESERVATIONS_LEAST = 25

function taken(message: string): Refusal {
  return new Refusal('name-taken', message, { faults: [{ field: 'fqdn', message }] })
}

// '.' and '/' are adjacent in ASCII: everything from `tset.gnimoh.emoh.` up to `tset.gnimoh.emoh/` is below home.homing.test.
const IS_BELOW = (column: string) =>
  `reverse(${column}) ~>=~ (reverse(a.fqdn) || '.') and reverse(${column}) ~<~ (reverse(a.fqdn) || '/')`

// One look-up by an index for each name and each question. Names of the zone itself: the same name, or a delegation
// (RFC 1034 §4.2.1) or DNAME (RFC 6672) above it, below which the zone does not answer.
//
// The statistics of tables that grew just now say that they are small. So that PostgreSQL does not read all records of
// the zone for each name, their owner names are compared with one array; nor all reservations by their time, because
// "is true" has no index.
const OBSTACLES = `
  with asked as materialized (
    select a.n, a.zone_id, a.fqdn, names.above, a.fqdn || names.above as at_or_above, a.is_apex, ?::bigint as user_id
    from json_to_recordset(?::json) as a(n int, zone_id bigint, fqdn text, above json, is_apex boolean)
    cross join lateral (select array(select json_array_elements_text(a.above)) as above) as names
  )
  select same.user_id as holder, above.found is not null or below.found is not null as is_near,
         record.found is not null as is_of_zone, own_record.owner as own_record, own_record.type as own_type,
         zone.found is not null as is_zone_open, lock.fqdn as locked, own.id is not null as is_lock_own,
         reserved.fqdn as reserved
  from asked a
  left join lateral (select d.user_id from domains d where d.fqdn = a.fqdn) as same on true
  left join lateral (
    select true as found from domains d where d.fqdn = any (a.above) and d.user_id <> a.user_id limit 1
  ) as above on true
  left join lateral (
    select true as found from domains d where ${IS_BELOW('d.fqdn')} and d.user_id <> a.user_id limit 1
  ) as below on true
  left join lateral (
    select true as found from records r
    where r.zone_id = a.zone_id and (r.user_id is null or r.user_id <> a.user_id)
      and r.owner = any (a.at_or_above)
      and case when r.owner = a.fqdn then not a.is_apex else r.type in ('NS', 'DNAME') end limit 1
  ) as record on true
  left join lateral (
    select r.owner, r.type from records r
    where r.zone_id = a.zone_id and r.user_id = a.user_id and r.type in ('NS', 'CNAME')
      and r.owner = any (a.at_or_above) limit 1
  ) as own_record on true
  left join lateral (
    select true as found from zones z
    where z.id = a.zone_id and (not z.is_own or (z.owner_id = a.user_id and z.is_served)) limit 1
  ) as zone on true
  left join lateral (
    select l.fqdn from locked_names l where l.fqdn = any (names_at_or_above(a.fqdn)) order by length(l.fqdn) desc limit 1
  ) as lock on true
  left join lateral (
    select d.id from domains d where d.fqdn = lock.fqdn and d.user_id = a.user_id
  ) as own on true
  left join lateral (
    select r.fqdn from name_reservations r
    where (r.reserved_until > now()) is true and r.user_id is distinct from a.user_id
      and (r.fqdn = any (a.at_or_above) or (${IS_BELOW('r.fqdn')}))
    order by r.fqdn = a.fqdn desc limit 1
  ) as reserved on true
  order by a.n`

interface ObstacleRow {
  /** The account that has a domain with this name. */
  readonly holder: string | null
  /** Whether another account has a domain above or below the name. */
  readonly is_near: boolean
  readonly is_of_zone: boolean
  /** An owner name at or above the name where the account has CNAME or NS records. */
  readonly own_record: string | null
  readonly own_type: string | null
  /** Whether the zone still exists, and is the provider's or served for this account. */
  readonly is_zone_open: boolean
  /** The nearest locked name at or above the name. */
  readonly locked: string | null
  /** Whether this account has the locked domain. */
  readonly is_lock_own: boolean
  readonly reserved: string | null
}

/** Why the name is not free, the first reason first; undefined when it is free. */
function obstacleOf(row: ObstacleRow, fqdn: string, userId: string): Refusal | undefined {
  if (!row.is_zone_open) {
    const message = `The zone of ${fqdn} is no longer available. Choose another zone.`
    return new Refusal('name-not-allowed', message, { faults: [{ field: 'fqdn', message }] })
  }
  if (row.holder === userId) return taken(`${fqdn} is already one of your domains.`)
  const isTaken = row.holder !== null
  if (isTaken) return taken(`${fqdn} is already registered. Choose another domain.`)
  if (row.is_near) {
    return taken(`${fqdn} is above or below a registered domain. Choose another domain.`)
  }
  if (row.is_of_zone) return taken(`${fqdn} is already registered. Choose another domain.`)
  if (row.own_record !== null) {
    return taken(
      `${row.own_record} has ${row.own_type} records of yours, so ${fqdn} cannot be a domain. Delete them first.`,
    )
  }
  if (row.locked !== null) {
    // Owners of a locked domain know about the lock.
    if (!row.is_lock_own) return nameKept('fqdn', fqdn)
    return domainLocked(row.locked, 'no domain can be registered below it')
  }
  if (row.reserved === null) return undefined
  const message = `${row.reserved} was deleted recently and is reserved for its last owner for ${RESERVATION_DAYS} days. Choose another domain.`
  return new Refusal('name-reserved', message, { faults: [{ field: 'fqdn', message }] })
}

/** A requested name and the zone that would answer for it. */
export interface PlacedName {
  readonly owner: OwnerName
  readonly zoneId: string
}

/**
 * Why each name is not free for this account: it is taken, locked, reserved for its last owner, below another account's
 * domain, or it would hide one. Undefined for a free name. A caller that registers the names holds the locks of their
 * positions.
 */
export async function nameObstacles(
  db: Knex,
  userId: string,
  names: readonly PlacedName[],
): Promise<(Refusal | undefined)[]> {
  const asked = names.map(({ zoneId, owner }, n) => ({
    n,
    zone_id: zoneId,
    fqdn: owner.fqdn,
    above: namesBetween(owner),
    is_apex: owner.fqdn === owner.zone,
  }))
  const rows = await query<ObstacleRow>(db, OBSTACLES, [userId, JSON.stringify(asked)])
  return rows.map((row, n) => obstacleOf(row, asked[n]?.fqdn ?? '', userId))
}

/**
 * As `nameObstacles`, for one name.
 *
 * @throws Refusal `name-taken`, `domain-locked`, `name-not-allowed`, `name-reserved`
 */
export async function requireFreeName(db: Knex, userId: string, name: PlacedName): Promise<void> {
  const [obstacle] = await nameObstacles(db, userId, [name])
  if (obstacle !== undefined) throw obstacle
}

// Without this limit, an account that registers and deletes in turn could reserve any number of names, and everything below them.
const RELEASE_OLDEST = `
  delete from name_reservations where fqdn in (
    select r.fqdn from name_reservations r where r.user_id = ? order by r.reserved_until desc, r.fqdn
    offset (select greatest(p.domain_limit, ${RESERVATIONS_LEAST})
            from users u join plans p on p.account_type = u.account_type where u.id = ?))`

// The same name twice is one row.
const RESERVE = `
  insert into name_reservations (fqdn, user_id, reserved_until)
  select distinct fqdn, ?::bigint, now() + ? * interval '1 day' from unnest(?::text[]) as fqdn
  where not exists (select from zones z where z.is_own and z.name = any (names_at_or_above(fqdn)))
  on conflict (fqdn) do update set user_id = excluded.user_id, reserved_until = excluded.reserved_until`

/** Reserves deleted names for their last owner, except in own zones, where only the owner registers names, and releases the oldest reservations beyond the limit. The account is locked. */
export async function reserveNames(
  trx: Knex.Transaction,
  fqdns: readonly string[],
  userId: string,
): Promise<void> {
  if (fqdns.length === 0) return
  await query(trx, RESERVE, [userId, RESERVATION_DAYS, fqdns])
  await query(trx, RELEASE_OLDEST, [userId, userId])
}

/** Ends the reservations of names that are registered again. */
export async function releaseNames(trx: Knex.Transaction, fqdns: readonly string[]): Promise<void> {
  await NameReservation.query(trx).delete().whereIn('fqdn', fqdns)
}
