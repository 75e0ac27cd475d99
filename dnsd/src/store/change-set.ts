import { nextSerial } from '../names/index.ts'
import type { OwnerState, RRset, SoaParameters, Zone, ZoneVersion } from '../zone/index.ts'

/** A name's whole new state, and the one that it takes the place of. */
export interface ChangedName extends OwnerState {
  /** Null: the name did not exist. */
  readonly before: readonly RRset[] | null
}

/** What one transaction changed in one zone, and the version that it leads to. */
export interface ChangeSet {
  readonly version: ZoneVersion
  /** The token of the version that it was made from. */
  readonly previousToken: string
  /** Where the SOA's other fields change with it. */
  readonly soa?: SoaParameters
  readonly changes: readonly ChangedName[]
}

/**
 * Whether a set is the one that follows `held`. Tokens are random and each set names the one before
 * it, so a set that fits was made from just what is held, even if everything in between was dropped
 * long ago; serials alone could not tell a restored database that grew again.
 */
export function continues(
  { version, previousToken }: Pick<ChangeSet, 'version' | 'previousToken'>,
  held: ZoneVersion,
): boolean {
  return (
    version.feedId === held.feedId &&
    previousToken === held.token &&
    version.serial === nextSerial(held.serial)
  )
}

/** Applies a whole set, in one synchronous step. */
export function applyChangeSet(zone: Zone, { changes, version, soa }: ChangeSet): void {
  zone.apply(changes, version, soa)
}
