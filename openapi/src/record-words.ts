/** The words of records, own zones and vanity name servers. */

/** The types of records that users can create, with a form of their own. Other types are written as `TYPE65280` (RFC 3597). */
export const USER_RECORD_TYPES = [
  'TXT',
  'CNAME',
  'MX',
  'CAA',
  'SRV',
  'NS',
  'SSHFP',
  'TLSA',
  'HTTPS',
  'SVCB',
  'PTR',
] as const
export type UserRecordType = (typeof USER_RECORD_TYPES)[number]

/** The types of records that the scope of an API key can name: those of domains, and those of further records. */
export const SCOPE_RECORD_TYPES = ['A', 'AAAA', ...USER_RECORD_TYPES] as const
export type ScopeRecordType = (typeof SCOPE_RECORD_TYPES)[number]

/** The limits of a record (an RRset): values, characters of a value, and the TTL in seconds. */
export const RECORD_BOUNDS = {
  values: 100,
  /** A value of 65,535 octets in hexadecimal digits, with its length (RFC 3597 §5). */
  value: 131_100,
  ttl: { minimum: 1, maximum: 604_800 },
} as const

/** The maximum number of operations in a batch of records. */
export const RECORD_BATCH_LIMIT = 500

/** Sort fields of a list of records. */
export const RECORD_SORT = ['id', 'owner', 'type', 'ttl'] as const

/** What a plan limits the records to: values of TXT records only, or RRsets of every type. */
export const PLAN_RECORD_TYPES = ['txt', 'all'] as const
export type PlanRecordTypes = (typeof PLAN_RECORD_TYPES)[number]

/**
 * The states of an own zone. `pending`: the claim waits for proof. `active`: the zone is proved, and DNS serves its content.
 * `withheld`: the plan does not include own zones any more. `lost`: another account proved that it owns the domain.
 * `expired`: the claim was not proved within 30 days.
 */
export const OWN_ZONE_STATES = ['pending', 'active', 'withheld', 'lost', 'expired'] as const
export type OwnZoneState = (typeof OWN_ZONE_STATES)[number]

/** How long a claim waits for its proof, and how long a zone is served after the plan stopped including it, in days. */
export const CLAIM_DAYS = 30
export const ZONE_GRACE_DAYS = 30

/**
 * The proofs of ownership. `delegation`: the parent zone delegates the domain to our name servers, after this claim and
 * with no other. `txt`: a TXT record below the domain. `ns`: a third name server at the parent zone.
 */
export const OWNERSHIP_PROOFS = ['delegation', 'txt', 'ns'] as const
export type OwnershipProof = (typeof OWNERSHIP_PROOFS)[number]

/** What a check of a delegation examines, in the order in which a user puts it right. */
export const DELEGATION_FACTS = [
  'delegated',
  'names',
  'glue',
  'ipv4',
  'ipv6',
  'authoritative',
  'no-ds',
] as const
export type DelegationFactName = (typeof DELEGATION_FACTS)[number]

/**
 * `incomplete`: something is missing that resolvers can do without. `unknown`: a fact before it is wrong or could not be
 * examined.
 */
export const FACT_STATES = ['right', 'incomplete', 'wrong', 'unknown'] as const
export type FactState = (typeof FACT_STATES)[number]

/**
 * How far a name server is, as far as a question shows.
 *
 * - `current`: it has the newest version of the zone, and answers with the addresses that the domain publishes
 * - `behind`: it has an older version of the zone
 * - `different`: it has the newest version, but answers with other addresses
 * - `not-serving`: it answers, but not for this zone
 * - `unreachable`: it did not answer
 * - `not-checked`: it could not be asked
 */
export const PROPAGATION_STATES = [
  'current',
  'behind',
  'different',
  'not-serving',
  'unreachable',
  'not-checked',
] as const
export type PropagationState = (typeof PROPAGATION_STATES)[number]

/** Sort fields of the lists of administrators. */
export const ADMIN_RECORD_SORT = ['id', 'owner', 'type', 'ttl', 'created_at'] as const
export const ADMIN_ZONE_SORT = [
  'id',
  'zone',
  'claimed_at',
  'active_at',
  'records',
  'domains',
] as const
