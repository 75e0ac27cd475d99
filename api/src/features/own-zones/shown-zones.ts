/** Own zones as owners and administrators see them. */
import type { NameServerAddress, OwnZone } from '@homing/openapi'
import type { Knex } from 'knex'
import type { NameServer } from '../../feed/name-servers.ts'
import { serversOf, vanityNameOf } from '../../feed/own-zone-servers.ts'
import { isLive, LIVE_STATES, ZoneClaim, type ZoneClaimRow } from '../../models/zone-claim.ts'
import { columnsOf } from '../../models/table.ts'
import { notFound } from '../../rules/errors.ts'
import { type Reach, scopeReaches } from '../../rules/key-scope.ts'
import { type Claimant, isContested, ownershipTasks } from '../../rules/ownership.ts'

/** A claim with what it depends on. */
export type ShownZone = Omit<ZoneClaimRow, 'kept'> & {
  /** The domain whose vanity name servers it uses. */
  readonly vanity_name: string | null
  /** Live claims of the domain, of all accounts. */
  readonly claim_count: number
  readonly records: number
  readonly domains: number
}

/** The configuration on which own zones depend. */
export interface ZoneConfig {
  readonly zones: readonly string[]
  readonly nameservers: readonly NameServer[]
}

// The content of a lost zone can be large, and nobody sees it.
const { kept: _kept, ...SHOWN } = ZoneClaim.columns
const NAMES = Object.keys(SHOWN) as (keyof typeof SHOWN)[]

const LIVE_CLAIMS = `
  (select count(*)::int from zone_claims l where l.name = zone_claims.name and ${isLive('l')})`
const RECORDS = `
  (select count(*)::int from records r where r.zone_id = zone.id and r.origin = 'user')`
const DOMAINS = `
  (select count(*)::int from domains d where d.zone_id = zone.id and not d.is_wildcard)`

/** Claims with their zones. The content of a zone belongs to the claim that proved it. */
export const shownZones = (knex: Knex) =>
  ZoneClaim.query(knex)
    .leftJoin(
      'zones as zone',
      (join) =>
        void join.on('zone.name', 'zone_claims.name').andOn('zone.owner_id', 'zone_claims.user_id'),
    )
    .select(
      columnsOf(ZoneClaim, NAMES),
      knex.raw(`${vanityNameOf('zone_claims')} as vanity_name`),
      knex.raw(`${LIVE_CLAIMS} as claim_count`),
      knex.raw(`${RECORDS} as records`),
      knex.raw(`${DOMAINS} as domains`),
    )

/** The own zones that the caller reaches, by name; ended ones for a while. */
export async function listZones(
  knex: Knex,
  { userId, scope }: Reach,
  endedSince: Date,
): Promise<ShownZone[]> {
  const rows = await shownZones(knex)
    .modify('ownedBy', userId)
    .where(
      (either) =>
        void either
          .whereIn('zone_claims.state', LIVE_STATES)
          .orWhere('zone_claims.ended_at', '>', endedSince),
    )
    .orderBy(['zone_claims.name', 'zone_claims.id'])
    .toKnexQuery<ShownZone>()
  return scope === undefined ? rows : rows.filter(({ name }) => scopeReaches(scope, name))
}

/** @throws Refusal `not-found` */
export async function findZone(
  knex: Knex,
  { userId, scope }: Reach,
  id: string,
): Promise<ShownZone> {
  const [row] = await shownZones(knex)
    .modify('ownedBy', userId)
    .where('zone_claims.id', id)
    .toKnexQuery<ShownZone>()
  if (row === undefined || (scope !== undefined && !scopeReaches(scope, row.name))) {
    throw notFound('own zone')
  }
  return row
}

/** The claim of the account that has its vanity name servers; undefined when they are not set up. */
export async function vanityZone(knex: Knex, userId: string): Promise<ShownZone | undefined> {
  const [row] = await shownZones(knex)
    .modify('ownedBy', userId)
    .modify('live')
    .where('zone_claims.is_vanity', true)
    .toKnexQuery<ShownZone>()
  return row
}

/** What decides which proofs count. */
export const claimantOf = (
  row: Pick<ShownZone, 'name' | 'token' | 'was_delegated' | 'claim_count'>,
  { zones }: ZoneConfig,
): Claimant => ({
  name: row.name,
  token: row.token,
  wasDelegated: row.was_delegated,
  liveClaims: row.claim_count,
  firstZone: zones[0] ?? '',
})

/** A name server with its addresses, as JSON. */
export const serverBody = ({ hostname, ipv4, ipv6 }: NameServer): NameServerAddress => ({
  hostname,
  ip: ipv4,
  ipv6: ipv6 ?? null,
})

const isoOf = (at: Date | null): string | null => at?.toISOString() ?? null

/** An own zone as JSON. */
export function zoneBody(row: ShownZone, config: ZoneConfig): OwnZone {
  const servers = serversOf(row, config.nameservers)
  const claimant = claimantOf(row, config)
  const isPending = row.state === 'pending'
  return {
    id: row.id,
    zone: row.name,
    state: row.state,
    is_vanity: row.is_vanity || row.vanity_name !== null,
    nameservers: servers.map(serverBody),
    proof: row.proof,
    tasks: isPending
      ? ownershipTasks(
          claimant,
          servers.map(({ hostname }) => hostname),
        )
      : [],
    is_contested: isPending ? isContested(claimant) : row.claim_count > 1,
    records: row.records,
    domains: row.domains,
    claimed_at: row.claimed_at.toISOString(),
    expires_at: isPending ? isoOf(row.expires_at) : null,
    active_at: row.state === 'active' ? isoOf(row.active_at) : null,
    withheld_at: isoOf(row.withheld_at),
    last_check: row.last_check,
    next_check_at: isoOf(row.next_check_at),
  }
}
