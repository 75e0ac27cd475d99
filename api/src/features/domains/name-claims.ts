/**
 * Checks whether a name is free. Runs while the name's position below its zone is locked, so that two
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
import { raw } from 'objection'
import { domainLocked, Refusal } from '../../rules/errors.ts'
import { RESERVATION_DAYS } from '../../rules/name-reservations.ts'
import { nameKept, namesBetween, type OwnerName } from '../../rules/names.ts'
import { lockOver } from '../../feed/name-locks.ts'
import { Domain } from '../../models/domain.ts'
import { NameReservation } from '../../models/name-reservation.ts'
import { query } from '../../database/sql.ts'

/** An account may have as many reserved names as its plan allows domains, but at least this number. */
const RESERVATIONS_LEAST = 25

function taken(message: string): Refusal {
  return new Refusal('name-taken', message, { faults: [{ field: 'fqdn', message }] })
}

// '.' and '/' are adjacent in ASCII: everything from `tset.gnimoh.emoh.` up to `tset.gnimoh.emoh/` is below home.homing.test.
const CLAIMS = `
  select d.fqdn, d.user_id, 'at or above' as place from domains d where d.fqdn = any (?::text[])
  union all
  (select d.fqdn, d.user_id, 'below' from domains d
   where reverse(d.fqdn) ~>=~ (reverse(?) || '.') and reverse(d.fqdn) ~<~ (reverse(?) || '/') and d.user_id <> ?
   limit 1)`

const RESERVATIONS = `
  select fqdn, user_id from name_reservations
  where reserved_until > now() and user_id is distinct from ?::bigint
    and (fqdn = any (?::text[])
         or (reverse(fqdn) ~>=~ (reverse(?) || '.') and reverse(fqdn) ~<~ (reverse(?) || '/')))
  order by fqdn = ? desc limit 1`

// Names of the zone itself: the same name, or a delegation (RFC 1034 §4.2.1) or DNAME (RFC 6672) above it, below which
// the zone does not answer.
const ZONE_RECORDS = `
  select owner from records
  where zone_id = ? and domain_id is null
    and (owner = ? or (owner = any (?::text[]) and type in ('NS', 'DNAME')))
  limit 1`

interface Claim {
  readonly fqdn: string
  readonly user_id: string
}

async function requireNoDomain(db: Knex, owner: OwnerName, userId: string) {
  const { fqdn } = owner
  const atOrAbove = [fqdn, ...namesBetween(owner)]
  const claims = await query<Claim & { readonly place: string }>(db, CLAIMS, [
    atOrAbove,
    fqdn,
    fqdn,
    userId,
  ])
  const same = claims.find((claim) => claim.fqdn === fqdn)
  if (same?.user_id === userId) throw taken(`${fqdn} is already one of your domains.`)
  if (same) throw taken(`${fqdn} is already registered. Choose another domain.`)
  if (claims.some((claim) => claim.user_id !== userId)) {
    throw taken(`${fqdn} is above or below a registered domain. Choose another domain.`)
  }
}

/**
 * @throws Refusal `domain-locked` below a locked domain of this account, `name-not-allowed` at and below any other
 * locked name
 */
async function requireNoLock(db: Knex, { fqdn }: OwnerName, userId: string) {
  const locked = await lockOver(db, fqdn)
  if (locked === undefined) return
  const own = await Domain.query(db).select('id').findOne({ fqdn: locked, user_id: userId })
  if (own) throw domainLocked(locked, 'no domain can be registered below it')
  throw nameKept('fqdn', fqdn)
}

async function requireNoReservation(db: Knex, owner: OwnerName, userId: string) {
  const { fqdn } = owner
  const [reserved] = await query<Claim>(db, RESERVATIONS, [
    userId,
    [fqdn, ...namesBetween(owner)],
    fqdn,
    fqdn,
    fqdn,
  ])
  if (reserved === undefined) return
  const message = `${reserved.fqdn} was deleted recently and is reserved for its last owner for ${RESERVATION_DAYS} days. Choose another domain.`
  throw new Refusal('name-reserved', message, { faults: [{ field: 'fqdn', message }] })
}

/**
 * Refuses the registration of a name that is not free for this account: it is taken, locked,
 * reserved for its last owner, below another account's domain, or it would hide one. A caller that
 * registers the name holds the lock of the name's position.
 *
 * @throws Refusal `name-taken`, `domain-locked`, `name-not-allowed`, `name-reserved`
 */
export async function requireFreeName(
  db: Knex,
  zoneId: string,
  owner: OwnerName,
  userId: string,
): Promise<void> {
  await requireNoDomain(db, owner, userId)
  const { fqdn } = owner
  const [own] = await query(db, ZONE_RECORDS, [zoneId, fqdn, namesBetween(owner)])
  if (own) throw taken(`${fqdn} is already registered. Choose another domain.`)
  await requireNoLock(db, owner, userId)
  await requireNoReservation(db, owner, userId)
}

// Without this limit, an account that registers and deletes in turn could reserve any number of names, and everything below them.
const RELEASE_OLDEST = `
  delete from name_reservations where fqdn in (
    select r.fqdn from name_reservations r where r.user_id = ? order by r.reserved_until desc, r.fqdn
    offset (select greatest(p.domain_limit, ${RESERVATIONS_LEAST})
            from users u join plans p on p.account_type = u.account_type where u.id = ?))`

/** Reserves a deleted name for its last owner, and releases the oldest reservations beyond the limit. The account is locked. */
export async function reserveName(
  trx: Knex.Transaction,
  fqdn: string,
  userId: string,
): Promise<void> {
  await NameReservation.query(trx)
    .insert({
      fqdn,
      user_id: userId,
      reserved_until: raw(`now() + ? * interval '1 day'`, RESERVATION_DAYS),
    })
    .onConflict('fqdn')
    .merge()
  await query(trx, RELEASE_OLDEST, [userId, userId])
}

/** Ends the reservation of a name that is registered again. */
export async function releaseName(trx: Knex.Transaction, fqdn: string): Promise<void> {
  await NameReservation.query(trx).deleteById(fqdn)
}
