/** The changes of one transaction in one zone. */
import { PLAN_BOUNDS } from '@homing/openapi/vocabulary'

/**
 * Maximum number of owner names that a writer may put into one change set; more need a job with several
 * transactions.
 */
export const OWNERS_PER_SET_LIMIT = 500

/**
 * The same for a batch of 500 operations: each domain with its wildcard, and as many domains that the plan had withheld
 * and that take the places of deleted ones.
 */
export const OWNERS_PER_BATCH_LIMIT = 4 * OWNERS_PER_SET_LIMIT

/** The same for an import of records: with `replace`, those of the file and those that it replaces. */
export const OWNERS_PER_IMPORT_LIMIT = 2 * PLAN_BOUNDS.record_limit.maximum

/** Owner names of one zone whose present state is to be published, as text in lower case without the final dot. */
export interface ZoneOwners {
  readonly zoneId: string
  readonly owners: readonly string[]
  /**
   * Wildcards among `owners` whose serving starts or stops. Withheld names below them change too:
   * below a served wildcard, a withheld name is published as an empty one, so that the wildcard
   * does not answer for it (RFC 4592 §2.2.2).
   */
  readonly wildcards?: readonly string[]
  /** Further owner names, of records that go with their domains. The limit does not count them: the plan limits records. */
  readonly records?: readonly string[]
  /** Further names, of which only the web forward changed: DNS does not show it. */
  readonly forwards?: readonly string[]
}

/** A written change set, final when its transaction commits. */
export interface PublishedSet {
  readonly zoneId: string
  readonly feedId: string
  /** Never decreases, never wraps; the SOA serial is its value mod 2³². */
  readonly serial: bigint
  /** Random, generated for this set. */
  readonly token: string
  /** The token of the previous set, by which a follower knows that it has missed nothing. */
  readonly previousToken: string
}

/** The change set would have more owner names than its writer may put into it. */
export class ChangeSetTooLarge extends Error {
  constructor(zoneId: string, owners: number, limit: number) {
    super(`zone ${zoneId}: ${owners} owner names in one change set; at most ${limit} fit`)
    this.name = 'ChangeSetTooLarge'
  }
}

/** The zone has no serial: it was never provisioned. */
export class ZoneWithoutSerial extends Error {
  constructor(zoneId: string) {
    super(`zone ${zoneId} has no serial`)
    this.name = 'ZoneWithoutSerial'
  }
}
