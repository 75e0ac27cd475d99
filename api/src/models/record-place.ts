/** Where records of an account lie: at and below one of its domains, or in a zone of its own. */
import type { OwnZoneState } from '@homing/openapi/vocabulary'
import type { Knex } from 'knex'
import { query } from '../database/sql.ts'
import { type Reach, scopeReaches } from '../rules/key-scope.ts'

/** How a call identifies a place. */
export type PlaceKey =
  | { readonly domainId: string }
  | { readonly claimId: string }
  /** Of a domain: its name in stored form. */
  | { readonly fqdn: string }

export interface FoundPlace {
  readonly kind: 'domain' | 'zone'
  readonly userId: string
  /** The domain or zone, in stored form. */
  readonly fqdn: string
  readonly zoneId: string
  /** The zone that answers. */
  readonly zone: string
  readonly domainId: string | null
  readonly claimId: string | null
  /** Of a zone: its claim. Null: the place is a domain. */
  readonly state: OwnZoneState | null
  /** Whether the zone is a user's. */
  readonly isOwnZone: boolean
  /** Whether DNS serves the zone. */
  readonly isServed: boolean
}

const COLUMNS = `z.id as "zoneId", z.name as zone, z.is_own as "isOwnZone", z.is_served as "isServed"`

const DOMAIN_COLUMNS = `
  'domain' as kind, d.user_id as "userId", d.fqdn, d.id as "domainId", null as "claimId", null as state, ${COLUMNS}`

// A wildcard has the records of its base.
const OF_DOMAIN = `
  select ${DOMAIN_COLUMNS}
  from domains asked join domains d on d.id = coalesce(asked.base_id, asked.id) join zones z on z.id = d.zone_id
  where asked.id = ? and asked.user_id = ?`

// Without wildcards, whose records are those of the base: by its name, a key for records below the base would learn
// that the wildcard exists.
const OF_NAME = `
  select ${DOMAIN_COLUMNS} from domains d join zones z on z.id = d.zone_id
  where d.fqdn = ? and d.user_id = ? and not d.is_wildcard`

// A claim without proof has no zone of its own: what is there is neutral, or belongs to another account.
const OF_CLAIM = `
  select 'zone' as kind, c.user_id as "userId", c.name as fqdn, null as "domainId", c.id as "claimId", c.state, ${COLUMNS}
  from zone_claims c join zones z on z.name = c.name and z.owner_id = c.user_id
  where c.id = ? and c.user_id = ? and c.state in ('active', 'withheld')`

/** The query for a place with this id or name that the account has: a row of `FoundPlace`, or none. */
export function placeQuery({ userId }: Reach, key: PlaceKey) {
  if ('domainId' in key) {
    return { name: 'domain-as-place', sql: OF_DOMAIN, values: [key.domainId, userId] }
  }
  return 'fqdn' in key
    ? { name: 'domain-name-as-place', sql: OF_NAME, values: [key.fqdn, userId] }
    : { name: 'zone-as-place', sql: OF_CLAIM, values: [key.claimId, userId] }
}

/** Whether the caller's scope reaches a name in a place. */
export const reachesPlace = ({ scope }: Reach, { fqdn }: FoundPlace): boolean =>
  scope === undefined || scopeReaches(scope, fqdn)

/** The place with this id or name, if the account has it and its scope reaches a name in it. */
export async function findRecordPlace(
  db: Knex,
  reach: Reach,
  key: PlaceKey,
): Promise<FoundPlace | undefined> {
  const { name, sql, values } = placeQuery(reach, key)
  const [place] = await query<FoundPlace>(db, sql, values, name)
  return place !== undefined && reachesPlace(reach, place) ? place : undefined
}
